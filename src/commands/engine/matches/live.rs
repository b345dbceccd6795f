//! A game that is watched while it is played: the position is shown after each move, and a director may speak on standard input.

use std::cell::RefCell;
use std::io::BufRead as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use annals_engine::arena::{Decision, Director, Failure, Instruction};
use annals_events::{Event, GameEvent, GameKind, Micros, Side, StreamName, TurnRetracted};
use annals_replay::handler::{self, Draft, OperatorLine};
use annals_replay::view::GameView;
use annals_replay::{Cut, GameReplay};
use jiff::tz::TimeZone;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::output::{one_line, talk, write_unmarked};

/// How often it is looked whether the match was stopped.
const LOOK: Duration = Duration::from_millis(100);

/// What the director types.
pub struct Console(Mutex<Receiver<String>>);

impl Console {
    /// Listens to standard input in a thread of its own.
    pub fn open() -> Console {
        let (typed, lines) = channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if typed.send(line).is_err() {
                    return;
                }
            }
        });
        Console(Mutex::new(lines))
    }

    /// The next line that was typed already; an error where nothing more can be typed.
    fn line(&self) -> Result<Option<String>, ()> {
        let Ok(lines) = self.0.lock() else { return Err(()) };
        match lines.try_recv() {
            Ok(line) => Ok(Some(line)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(()),
        }
    }

    /// The next line, or none for a while; an error where nothing more can be typed.
    fn wait(&self) -> Result<Option<String>, ()> {
        let Ok(lines) = self.0.lock() else { return Err(()) };
        match lines.recv_timeout(LOOK) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(()),
        }
    }
}

/// A game that is watched.
pub struct Watched<'a> {
    stream: StreamName,
    kind: GameKind,
    names: [String; 2],
    /// Who directs where a line names nobody.
    director: &'a str,
    console: Option<&'a Console>,
    /// Where each event is appended as it happens; none where the game is kept when it is over.
    home: Option<&'a Home>,
    /// Whether positions go to standard error, because standard output is for the results.
    aside: bool,
    stop: &'a AtomicBool,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    replay: GameReplay,
    /// Who asked for each move that was taken back.
    said_by: Vec<String>,
    /// Why the game cannot be recorded any more.
    error: Option<CliError>,
}

impl<'a> Watched<'a> {
    pub fn new(
        stream: StreamName,
        (kind, names): (GameKind, [String; 2]),
        (director, console): (&'a str, Option<&'a Console>),
        home: Option<&'a Home>,
        aside: bool,
        stop: &'a AtomicBool,
    ) -> Watched<'a> {
        Watched {
            stream,
            kind,
            names,
            director,
            console,
            home,
            aside,
            stop,
            seen: RefCell::new(Seen::default()),
        }
    }

    /// Takes note of what had happened before.
    pub fn before(&self, events: &[(Micros, GameEvent<'_>)]) {
        let mut seen = self.seen.borrow_mut();
        for (at, event) in events {
            seen.replay.apply_event(0, *at, event);
        }
    }

    /// Takes note of an event: it is appended, where events are, and the position is shown.
    pub fn happened(&self, at: Micros, event: &GameEvent<'static>) {
        let by = match event {
            GameEvent::TurnRetracted(_) => self.seen.borrow().said_by.last().cloned(),
            _ => None,
        };
        if let Err(error) = self.append(event, by.as_deref()) {
            self.seen.borrow_mut().error = Some(error);
            self.stop.store(true, Ordering::Relaxed);
            return;
        }
        self.seen.borrow_mut().replay.apply_event(0, at, event);
        self.show();
    }

    fn append(&self, event: &GameEvent<'static>, by: Option<&str>) -> Result<(), CliError> {
        let Some(home) = self.home else { return Ok(()) };
        let mut open = log_file::open_for_append(&home.log())?;
        let draft = self.draft(open.now, event.clone(), by)?;
        handler::append(&mut open.log, &[draft], self.director, &[])?;
        Ok(())
    }

    fn draft(&self, now: Micros, event: GameEvent<'static>, by: Option<&str>) -> Result<Draft, CliError> {
        let draft = Draft::new(self.stream.clone(), now, Event::from(event));
        let draft = draft?.now();
        Ok(match by {
            Some(by) => draft.by(by),
            None => draft,
        })
    }

    /// Shows the position.
    pub fn show(&self) {
        let zone = TimeZone::UTC;
        let view = GameView::of(&self.stream, &self.seen.borrow().replay, &Cut::NOW);
        let text = format!("\n{}", view.at_the_board(&zone).text(&zone, None));
        if self.aside {
            talk(text.lines().map(one_line).collect::<Vec<_>>().join("\n"));
        } else {
            // Who watches may have gone; the game is recorded all the same.
            let _ = write_unmarked(&text);
        }
    }

    /// Who asked for each move that was taken back; or why the game cannot be recorded.
    pub fn finish(self) -> Result<Vec<String>, CliError> {
        let Seen { said_by, error, .. } = self.seen.into_inner();
        error.map_or(Ok(said_by), Err)
    }

    /// Whether the last move may be taken back: whoever names themselves has to be a director of the tournament.
    fn may_retract(&self, by: &str, why: &str) -> Result<(), CliError> {
        if self.seen.borrow().replay.game().plies().is_empty() {
            return Err(CliError::new("there is no move to take back"));
        }
        let Some(home) = self.home else { return Ok(()) };
        let open = log_file::open_for_append(&home.log())?;
        let event = GameEvent::TurnRetracted(TurnRetracted { reason: Some(why.to_owned().into()) });
        handler::would_append(&open.log, &[self.draft(open.now, event, Some(by))?])?;
        Ok(())
    }

    fn side(&self, side: Side) -> String {
        format!("{} ({})", side.name_in(self.kind), self.names[side.index()])
    }
}

impl Director for Watched<'_> {
    fn next(&self) -> Option<Instruction> {
        let line = self.console?.line().ok()??;
        match line.parse::<OperatorLine>() {
            _ if line.trim().is_empty() => None,
            Ok(OperatorLine::Show) => {
                self.show();
                None
            }
            Ok(OperatorLine::Halt(why)) => Some(Instruction::Halt { why }),
            Ok(OperatorLine::Retract { by, why }) => {
                let by = by.unwrap_or_else(|| self.director.to_owned());
                match self.may_retract(&by, &why) {
                    Ok(()) => {
                        talk(format_args!(
                            "note: the last move is taken back under the instruction of {by}: {}",
                            one_line(&why)
                        ));
                        self.seen.borrow_mut().said_by.push(by);
                        Some(Instruction::Retract { why })
                    }
                    Err(error) => {
                        error.report();
                        None
                    }
                }
            }
            Ok(_) => {
                talk(
                    "note: programs play this game; write `retract by WHO because WHY`, `halt because WHY` or `show`",
                );
                None
            }
            Err(error) => {
                talk(format_args!("note: {}", one_line(&error.to_string())));
                None
            }
        }
    }

    fn decide(&self, side: Side, failure: &Failure) -> Decision {
        talk(format_args!("note: {}: {}", self.side(side), one_line(&failure.to_string())));
        talk("note: the rules are silent on that, so the director decides: `lost`, `again` or `halt`");
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Decision::Halt;
            }
            match self.console.map_or(Err(()), Console::wait) {
                Ok(None) => {}
                Ok(Some(line)) => match line.trim() {
                    "" => {}
                    "lost" => return Decision::Lost,
                    "again" => return Decision::Again,
                    "halt" => return Decision::Halt,
                    other => talk(format_args!(
                        "note: `{}` is no decision; write `lost`, `again` or `halt`",
                        one_line(other)
                    )),
                },
                Err(()) => {
                    talk("note: nobody decides, so play is halted");
                    return Decision::Halt;
                }
            }
        }
    }
}
