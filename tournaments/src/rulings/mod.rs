//! Technical rulings as rules of validity (2015 WCC, Technical Problems 1–6): which acts are allowed on the rounds, pairings
//! and games of a tournament, in the order in which they happen.
//!
//! A *pairing* puts two players together in a round and counts once, whatever happens. An *attempt* is one game of it. A
//! game that is halted, or whose result is invalidated, leaves a *debt*: the pairing is owed another attempt, from that
//! game and that ply, with the same players and colours, and nothing else of it goes on before. Once the first game of a
//! round has started, nothing of an earlier round changes any more.
//!
//! [`Course`] is the state; [`Course::judge`] says whether an act is allowed, [`Course::apply`] carries it out and says
//! what follows from it. An act that is refused changes nothing. Who was winning plays no part: no act asks for it.
//! Rounds, games and players are named by whatever types the caller uses.

mod act;
mod course;
mod reading;
mod refusal;
mod validity;

pub use act::{
    Act, Attempt, AttemptStatus, Board, Consequence, Debt, PairedBoard, ResumePoint, failure_paragraph,
};
pub use course::Course;
pub use reading::{ResumedRating, RoundBegins, RulingReadings};
pub use refusal::Refusal;
