//! Fees, contributions, refunds, prizes, and the close with its places.

use annals_events::TournamentEvent;

use super::Bench;

/// Judges what belongs here.
pub(super) fn judge(_bench: &mut Bench<'_>, _event: &TournamentEvent) {}
