//! Rounds of the floating eliminations and their playoffs held against the rules.

use annals_events::TournamentEvent;

use crate::judge::Bench;

/// Judges what belongs here.
pub(super) fn judge(_bench: &mut Bench<'_>, _event: &TournamentEvent) {}
