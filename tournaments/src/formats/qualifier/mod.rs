//! The qualifier of a championship of programs (2015 WCC, Qualifying): each entrant plays a stable of benchmark
//! programs, and the raw list of games makes a score, two tie-breaks, an order and the field of the final.
//!
//! Everything starts from the raw list of events. Which games count is decided here, game by game and with the reason,
//! never by the person who recorded them.
//!
//! [`rank`] does the whole; [`score_benchmark`] scores one entrant's games against one benchmark; [`final_field`]
//! makes seeds of an order.

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
