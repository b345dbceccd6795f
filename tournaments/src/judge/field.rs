//! The qualifier and who goes on: benchmarks, games, order, seeds, invitations, disqualifications.

use annals_events::TournamentEvent;

use super::Bench;

/// Judges what belongs here.
pub(super) fn judge(_bench: &mut Bench<'_>, _event: &TournamentEvent) {}
