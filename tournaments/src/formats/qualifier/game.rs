//! What a qualifying game is, and the figures of the rulebook that games are judged by.

use annals_events::{Micros, Side};

use super::reading::QualifierReadings;

/// How a game came out for the one who wants to qualify. How it ended does not matter: games decided by network
/// failures count as they stand (2015 WCC, Qualifying 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Result {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Neither: ends a streak, and is no loss.
    Undecided,
}

/// A game of an entrant against a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualifyingGame<P> {
    /// The benchmark.
    pub benchmark: P,
    /// The side of the one who wants to qualify.
    pub side: Side,
    /// Whether it was rated.
    pub rated: bool,
    /// When it started.
    pub started_at: Micros,
    /// When it was over; none while it is played, or where that is not known.
    pub ended_at: Option<Micros>,
    /// How it came out.
    pub result: Result,
    /// The number of the game in its gameroom: orders games of one moment, and shows a game that is listed twice.
    pub number: Option<u64>,
}

/// The qualifying period. Games must start after it opens and finish before it closes, so both ends are outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// When it opens.
    pub opens: Micros,
    /// When it closes.
    pub closes: Micros,
}

/// The figures of a qualifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualifierRules<P> {
    /// The benchmarks.
    pub benchmarks: Vec<P>,
    /// The period.
    pub window: Window,
    /// The most games against one benchmark that count.
    pub games_per_benchmark: u32,
    /// The most points against one benchmark.
    pub points_per_benchmark: u32,
    /// How ambiguous texts are read.
    pub readings: QualifierReadings,
}

impl<P> QualifierRules<P> {
    /// The figures of 2015: twenty games and four points against each benchmark.
    #[must_use]
    pub fn of_2015(benchmarks: Vec<P>, window: Window) -> QualifierRules<P> {
        QualifierRules {
            benchmarks,
            window,
            games_per_benchmark: 20,
            points_per_benchmark: 4,
            readings: QualifierReadings::default(),
        }
    }
}
