//! What a tournament needs to know of a game that it speaks of, as plain values: who played, with which clock, how far
//! it came, how it ended, and whether the rules of play hold. The position itself stays with the game.

use annals_events::{GameId, Micros, Side, Termination};

use crate::game::LengthSoFar;
use crate::scoring::EarlySide;

/// Both clocks and the length of the game after a ply, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockFacts {
    /// Gold's reserve; none where it is not known.
    pub gold_reserve: Option<i64>,
    /// Silver's reserve; none where it is not known.
    pub silver_reserve: Option<i64>,
    /// The length of the game so far; none where it is not known.
    pub game_time: Option<u64>,
}

/// How a game ended, as far as its own events say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndFacts {
    pub at: Micros,
    /// Who won; none for a draw or no result.
    pub winner: Option<Side>,
    pub termination: Termination,
}

/// Something that does not follow in a game: a turn, a clock, an ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameViolation {
    /// The event that does not follow.
    pub seq: u64,
    /// A short stable word, in `snake_case`.
    pub code: &'static str,
    /// What is the matter.
    pub message: String,
}

impl GameViolation {
    /// The word of a record that adds unused time of a setup to the reserve.
    pub const SETUP_TIME_ADDED: &str = "setup_time_added";
}

/// A game as a tournament sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameFacts {
    /// When it started; none where no event says so.
    pub started_at: Option<Micros>,
    /// The name under which Gold plays.
    pub gold: Option<String>,
    /// The name under which Silver plays.
    pub silver: Option<String>,
    /// The time control as written.
    pub time_control: Option<String>,
    /// Whether it is rated now.
    pub rated: Option<bool>,
    /// Whether it is a postal game; none where no event says so.
    pub postal: Option<bool>,
    /// The game from which it goes on, and how many plies of that game stand.
    pub resumes: Option<(GameId, u32)>,
    /// Turns that stand, those that it goes on from included.
    pub plies: u32,
    /// The clocks at the start and after each ply that stands: `plies + 1` entries, or fewer where they are not known.
    pub clocks: Vec<ClockFacts>,
    pub halted: bool,
    /// How often play was halted, whether it was resumed or not.
    pub halts: u32,
    /// How it ended; none while it is played.
    pub ended: Option<EndFacts>,
    /// How far it has come to the length that its time control gives it; none where that is none.
    pub length: Option<LengthSoFar>,
    /// What the score before 2008-07-01 counts in its last position, Gold's and Silver's; none in a later game.
    pub early_sides: Option<[EarlySide; 2]>,
    /// Whether unused time of a setup was not added to a reserve, to which the text of the Match Rules adds it.
    pub setup_time_lost: bool,
    /// In the Amazons, who won and the squares of the winner's territory in the position in which the game ended, however it
    /// ended; none while it is played, without a winner, and in a game without territory.
    pub territory: Option<(Side, u32)>,
    /// What does not follow in it.
    pub violations: Vec<GameViolation>,
    /// How many turns were taken back in the course of play.
    pub retracted: u32,
    /// Who took turns back, and why; corrections of the record that strike a turn or change its move are among them.
    pub retractions: Vec<Retraction>,
}

/// By what a turn is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TakenBackBy {
    /// An event in the course of play.
    #[default]
    Play,
    /// A correction of the record while the game was under way: of a slip of entry, or of the move.
    CorrectionInPlay,
    /// A correction of the record of a game that was over.
    Correction,
}

/// A turn that was taken back, or several at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retraction {
    pub seq: u64,
    pub kind: TakenBackBy,
    /// On whose word.
    pub by: String,
    /// Why, as far as it is said.
    pub reason: Option<String>,
}
