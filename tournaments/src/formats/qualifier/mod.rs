//! The qualifier of a computer championship (2015 WCC, Qualifying): from the raw list of games against
//! benchmark programs to scores, tie-breaks, the order and the field of the final. Which games count is
//! computed here, with reasons.
//!
//! [`rank`] computes the order, [`score_benchmark`] one entrant's score against one benchmark,
//! [`final_field`] the seeds.

mod count;
pub mod explain;
mod field;
mod order;
pub mod propose;
mod reading;
mod score;

pub use count::{CheckedGame, GameStatus, Ignored, QualifierRules, Weight};
pub use field::{FieldChange, FieldError, Finalist, final_field};
pub use order::{QualifierEntrant, QualifierError, QualifierPlace, TieBreak, rank};
pub use reading::{
    ColourSetter, CompletionMoment, GameCap, GameOrder, NotPlayed, QualifierReadings, StandInSeed, StillTied,
    StreakChoice,
};
pub use score::{BenchmarkScore, QualifierScore, Streak, score_benchmark};
