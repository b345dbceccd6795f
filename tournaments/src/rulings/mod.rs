//! Technical rulings (2015 WCC, Technical Problems 1–6): how their text is read, and the paragraphs of failures. What a
//! ruling may do is checked in `check`; what it does is in the fold of the tournament.

mod reading;

use annals_events::tournament::Failure;

pub use reading::{ResumedRating, RoundBegins};

/// The paragraph by which a failure warrants a halt or a replay: those of the list, and those that the director weighs.
pub const fn failure_paragraph(failure: Failure) -> &'static str {
    match failure {
        Failure::ExtraneousProcess => "2015 WCC, Technical Problems 4.1",
        Failure::MoveLostToGameServer => "2015 WCC, Technical Problems 4.2",
        Failure::MoveLostToPlayer => "2015 WCC, Technical Problems 4.3",
        Failure::RestartedMidMove => "2015 WCC, Technical Problems 4.4",
        Failure::Misconfigured => "2015 WCC, Technical Problems 4.5",
        Failure::GameServer | Failure::Other => "2015 WCC, Technical Problems 5",
    }
}
