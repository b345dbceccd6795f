//! The director of games that programs play: positions are shown, lines of standard input are instructions, and events are
//! appended to the log where it holds the game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use annals_engine::arena::{Console, Decision, Director, Failure, Instruction};
use annals_events::{GameEvent, Micros, StreamName};
use annals_replay::handler::{OperatorLine, WatchedGame};
use jiff::tz::TimeZone;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::output::{diagnostic, one_line, write_unmarked};

/// A director who watches games.
pub struct Watcher<'a> {
    /// The person who directs, if a line names no other.
    director: &'a str,
    console: &'a Console,
    /// The home of the log to which events are appended; none if a game is stored when it is over.
    home: Option<&'a Home>,
    /// Whether positions go to standard error, because standard output is for the results.
    aside: bool,
    stop: &'a AtomicBool,
    game: Mutex<WatchedGame>,
    /// Why a game cannot be recorded any more.
    error: Mutex<Option<CliError>>,
}

impl<'a> Watcher<'a> {
    pub fn new(
        stream: StreamName,
        (director, console): (&'a str, &'a Console),
        home: Option<&'a Home>,
        aside: bool,
        stop: &'a AtomicBool,
    ) -> Watcher<'a> {
        let (game, error) = (Mutex::new(WatchedGame::new(stream)), Mutex::new(None));
        Watcher { director, console, home, aside, stop, game, error }
    }

    /// Shows a game that resumes.
    pub fn resumes(&self, events: &[(Micros, GameEvent<'_>)]) {
        events.iter().for_each(|(at, event)| self.game().happened(*at, event));
        self.show();
    }

    /// Why the game could not be recorded, if it was not.
    pub fn finish(self) -> Result<(), CliError> {
        self.error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn game(&self) -> MutexGuard<'_, WatchedGame> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the position.
    fn show(&self) {
        let text = format!("\n{}", self.game().at_the_board().text(&TimeZone::UTC, None));
        if self.aside {
            diagnostic(text.lines().map(one_line).collect::<Vec<_>>().join("\n"));
        } else {
            // Standard output may be closed; the game is recorded nevertheless.
            let _ = write_unmarked(&text);
        }
    }

    /// The time by the log, if it holds the game.
    fn append(&self, event: &GameEvent<'static>, by: Option<&str>) -> Result<Option<Micros>, CliError> {
        let Some(home) = self.home else { return Ok(None) };
        let mut open = log_file::open_for_append(&home.log())?;
        Ok(Some(self.game().append((&mut open.log, open.now), self.director, event, by)?))
    }

    fn check_retraction(&self, by: &str, why: &str) -> Result<(), CliError> {
        let open = self.home.map(|home| log_file::open_for_append(&home.log())).transpose()?;
        let log = open.as_ref().map(|open| (&open.log, open.now));
        Ok(self.game().check_retraction(log, by, why)?)
    }

    fn instruction(&self, line: &str) -> Result<Option<Instruction>, CliError> {
        match line.parse()? {
            OperatorLine::Show => self.show(),
            OperatorLine::Halt(why) => return Ok(Some(Instruction::Halt { why })),
            OperatorLine::Retract { by, why } => {
                let by = by.unwrap_or_else(|| self.director.to_owned());
                self.check_retraction(&by, &why)?;
                let reason = one_line(&why);
                diagnostic(format_args!(
                    "note: the last move is taken back under the instruction of {by}: {reason}"
                ));
                return Ok(Some(Instruction::Retract { by, why }));
            }
            _ => {
                diagnostic(
                    "note: programs play this game; write `retract by NAME because TEXT`, `halt because TEXT` or `show`",
                );
            }
        }
        Ok(None)
    }
}

impl Director for Watcher<'_> {
    fn next(&self) -> Option<Instruction> {
        let line = self.console.line().filter(|line| !line.trim().is_empty())?;
        self.instruction(&line).unwrap_or_else(|error| {
            error.report();
            None
        })
    }

    fn decide(&self, who: &str, failure: &Failure) -> Decision {
        diagnostic(format_args!("note: {who}: {}", one_line(&failure.to_string())));
        diagnostic("note: no rule decides that, so the director decides: `lost`, `again` or `halt`");
        self.console.decision(self.stop, &|note| diagnostic(format_args!("note: {}", one_line(note))))
    }

    fn happened(&self, at: Micros, event: &GameEvent<'static>, by: Option<&str>) {
        match self.append(event, by) {
            Ok(recorded) => {
                self.game().happened(recorded.unwrap_or(at), event);
                self.show();
            }
            Err(error) => {
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}
