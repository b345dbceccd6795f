//! What a judgement of a tournament needs from outside it, at the same point of the log: the games that it speaks of, the
//! bans that stand, and earlier tournaments. The caller supplies it; nothing here reads anything.

use std::sync::Arc;

use annals_events::tournament::{BanLifted, BanRecorded};
use annals_events::{GameId, Micros, TournamentId};
use annals_rules::GameFacts;

use crate::formats::Proposal;
use crate::state::Tournament;

/// A ban that was recorded and not lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingBan {
    /// The tournament in whose stream it stands.
    pub tournament: TournamentId,
    pub seq: u64,
    /// When it was recorded to begin.
    pub at: Micros,
    pub ban: BanRecorded,
}

/// Whether a ban is the one that is lifted: of that player, from that series, or from every tournament.
#[must_use]
pub fn lifts(lifted: &BanLifted, ban: &BanRecorded) -> bool {
    ban.player == lifted.player && ban.series == lifted.series
}

/// What is around a tournament.
pub trait TournamentContext {
    /// A game as far as the log had it; none where the log does not hold it.
    fn game(&self, game: &GameId) -> Option<&GameFacts>;

    /// Every ban recorded anywhere that has not been lifted.
    fn bans(&self) -> &[StandingBan];

    /// Another tournament.
    fn tournament(&self, name: &TournamentId) -> Option<&Tournament>;

    /// The next round, where it was proposed on this very state, so that it need not be proposed again.
    fn proposal(&self) -> Option<Arc<Proposal>> {
        None
    }
}

/// Nothing around: no games, no bans, no other tournaments.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoContext;

impl TournamentContext for NoContext {
    fn game(&self, _game: &GameId) -> Option<&GameFacts> {
        None
    }

    fn bans(&self) -> &[StandingBan] {
        &[]
    }

    fn tournament(&self, _name: &TournamentId) -> Option<&Tournament> {
        None
    }
}
