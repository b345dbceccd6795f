//! The qualifier and who goes on: benchmarks, games, order, seeds, invitations, disqualifications.

mod games;
mod invitations;
mod order;

use annals_events::TournamentEvent;

use super::Bench;

/// Judges what belongs here.
pub(super) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::BenchmarksDeclared(declared) => games::benchmarks(bench, declared),
        TournamentEvent::QualifyingGamePlayed(game) => games::played(bench, game),
        TournamentEvent::Qualified(qualified) => order::qualified(bench, qualified),
        TournamentEvent::Invited(invited) => invitations::invited(bench, invited),
        TournamentEvent::InvitationLapsed(lapsed) => invitations::lapsed(bench, lapsed),
        TournamentEvent::Disqualified(out) => invitations::disqualified(bench, out),
        _ => {}
    }
}
