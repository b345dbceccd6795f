//! An engine for any controller. One thread reads messages, one searches, one writes; the session here handles messages
//! at once, also during a search.

use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use annals_events::{GameEvent, GameKind, Side};
use annals_rules::game::Game;
use crossbeam_channel::{Receiver, bounded, select};

use super::lines::{AeiLine, LONGEST, Lines};
use super::message::{FromEngine, LogLevel, MessageError, ToEngine};
use super::options::{Options, Refused};
use super::position::{self, Judged};
use super::speaker::{Gone, Speaker};
use super::worker::{Done, Task, Worker};
use crate::evaluation::UnknownEvaluator;
use crate::search::Limits;
use crate::seated::{Seated, begun};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// The controller sent `quit`.
    Quit,
    /// The input ended.
    EndOfInput,
    /// The controller sent an invalid message, which ends the session.
    NoMessage,
    /// The controller no longer reads.
    NobodyListens,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Evaluator(#[from] UnknownEvaluator),
    #[error("the controller's messages cannot be read any more: {0}")]
    Input(io::Error),
    /// The search thread ended, or ignores `stop`.
    #[error(
        "the search does not answer any more, so no further turn can be chosen; this is a fault of the program"
    )]
    Search,
}

/// How long a search may take to stop.
const TO_STOP: Duration = Duration::from_secs(30);

/// How long the end of a session waits for a requested turn.
const LAST_TURN: Duration = Duration::from_secs(1);

/// Most waiting lines.
const LINES: usize = 64;

/// Output of the reading thread.
enum Heard {
    Line(AeiLine),
    End,
    Failed(io::Error),
}

/// Serves as an engine until the session ends. The settings' limits apply to every turn with the controller's clock;
/// without either, the default limit.
///
/// # Errors
/// If the evaluator is unknown, or the messages cannot be read.
pub fn serve<S: Seated>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    settings: &S,
    registry: &S::Registry,
) -> Result<Served, ServeError> {
    settings.check(registry)?;
    let heard = listen(input);
    let (speaker, farewell) = Speaker::new(output);
    let worker = Worker::start(registry.clone(), speaker.clone());
    let mut session = Session {
        opened: false,
        game: None,
        search: None,
        pondered: None,
        fresh: true,
        options: Options::new(settings),
        registry: registry.clone(),
        speaker: speaker.clone(),
        worker,
    };
    let end = session.run(&heard);
    // The worker has a speaker too, which must end before the output is complete. A running search is stopped, with a
    // short wait for a requested turn.
    if let Some(search) = &session.search {
        search.stop.store(true, Ordering::Relaxed);
    }
    drop(session);
    farewell.wait(speaker);
    end
}

/// Reads lines in a thread, to the end of input or the first line after the session.
fn listen(input: impl Read + Send + 'static) -> Receiver<Heard> {
    let (sender, receiver) = bounded(LINES);
    thread::spawn(move || {
        let mut lines = Lines::new(BufReader::new(input));
        loop {
            let heard = match lines.next_line() {
                Ok(Some(line)) => Heard::Line(line),
                Ok(None) => Heard::End,
                Err(error) => Heard::Failed(error),
            };
            let last = !matches!(heard, Heard::Line(_));
            if sender.send(heard).is_err() || last {
                return;
            }
        }
    });
    receiver
}

struct Search {
    stop: Arc<AtomicBool>,
    ponder: bool,
    /// After `stop` a turn is due, independent of the next message.
    stopped: bool,
}

/// The chosen turn; none without one.
type Chosen = Option<String>;

/// Why the session is over.
enum Over {
    Served(Served),
    Failed(ServeError),
}

impl From<Gone> for Over {
    fn from(_: Gone) -> Over {
        Over::Served(Served::NobodyListens)
    }
}

struct Session<S: Seated> {
    opened: bool,
    /// Shared with the search thread.
    game: Option<Arc<Game<S::Rules>>>,
    search: Option<Search>,
    /// The result of pondering, for a later `stop`.
    pondered: Option<Chosen>,
    fresh: bool,
    options: Options<S>,
    registry: S::Registry,
    speaker: Speaker,
    worker: Worker<S>,
}

impl<S: Seated> Session<S> {
    fn run(&mut self, heard: &Receiver<Heard>) -> Result<Served, ServeError> {
        loop {
            let done = self.worker.done.clone();
            let step = select! {
                recv(heard) -> found => match found {
                    Ok(Heard::Line(line)) => self.line(&line),
                    Ok(Heard::End) | Err(_) => Err(Over::Served(Served::EndOfInput)),
                    Ok(Heard::Failed(error)) => Err(Over::Failed(ServeError::Input(error))),
                },
                recv(done) -> done => match done {
                    Ok(done) => self.thought(done),
                    Err(_) => Err(Over::Failed(ServeError::Search)),
                },
            };
            match step {
                Ok(()) => {}
                Err(Over::Served(served)) => {
                    let owed = self.search.as_ref().is_some_and(|search| search.stopped);
                    if owed && let Ok(done) = self.worker.done.recv_timeout(LAST_TURN) {
                        let _ = self.thought(done);
                    }
                    return Ok(served);
                }
                Err(Over::Failed(error)) => return Err(error),
            }
        }
    }

    fn say(&self, message: FromEngine) -> Result<(), Over> {
        Ok(self.speaker.say(message)?)
    }

    fn log(&self, level: LogLevel, text: impl std::fmt::Display) -> Result<(), Over> {
        self.say(FromEngine::log(level, text))
    }

    fn line(&mut self, line: &AeiLine) -> Result<(), Over> {
        if line.text.trim().is_empty() {
            return Ok(());
        }
        match line.text.parse::<ToEngine>() {
            Ok(_) if line.cut => {
                let text = format!("a message of more than {LONGEST} bytes was passed over; none is so long");
                self.log(LogLevel::Error, text)
            }
            Ok(message) => self.message(message),
            Err(error @ MessageError::Unknown(_)) => {
                self.log(LogLevel::Error, format!("{error}; the session ends here"))?;
                Err(Over::Served(Served::NoMessage))
            }
            Err(error) => self.log(LogLevel::Error, error),
        }
    }

    fn message(&mut self, message: ToEngine) -> Result<(), Over> {
        match message {
            ToEngine::Quit => Err(Over::Served(Served::Quit)),
            ToEngine::Aei if !self.opened => self.open(),
            _ if !self.opened => {
                self.log(LogLevel::Error, "a session begins with `aei`; this was passed over")
            }
            ToEngine::Aei => self.log(LogLevel::Error, "the session has begun already"),
            ToEngine::IsReady => {
                // Everything before is to be done, except a due turn.
                if self.search.as_ref().is_some_and(|search| search.stopped) {
                    self.settle()?;
                }
                self.say(FromEngine::ReadyOk)
            }
            ToEngine::NewGame => self.begin(begun::<S>(None)),
            ToEngine::SetPosition { side, board } => self.begin(S::game_from(&side, &board)),
            ToEngine::SetOption { name, value } => {
                match self.options.set(&name, value.as_deref(), &self.registry) {
                    Ok(None) => Ok(()),
                    Ok(Some(remark)) => self.log(LogLevel::Warning, remark),
                    Err(Refused::Unknown) => self.log(
                        LogLevel::Warning,
                        format!("there is no option `{}`", super::message::shown(&name)),
                    ),
                    Err(Refused::Value(why)) => self.log(LogLevel::Error, why),
                }
            }
            ToEngine::MakeMove(turn) => self.make_move(&turn),
            ToEngine::Go { ponder } => self.go(ponder),
            ToEngine::Stop => self.stop(),
        }
    }

    fn open(&mut self) -> Result<(), Over> {
        self.opened = true;
        let id = |key: &str, value: &str| FromEngine::Id { key: key.to_owned(), value: value.to_owned() };
        self.say(FromEngine::ProtocolVersion("1".to_owned()))?;
        self.say(id("name", "Annals"))?;
        self.say(id("author", "Annals"))?;
        self.say(id("version", crate::VERSION))?;
        if S::KIND != GameKind::Arimaa {
            // The protocol's default game is Arimaa.
            self.say(id("game", S::KIND.word()))?;
        }
        self.say(FromEngine::AeiOk)
    }

    /// Ends a search, and sends its turn if due.
    fn settle(&mut self) -> Result<(), Over> {
        let Some(search) = &self.search else { return Ok(()) };
        search.stop.store(true, Ordering::Relaxed);
        let owed = search.stopped;
        let done = self.worker.done.recv_timeout(TO_STOP);
        let done = done.map_err(|_| Over::Failed(ServeError::Search))?;
        self.search = None;
        if owed { self.answer(done.turn) } else { Ok(()) }
    }

    /// Begins another game; on an error the old one remains.
    fn begin(&mut self, game: Result<Game<S::Rules>, String>) -> Result<(), Over> {
        match game {
            Ok(game) => {
                self.settle()?;
                self.game = Some(Arc::new(game));
                self.pondered = None;
                self.fresh = true;
                self.options.new_game();
                Ok(())
            }
            Err(why) => self.log(LogLevel::Error, why),
        }
    }

    fn make_move(&mut self, text: &str) -> Result<(), Over> {
        let Some(game) = &self.game else {
            return self.log(LogLevel::Error, "no game has begun; say newgame or setposition first");
        };
        let Judged { turn, event } = match position::judge::<S>(game, text) {
            Ok(judged) => judged,
            // The search continues.
            Err(why) => return self.log(LogLevel::Error, format!("the position stands as it was: {why}")),
        };
        self.settle()?;
        self.pondered = None;
        let event = GameEvent::TurnTaken(event);
        // The search thread drops the game before it reports.
        let game = self.game.as_mut().and_then(Arc::get_mut).ok_or(Over::Failed(ServeError::Search))?;
        if let Err(error) = game.apply(None, &event) {
            return self.log(LogLevel::Error, format!("the position stands as it was: {error}"));
        }
        match turn {
            Some(exact) => {
                let text = super::message::shown(text);
                let why = format!("the captures of `{text}` are not what happens; it was taken as `{exact}`");
                self.log(LogLevel::Warning, why)
            }
            None => Ok(()),
        }
    }

    fn go(&mut self, ponder: bool) -> Result<(), Over> {
        if self.search.as_ref().is_some_and(|search| !search.ponder && !search.stopped) {
            return self.log(LogLevel::Error, "a search is running already; say stop first");
        }
        self.settle()?;
        self.pondered = None;
        let Some(game) = &self.game else {
            return self.log(LogLevel::Error, "no game has begun; say newgame or setposition before go");
        };
        if let Some(over) = position::over(game, S::KIND) {
            self.log(LogLevel::Error, over)?;
            if ponder {
                self.pondered = Some(None);
                return Ok(());
            }
            return self.say(FromEngine::BestMove("resign".to_owned()));
        }
        let side = game.to_move().unwrap_or(Side::Gold);
        let limits = if ponder { Limits::default() } else { self.options.limits(side, game.plies().len()) };
        let stop = Arc::new(AtomicBool::new(false));
        let settings = self.options.settings.clone();
        let fresh = std::mem::take(&mut self.fresh);
        let task = Task { game: Arc::clone(game), settings, limits, fresh, stop: Arc::clone(&stop) };
        self.search = Some(Search { stop, ponder, stopped: false });
        self.worker.tasks.send(task).map_err(|_| Over::Failed(ServeError::Search))
    }

    fn stop(&mut self) -> Result<(), Over> {
        if let Some(search) = &mut self.search {
            search.stopped = true;
            search.stop.store(true, Ordering::Relaxed);
            return Ok(());
        }
        match self.pondered.take() {
            Some(chosen) => self.answer(chosen),
            // It may have crossed with the answer.
            None => self.log(LogLevel::Debug, "there is no search to stop"),
        }
    }

    fn thought(&mut self, done: Done) -> Result<(), Over> {
        match self.search.take() {
            Some(search) if search.ponder && !search.stopped => {
                self.pondered = Some(done.turn);
                Ok(())
            }
            _ => self.answer(done.turn),
        }
    }

    fn answer(&self, chosen: Chosen) -> Result<(), Over> {
        match chosen {
            Some(turn) => self.say(FromEngine::BestMove(turn)),
            None => {
                self.log(LogLevel::Error, "there is no turn to choose here")?;
                self.say(FromEngine::BestMove("resign".to_owned()))
            }
        }
    }
}
