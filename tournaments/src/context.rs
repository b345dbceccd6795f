//! What a check reads from outside the tournament, at the same point of the log: games, bans in force, other
//! tournaments. The caller supplies it.

use annals_events::tournament::{BanLifted, BanRecorded};
use annals_events::{GameId, Micros, PlayerId, TournamentId};
use annals_rules::GameFacts;

use crate::state::Tournament;

/// A recorded ban, of any tournament, that was not lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingBan {
    /// Whose stream records it.
    pub tournament: TournamentId,
    pub seq: u64,
    /// When it begins.
    pub at: Micros,
    pub ban: BanRecorded,
}

impl StandingBan {
    /// Whether it bars a player or one of these developers from a series at a time.
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

/// Compares names without case and spacing.
pub(crate) fn names(developers: &[String], name: &str) -> bool {
    fn folded(name: &str) -> impl Iterator<Item = char> {
        let words = name.split_whitespace().flat_map(|word| std::iter::once(' ').chain(word.chars()));
        words.flat_map(char::to_lowercase)
    }
    developers.iter().any(|known| folded(known).eq(folded(name)))
}

/// Whether the ban is the lifted one: same player and series, or every tournament.
pub fn lifts(lifted: &BanLifted, ban: &BanRecorded) -> bool {
    ban.player == lifted.player && ban.series == lifted.series
}

pub trait TournamentContext {
    /// None if the log does not contain the game.
    fn game(&self, game: &GameId) -> Option<&GameFacts>;

    /// All bans in force, this tournament's included.
    fn bans(&self) -> &[StandingBan];

    fn tournament(&self, name: &TournamentId) -> Option<&Tournament>;

    /// The tournament before one of its events, with the corrections recorded by then; none if no correction
    /// was recorded since.
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
