//! Facts of a game for its tournament, as plain values: players, clock, progress, end, violations.

use annals_events::{GameId, Micros, Side, Termination};

use crate::game::LengthSoFar;
use crate::scoring::EarlySide;

/// After a ply, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockFacts {
    /// If known.
    pub gold_reserve: Option<i64>,
    /// If known.
    pub silver_reserve: Option<i64>,
    /// So far, if known.
    pub game_time: Option<u64>,
}

/// By its own events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndFacts {
    pub at: Micros,
    /// None for a draw or no result.
    pub winner: Option<Side>,
    pub termination: Termination,
}

/// A turn, clock or ending that violates the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameViolation {
    pub seq: u64,
    /// Stable, in `snake_case`.
    pub code: &'static str,
    pub message: String,
}

impl GameViolation {
    /// The code of a record that adds unused setup time to the reserve.
    pub const SETUP_TIME_ADDED: &str = "setup_time_added";

    /// A side won on time while the clock of the other stood still.
    pub const CLOCK_STOOD: &str = "clock_stood";
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameFacts {
    /// If recorded.
    pub started_at: Option<Micros>,
    /// As recorded.
    pub gold: Option<String>,
    /// As recorded.
    pub silver: Option<String>,
    /// As written.
    pub time_control: Option<String>,
    /// At present.
    pub rated: Option<bool>,
    /// If recorded.
    pub postal: Option<bool>,
    /// The game that it resumes, with the plies kept.
    pub resumes: Option<(GameId, u32)>,
    /// In force, resumed ones included.
    pub plies: u32,
    /// At the start and after each ply: `plies + 1` entries, or fewer if unknown.
    pub clocks: Vec<ClockFacts>,
    pub halted: bool,
    /// Resumed or not.
    pub halts: u32,
    /// None while it is played.
    pub ended: Option<EndFacts>,
    /// None without a game length.
    pub length: Option<LengthSoFar>,
    /// For the score before 2008-07-01, Gold's and Silver's; none later.
    pub early_sides: Option<[EarlySide; 2]>,
    /// Unused setup time was not added, which the text of the Match Rules adds.
    pub setup_time_lost: bool,
    /// In the Amazons, winner and squares of territory at any end; none while it is played, without a winner, and in
    /// other games.
    pub territory: Option<(Side, u32)>,
    pub violations: Vec<GameViolation>,
    /// During play.
    pub retracted: u32,
    /// Corrections that strike or change turns included.
    pub retractions: Vec<Retraction>,
}

/// How a turn is retracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TakenBackBy {
    /// During play.
    #[default]
    Play,
    /// By a correction while the game was under way: of an entry error, or of the move.
    CorrectionInPlay,
    /// By a correction after the end.
    Correction,
}

/// One turn, or several at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retraction {
    pub seq: u64,
    pub kind: TakenBackBy,
    /// On whose authority.
    pub by: String,
    /// If stated.
    pub reason: Option<String>,
}
