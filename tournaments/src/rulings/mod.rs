//! Technical rulings (2015 WCC, Technical Problems 1–6): readings, and the paragraphs of failures. `check`
//! checks rulings, and the fold applies them.

mod reading;

use annals_events::GameKind;
use annals_events::tournament::Failure;

pub use reading::{ResumedRating, RoundBegins};

/// The paragraph of a failure that permits a halt or replay.
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

/// Whether a ply is between the two setups of Arimaa, where no position is from which another attempt could begin.
pub fn is_between_setups(kind: GameKind, ply: u32) -> bool {
    kind == GameKind::Arimaa && ply == 1
}
