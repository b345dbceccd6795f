//! One side of the board: a program that is talked to, or a player of ours that is asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use annals_events::Side;
use annals_rules::arimaa::{Arimaa, Phase, Position};
use annals_rules::clock::{Clock, GameLimit};
use annals_rules::game::Game;
use annals_rules::seeded::Rng;

use super::contestant::{Contestant, Kind};
use super::pace::{Pace, Patience};
use super::process::{Process, ProcessError};
use super::report::Failure;
use super::running::Running;
use crate::aei::{FromEngine, LogLevel, ToEngine, shown};
use crate::evaluation::{Registry, UnknownEvaluator};
use crate::player::{Player, Settings};
use crate::search::{ClockFacts, Limits, time_for_turn, time_to_think};

/// Remarks that are kept of one side; a program that complains without end is not listened to for ever.
const REMARKS: usize = 20;

/// How often it is looked whether the match was stopped.
const LOOK: Duration = Duration::from_millis(100);

/// Lines that are passed over before a program is asked for a turn.
const BACKLOG: usize = 1000;

/// What both sides are told before a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub pace: Pace,
    pub patience: Patience,
    pub position: Option<Position>,
    pub opponent: &'a str,
    pub side: Side,
    pub seed: u64,
    pub stop: &'a AtomicBool,
    pub running: &'a Running,
}

/// One side.
pub(super) struct Seat<'a> {
    terms: Terms<'a>,
    sitter: Sitter,
    /// What it did that is worth a word.
    pub remarks: Vec<String>,
}

enum Sitter {
    Program(Process),
    Player(Box<Player>),
}

/// What a side answered when it was asked for a turn.
#[derive(Debug)]
pub(super) struct Answer {
    pub text: String,
    pub elapsed: Duration,
}

/// Why nobody sits there.
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

impl<'a> Seat<'a> {
    /// Starts a program and tells it of the game, or makes a player ready.
    pub fn take(contestant: &Contestant, terms: Terms<'a>, registry: &Registry) -> Result<Seat<'a>, NoSeat> {
        let sitter = match &contestant.kind {
            Kind::Player(settings) => {
                let mut player = Player::new((**settings).clone(), registry).map_err(NoSeat::Evaluator)?;
                player.new_game(Rng::of(&[settings.seed, terms.seed, terms.side.index() as u64]).any());
                return Ok(Seat { terms, sitter: Sitter::Player(Box::new(player)), remarks: Vec::new() });
            }
            Kind::Program { command, folder, environment, .. } => {
                let process = Process::start(command, folder.as_ref(), environment, terms.running);
                Sitter::Program(process.map_err(|error| NoSeat::Failed(error.into()))?)
            }
        };
        let mut seat = Seat { terms, sitter, remarks: Vec::new() };
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
        self.say(&ToEngine::NewGame)?;
        if let Some(position) = self.terms.position {
            // Whatever it was read from: the protocol knows `g` and `s`, and a space for an empty square.
            let board = format!("[{}]", position.board().to_short().replace('.', " "));
            let side = position.to_move().letter().to_string();
            self.say(&ToEngine::SetPosition { side, board })?;
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

    /// The next message of a program until a time. What is no message is taken note of and passed over; so much of it that
    /// it passes `chatter` is a failure.
    fn hear(&mut self, until: Instant, chatter: &mut usize) -> Result<FromEngine, Failure> {
        let Sitter::Program(process) = &mut self.sitter else { return Err(Failure::OutOfTime) };
        loop {
            if self.terms.stop.load(Ordering::Relaxed) {
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
            // A flood that never pauses must not outlast the time either.
            if Instant::now() >= until {
                return Err(Failure::OutOfTime);
            }
        }
    }

    /// Asks for a turn; `budget` is the time until the flag falls.
    pub fn turn(
        &mut self,
        game: &Game<Arimaa>,
        clock: Option<&Clock>,
        budget: Option<Duration>,
    ) -> Result<Answer, Failure> {
        match &mut self.sitter {
            Sitter::Player(_) => self.think(game, clock),
            Sitter::Program(_) => self.ask(clock, budget),
        }
    }

    fn ask(&mut self, clock: Option<&Clock>, budget: Option<Duration>) -> Result<Answer, Failure> {
        // What was said since the last answer is no answer to this question.
        let mut chatter = self.terms.patience.chatter;
        for _ in 0..BACKLOG {
            match self.hear(Instant::now(), &mut chatter) {
                Ok(_) => {}
                Err(Failure::OutOfTime) => break,
                Err(failure) => return Err(failure),
            }
        }
        if let Some(clock) = clock {
            let [gold, silver] = clock.figures().reserves;
            self.set("greserve", &gold.to_string())?;
            self.set("sreserve", &silver.to_string())?;
        }
        self.set("moveused", "0")?;
        self.say(&ToEngine::Go { ponder: false })?;
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
                Ok(FromEngine::BestMove(text)) => return Ok(Answer { text, elapsed: asked.elapsed() }),
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

    fn think(&mut self, game: &Game<Arimaa>, clock: Option<&Clock>) -> Result<Answer, Failure> {
        let Sitter::Player(player) = &mut self.sitter else { return Err(Failure::OutOfTime) };
        let setup =
            game.state().is_some_and(|state| matches!(state.phase(), Phase::GoldSetup | Phase::SilverSetup));
        let by_clock = match (self.terms.pace, clock) {
            (Pace::PerTurn(time), _) => {
                time_to_think(&ClockFacts { timed: true, move_time: time, ..ClockFacts::UNTIMED })
            }
            (Pace::Control(_), Some(clock)) => time_for_turn(clock, self.terms.side, setup),
            (Pace::Control(_) | Pace::Untimed, _) => None,
        };
        let own = player.settings().limits;
        let time = match (by_clock, own.time) {
            (Some(clock), Some(own)) => Some(clock.min(own)),
            (clock, own) => clock.or(own),
        };
        let mut limits = Limits { time, ..own };
        if limits == Limits::default() {
            limits = Settings::default().limits;
        }
        let asked = Instant::now();
        let choice = player.choose_within(game, &limits, self.terms.stop, &mut |_| {});
        let elapsed = asked.elapsed();
        if self.terms.stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        // Without a legal turn the game would be over; nothing to say is giving up.
        let text = choice.map_or_else(|| "resign".to_owned(), |choice| choice.turn.to_string());
        Ok(Answer { text, elapsed })
    }

    /// Tells of a turn that was played. Who cannot be told fails when it is asked next.
    pub fn tell(&mut self, turn: &str) {
        let _ = self.say(&ToEngine::MakeMove(turn.to_owned()));
    }

    /// Says good-bye.
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
