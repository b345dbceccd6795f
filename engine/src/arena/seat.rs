//! One side of the board: a program that receives messages, or a built-in player.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use annals_events::Side;
use annals_rules::clock::{Clock, GameLimit};
use annals_rules::game::Game;
use annals_rules::seeded::Rng;
use crossbeam_channel::{RecvTimeoutError, bounded};

use super::contestant::{Contestant, Kind};
use super::director::{Director, Instruction};
use super::pace::{Pace, Patience};
use super::process::{Process, ProcessError};
use super::report::Failure;
use super::running::Running;
use crate::aei::{FromEngine, LogLevel, ToEngine, reserve_name, shown};
use crate::evaluation::UnknownEvaluator;
use crate::search::{ClockFacts, Limits, time_for_turn, time_to_think};
use crate::seated::{Chosen, Seated};

/// The maximum number of stored remarks of one side; further ones are dropped.
const REMARKS: usize = 20;

/// The interval of checks whether the match was stopped.
const LOOK: Duration = Duration::from_millis(100);

/// Lines that are skipped before a program receives the request for a turn.
const BACKLOG: usize = 1000;

/// The director, and the pending instruction.
pub(super) struct Desk<'a> {
    pub director: &'a dyn Director,
    pub given: RefCell<Option<Instruction>>,
}

/// The data that both sides receive before a game.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub pace: Pace,
    pub patience: Patience,
    /// The side and the board of the position from which the game starts, as the protocol states them.
    pub position: Option<&'a (String, String)>,
    pub opponent: &'a str,
    pub side: Side,
    pub seed: u64,
    pub stop: &'a AtomicBool,
    pub running: &'a Running,
    pub desk: Option<&'a Desk<'a>>,
}

impl Terms<'_> {
    /// Whether play is to stop: for good, or until an instruction of the director is executed.
    fn interrupted(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let Some(desk) = self.desk else { return false };
        let mut given = desk.given.borrow_mut();
        if given.is_none() {
            *given = desk.director.next();
        }
        given.is_some()
    }
}

pub(super) struct Seat<'a, S: Seated> {
    terms: Terms<'a>,
    sitter: Sitter<S>,
    /// Whether it has a request for a turn, so that the director may interrupt it.
    asked: bool,
    /// Remarks on its behaviour.
    pub remarks: Vec<String>,
}

enum Sitter<S: Seated> {
    Program(Process),
    Player(Box<S::Player>),
}

/// The answer of a side to the request for a turn.
#[derive(Debug)]
pub(super) struct Answer {
    pub text: String,
    pub elapsed: Duration,
}

/// Why the side has no player.
pub(super) enum NoSeat {
    Evaluator(UnknownEvaluator),
    Failed(Failure),
}

impl From<ProcessError> for Failure {
    fn from(error: ProcessError) -> Failure {
        match error {
            ProcessError::Start { .. } => Failure::NotStarted(error.to_string()),
            ProcessError::Gone(_) => Failure::Crashed(error.to_string()),
            ProcessError::Silent => Failure::OutOfTime,
            ProcessError::Deaf => Failure::Nonsense(error.to_string()),
        }
    }
}

impl<'a, S: Seated> Seat<'a, S> {
    /// Starts a program and sends it the game, or prepares a player.
    pub fn take(
        contestant: &Contestant<S>,
        terms: Terms<'a>,
        registry: &S::Registry,
    ) -> Result<Seat<'a, S>, NoSeat> {
        let seat = |sitter| Seat { terms, sitter, asked: false, remarks: Vec::new() };
        let sitter = match &contestant.kind {
            Kind::Player(settings) => {
                let (mut player, _) = settings.sit_down(registry).map_err(NoSeat::Evaluator)?;
                let own = *(**settings).clone().common().seed;
                S::new_game(&mut player, Rng::of(&[own, terms.seed, terms.side.index() as u64]).any());
                return Ok(seat(Sitter::Player(Box::new(player))));
            }
            Kind::Program { command, folder, environment, .. } => {
                let process = Process::start(command, folder.as_ref(), environment, terms.running);
                Sitter::Program(process.map_err(|error| NoSeat::Failed(error.into()))?)
            }
        };
        let mut seat = seat(sitter);
        if let Kind::Program { options, .. } = &contestant.kind {
            seat.open(options).map_err(NoSeat::Failed)?;
        }
        Ok(seat)
    }

    fn open(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        self.say(&ToEngine::Aei)?;
        self.wait_for("aeiok", |message| *message == FromEngine::AeiOk)?;
        for (name, value) in self.clock_options().iter().chain(options) {
            self.set(name, value)?;
        }
        self.set("opponent", self.terms.opponent)?;
        self.begin_with(&[])
    }

    /// Sends the game from its beginning: the turns in force.
    pub fn begin_with(&mut self, turns: &[String]) -> Result<(), Failure> {
        if matches!(self.sitter, Sitter::Player(_)) {
            return Ok(());
        }
        if std::mem::take(&mut self.asked) {
            self.say(&ToEngine::Stop)?;
        }
        self.say(&ToEngine::NewGame)?;
        if let Some((side, board)) = self.terms.position {
            self.say(&ToEngine::SetPosition { side: side.clone(), board: board.clone() })?;
        }
        for turn in turns {
            self.say(&ToEngine::MakeMove(turn.clone()))?;
        }
        self.say(&ToEngine::IsReady)?;
        self.wait_for("readyok", |message| *message == FromEngine::ReadyOk)
    }

    fn clock_options(&self) -> Vec<(String, String)> {
        let mut options = Vec::new();
        let mut set = |name: &str, value: String| options.push((name.to_owned(), value));
        match self.terms.pace {
            Pace::Untimed => {}
            Pace::PerTurn(time) => {
                set("tcmove", time.as_secs_f64().to_string());
                set("tcreserve", "0".to_owned());
                set("tcpercent", "0".to_owned());
            }
            Pace::Control(control) => {
                let (seconds, turns) = match control.game_limit() {
                    Some(GameLimit::Seconds(seconds)) => (seconds, 0),
                    Some(GameLimit::Turns(turns)) => (0, turns),
                    None => (0, 0),
                };
                set("tcmove", control.move_time().to_string());
                set("tcreserve", control.reserve().to_string());
                set("tcpercent", control.percent().to_string());
                set("tcmax", control.reserve_limit().unwrap_or(0).to_string());
                set("tctotal", seconds.to_string());
                set("tcturns", turns.to_string());
                set("tcturntime", control.turn_limit().unwrap_or(0).to_string());
            }
        }
        options
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        self.say(&ToEngine::SetOption { name: name.to_owned(), value: Some(value.to_owned()) })
    }

    fn say(&mut self, message: &ToEngine) -> Result<(), Failure> {
        match &mut self.sitter {
            Sitter::Program(process) => Ok(process.say(&message.to_string())?),
            Sitter::Player(_) => Ok(()),
        }
    }

    fn wait_for(&mut self, wanted: &'static str, is_it: impl Fn(&FromEngine) -> bool) -> Result<(), Failure> {
        let until = Instant::now() + self.terms.patience.start;
        let mut chatter = self.terms.patience.chatter;
        loop {
            match self.hear(until, &mut chatter) {
                Ok(message) if is_it(&message) => return Ok(()),
                Ok(_) => {}
                Err(Failure::OutOfTime) => return Err(Failure::NotReady { wanted }),
                Err(failure) => return Err(failure),
            }
        }
    }

    /// The next message of a program until a time. Other lines are recorded and skipped; if their size exceeds
    /// `chatter`, the program fails.
    fn hear(&mut self, until: Instant, chatter: &mut usize) -> Result<FromEngine, Failure> {
        let Sitter::Program(process) = &mut self.sitter else { return Err(Failure::OutOfTime) };
        loop {
            let stopped = match self.asked {
                true => self.terms.interrupted(),
                false => self.terms.stop.load(Ordering::Relaxed),
            };
            if stopped {
                return Err(Failure::Stopped);
            }
            let slice = until.min(Instant::now() + LOOK);
            let line = match process.hear(slice) {
                Ok(line) => line,
                Err(ProcessError::Silent) if Instant::now() < until => continue,
                Err(error) => return Err(error.into()),
            };
            *chatter = chatter.checked_sub(line.bytes).ok_or_else(|| {
                let most = self.terms.patience.chatter;
                Failure::Nonsense(format!("it said more than {most} bytes and no answer among them"))
            })?;
            match line.text.parse::<FromEngine>() {
                Ok(message) => {
                    if let FromEngine::Log { level: LogLevel::Error | LogLevel::Warning, .. } = &message {
                        remark(&mut self.remarks, shown(&message.to_string()));
                    }
                    return Ok(message);
                }
                Err(_) if line.text.trim().is_empty() => {}
                Err(error) => remark(&mut self.remarks, error.to_string()),
            }
            // Continuous output must not exceed the time either.
            if Instant::now() >= until {
                return Err(Failure::OutOfTime);
            }
        }
    }

    /// Requests a turn; `budget` is the time until the flag falls.
    pub fn turn(
        &mut self,
        game: &Game<S::Rules>,
        clock: Option<&Clock>,
        budget: Option<Duration>,
    ) -> Result<Answer, Failure> {
        match &mut self.sitter {
            Sitter::Player(_) => self.think(game, clock),
            Sitter::Program(_) => self.ask(clock, budget),
        }
    }

    fn ask(&mut self, clock: Option<&Clock>, budget: Option<Duration>) -> Result<Answer, Failure> {
        // Output since the last answer does not answer this request.
        let mut chatter = self.terms.patience.chatter;
        for _ in 0..BACKLOG {
            match self.hear(Instant::now(), &mut chatter) {
                Ok(_) => {}
                Err(Failure::OutOfTime) => break,
                Err(failure) => return Err(failure),
            }
        }
        if let Some(clock) = clock {
            for side in Side::BOTH {
                let left = clock.figures().reserve(side);
                self.set(&reserve_name::<S>(side), &left.to_string())?;
            }
        }
        self.set("moveused", "0")?;
        self.say(&ToEngine::Go { ponder: false })?;
        self.asked = true;
        let asked = Instant::now();
        let mut last = asked + budget.unwrap_or(self.terms.patience.turn);
        let mut told_to_stop = true;
        let mut until = last;
        if let Pace::PerTurn(time) = self.terms.pace {
            until = asked + time;
            last = until + self.terms.patience.grace;
            told_to_stop = false;
        }
        loop {
            match self.hear(until, &mut chatter) {
                Ok(FromEngine::BestMove(text)) => {
                    self.asked = false;
                    return Ok(Answer { text, elapsed: asked.elapsed() });
                }
                Ok(_) => {}
                Err(Failure::OutOfTime) if !told_to_stop => {
                    told_to_stop = true;
                    until = last;
                    self.say(&ToEngine::Stop)?;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    fn think(&mut self, game: &Game<S::Rules>, clock: Option<&Clock>) -> Result<Answer, Failure> {
        let terms = self.terms;
        let Sitter::Player(player) = &mut self.sitter else { return Err(Failure::OutOfTime) };
        let by_clock = match (terms.pace, clock) {
            (Pace::PerTurn(time), _) => {
                time_to_think(&ClockFacts { timed: true, move_time: time, ..ClockFacts::UNTIMED })
            }
            (Pace::Control(_), Some(clock)) => time_for_turn(clock, terms.side, S::is_setup(game)),
            (Pace::Control(_) | Pace::Untimed, _) => None,
        };
        let own = S::settings(player).limits();
        let time = match (by_clock, own.time) {
            (Some(clock), Some(own)) => Some(clock.min(own)),
            (clock, own) => clock.or(own),
        };
        let mut limits = Limits { time, ..own };
        if limits == Limits::default() {
            limits = S::default().limits();
        }
        let asked = Instant::now();
        let chosen = think_until::<S>(player, game, &limits, &terms);
        let elapsed = asked.elapsed();
        if terms.interrupted() {
            return Err(Failure::Stopped);
        }
        // Without a legal turn the game would be over; a player without a turn resigns.
        let text = chosen.and_then(|chosen| chosen.turn).unwrap_or_else(|| "resign".to_owned());
        Ok(Answer { text, elapsed })
    }

    /// Sends a turn that was played. A program that does not read it fails at its next turn.
    pub fn tell(&mut self, turn: &str) {
        let _ = self.say(&ToEngine::MakeMove(turn.to_owned()));
    }

    /// Sends `quit`.
    pub fn leave(mut self) -> Vec<String> {
        let _ = self.say(&ToEngine::Quit);
        if let Sitter::Program(process) = self.sitter {
            process.end(self.terms.patience.farewell);
        }
        self.remarks
    }
}

fn remark(remarks: &mut Vec<String>, text: String) {
    if remarks.len() < REMARKS {
        remarks.push(text);
    }
}

/// Lets a player choose; an interruption of play ends the search.
fn think_until<S: Seated>(
    player: &mut S::Player,
    game: &Game<S::Rules>,
    limits: &Limits,
    terms: &Terms<'_>,
) -> Option<Chosen> {
    if terms.desk.is_none() {
        return S::choose_within(player, game, limits, terms.stop, &mut |_| {});
    }
    let stop = &AtomicBool::new(false);
    let (done, thought) = bounded(1);
    thread::scope(|scope| {
        // The thread owns it, so that the receiver is notified if the thread panics.
        scope.spawn(move || {
            let _ = done.send(S::choose_within(player, game, limits, stop, &mut |_| {}));
        });
        loop {
            match thought.recv_timeout(LOOK) {
                Ok(chosen) => return chosen,
                Err(RecvTimeoutError::Timeout) if terms.interrupted() => stop.store(true, Ordering::Relaxed),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    })
}
