//! Announcements, entries, ratings, withdrawals: who may take part, and by when.

use annals_events::TournamentEvent;

use super::Bench;

/// Judges what belongs here.
pub(super) fn judge(_bench: &mut Bench<'_>, _event: &TournamentEvent) {}
