//! A match: the games of a schedule, several at a time, and their results.

use std::sync::atomic::{AtomicBool, Ordering};

use annals_events::{GameEvent, Micros, StreamName};
use annals_report::one_line;
use annals_rules::game::Strictness;

use super::bout::{Bout, BoutError};
use super::contestant::Contestant;
use super::director::Director;
use super::pace::{Pace, Patience};
use super::report::Report;
use super::results::{Played, Results};
use super::running::Running;
use super::schedule::{Fixture, Schedule};
use super::series::play_all;
use super::sprt::Sprt;
use crate::seated::Seated;

/// A match to be played.
pub struct Match<'a, S: Seated> {
    pub contestants: &'a [Contestant<S>],
    pub schedule: &'a Schedule,
    /// The test that ends the match when it decides.
    pub sprt: Option<Sprt>,
    pub pace: Pace,
    /// Whether captures must be stated exactly.
    pub captures: Strictness,
    /// The position from which every game starts, with the side to move.
    pub position: Option<&'a str>,
    /// Its name, in the records of its games.
    pub event: &'a str,
    /// Turns of each side after which the score decides, in games that need not end on the board.
    pub most_turns: u32,
    pub registry: &'a S::Registry,
    /// Games at the same time.
    pub threads: usize,
    pub director: Option<&'a (dyn Director + Sync)>,
    /// Set from outside to stop the match.
    pub stop: &'a AtomicBool,
    pub running: &'a Running,
}

/// A game of a match that began.
pub struct GameRecord<'g> {
    /// Its place in the match, from 1.
    pub number: usize,
    pub events: &'g [(Micros, GameEvent<'static>)],
    /// The person who had each move taken back, in order.
    pub retracted_by: &'g [String],
}

/// Why no further games are played.
enum Over<E> {
    /// The test has decided.
    Decided,
    /// A game cannot be played or stored.
    Failed(E),
}

impl<E> From<E> for Over<E> {
    fn from(error: E) -> Over<E> {
        Over::Failed(error)
    }
}

/// The result of one game: its report, or why it could not be played; and its events.
type Outcome = (Result<Report, BoutError>, Vec<(Micros, GameEvent<'static>)>);

impl<S: Seated> Match<'_, S> {
    /// Plays the games. `keep` stores each game that began, in their order, and returns its stream if it is in a log; `note`
    /// prints a message. Returns the results, and whether the match was stopped before its end.
    ///
    /// # Errors
    /// When a game cannot be played or stored.
    pub fn play<E: From<BoutError>>(
        &self,
        mut keep: impl FnMut(&GameRecord<'_>) -> Result<Option<StreamName>, E>,
        note: impl Fn(&str),
    ) -> Result<(Results<S>, bool), E> {
        let mut results = Results::new(self.contestants, self.sprt);
        let games = usize::try_from(self.schedule.games()).unwrap_or(usize::MAX);
        let done = |game: usize, (report, events): Outcome| -> Result<(), Over<E>> {
            let report = report.map_err(E::from)?;
            let Some(fixture) = self.fixture(game).filter(|_| !events.is_empty()) else { return Ok(()) };
            let number = game + 1;
            let record = GameRecord { number, events: &events, retracted_by: &report.retracted_by };
            let stream = keep(&record)?;
            let played = Played { number, fixture, stream, report };
            note(&one_line(&results.line(&played, games)));
            for (side, remark) in &played.report.remarks {
                note(&format!("{side}: {}", one_line(remark)));
            }
            if results.add(played) && !self.stop.load(Ordering::Relaxed) {
                // Games that still run do not count.
                self.stop.store(true, Ordering::Relaxed);
                return Err(Over::Decided);
            }
            Ok(())
        };
        match play_all(games, self.threads, |game| self.game(game), done) {
            Ok(()) => Ok((results, self.stop.load(Ordering::Relaxed))),
            Err(Over::Decided) => Ok((results, false)),
            Err(Over::Failed(error)) => Err(error),
        }
    }

    fn fixture(&self, game: usize) -> Option<Fixture> {
        self.schedule.game(game as u64)
    }

    /// Plays one game, unless the match was stopped.
    fn game(&self, game: usize) -> Outcome {
        let mut events = Vec::new();
        let Some(fixture) = self.fixture(game).filter(|_| !self.stop.load(Ordering::Relaxed)) else {
            return (Ok(Report::default()), events);
        };
        let event = match self.pace {
            Pace::PerTurn(time) => format!("{} ({} s a turn)", self.event, time.as_secs_f64()),
            Pace::Control(_) | Pace::Untimed => self.event.to_owned(),
        };
        let bout = Bout {
            contestants: [&self.contestants[fixture.gold], &self.contestants[fixture.silver]],
            pace: self.pace,
            patience: Patience::default(),
            captures: self.captures,
            position: self.position,
            event: Some(&event),
            most_turns: (!S::ENDS).then_some(self.most_turns),
            seed: fixture.opening,
            registry: self.registry,
            opening: &[],
            director: self.director.map(|director| director as &dyn Director),
            stop: self.stop,
            running: self.running,
        };
        let report = bout.play(&mut |at, event| events.push((at, event)));
        (report, events)
    }
}
