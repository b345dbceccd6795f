//! The qualifier of a championship of programs (2015 WCC, Qualifying): each entrant plays a stable of benchmark
//! programs, and the raw list of games makes a score, two tie-breaks, an order and the field of the final.
//!
//! Everything starts from the raw list. Which games count is decided here, game by game and with the reason, never
//! by whoever recorded them. Time is microseconds since 1970 (UTC), as everywhere in Annals. Players and benchmarks are of
//! whatever type the caller names them by.
//!
//! [`rank`] does the whole; [`judge`] says of one entrant's games against one benchmark which count; [`final_field`]
//! makes seeds of an order and says who is to be invited.

mod count;
pub mod explain;
mod field;
mod game;
mod order;
pub mod propose;
mod reading;
mod streak;

pub use count::{Ignored, Judged, Verdict, judge};
pub use field::{
    FieldChange, FieldError, FinalField, Finalist, INVITATION, Invitation, Prospect, final_field, invitations,
};
pub use game::{QualifierRules, QualifyingGame, Result, Window};
pub use order::{Criterion, Entrant, Place, QualifierError, compare, rank};
pub use reading::{
    ColourSetter, CompletionMoment, GameCap, GameOrder, QualifierReadings, StandInSeed, StreakChoice,
};
pub use streak::{BenchmarkScore, QualifierScore, Streak, Weight, score_benchmark};
