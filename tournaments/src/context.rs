//! What a check asks from outside the tournament, at the same point of the log: its games, the bans in force and earlier
//! tournaments. The caller supplies it; nothing here reads anything.

use annals_events::tournament::{BanLifted, BanRecorded};
use annals_events::{GameId, Micros, PlayerId, TournamentId};
use annals_rules::GameFacts;

use crate::state::Tournament;

/// A ban that was recorded, in any tournament, and not lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingBan {
    /// The tournament in whose stream it was recorded.
    pub tournament: TournamentId,
    pub seq: u64,
    /// When it was recorded to begin.
    pub at: Micros,
    pub ban: BanRecorded,
}

impl StandingBan {
    /// Whether it keeps a player, or one of these developers, out of a series at a time.
    pub(crate) fn binds(
        &self,
        player: &PlayerId,
        developers: &[String],
        series: Option<&str>,
        at: Micros,
    ) -> bool {
        let StandingBan { ban, .. } = self;
        let named = ban.player == *player || ban.developers.iter().any(|name| names(developers, name));
        let here = ban.series.is_none() || ban.series.as_deref() == series;
        named && here && self.at <= at && ban.until.is_none_or(|until| at < until)
    }
}

/// Whether a developer is among some names. Neither case nor spacing makes another person.
pub(crate) fn names(developers: &[String], name: &str) -> bool {
    fn folded(name: &str) -> impl Iterator<Item = char> {
        let words = name.split_whitespace().flat_map(|word| std::iter::once(' ').chain(word.chars()));
        words.flat_map(char::to_lowercase)
    }
    developers.iter().any(|known| folded(known).eq(folded(name)))
}

/// Whether a ban is the one that is lifted: of that player, from that series, or from every tournament.
pub fn lifts(lifted: &BanLifted, ban: &BanRecorded) -> bool {
    ban.player == lifted.player && ban.series == lifted.series
}

pub trait TournamentContext {
    /// A game as far as it was recorded; none where the log does not hold it.
    fn game(&self, game: &GameId) -> Option<&GameFacts>;

    /// Every ban in force, those of the tournament itself among them.
    fn bans(&self) -> &[StandingBan];

    /// Another tournament.
    fn tournament(&self, name: &TournamentId) -> Option<&Tournament>;

    /// The tournament itself before one of its events, with the corrections that were recorded by then; none where none was
    /// recorded since, so that its own record tells.
    fn before(&self, _seq: u64) -> Option<Tournament> {
        None
    }
}

/// A context without games, bans and other tournaments.
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
