//! Programs and hardware: deadlines, tests, what may change and when, stand-ins.

use annals_events::TournamentEvent;

use super::Bench;

/// Judges what belongs here.
pub(super) fn judge(_bench: &mut Bench<'_>, _event: &TournamentEvent) {}
