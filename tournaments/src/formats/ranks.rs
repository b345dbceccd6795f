//! Ranks with their tie-breaks, and the places that follow.

use annals_events::PlayerId;
use annals_events::tournament::{Measure, Placing, Ranked};

/// What orders the players of a final before their tie-breaks, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RankGroup {
    Champion,
    StillIn,
    Out,
    /// Who left, unless the readings give a place.
    WithoutPlace,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RankedPlayer {
    pub player: PlayerId,
    /// From 1; level players share one.
    pub rank: u32,
    /// By priority, named as in the rulebook.
    pub measures: Vec<Measure>,
    pub active: bool,
    /// None if the order begins with the measures.
    #[serde(skip)]
    pub group: Option<RankGroup>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// Best first.
    pub placings: Vec<Placing>,
    /// Whether all places named by the rulebook are decided.
    pub decided: bool,
    /// What a ruling has to decide.
    pub ruling_needed: Option<String>,
    /// The single place that a ruling can give, and between whom; empty for all players. Without `ruling_needed` it is the
    /// first place of a player who withdrew after the play for it.
    pub open_place: Option<(u32, Vec<PlayerId>)>,
    /// Players who won a game and withdrew, and whom the readings give no place (T48).
    pub left_out: Vec<PlayerId>,
}

impl Places {
    /// Places that the ranking alone gives.
    pub(crate) fn by_rank(
        ranking: Vec<RankedPlayer>,
        decided: bool,
        ruling_needed: Option<String>,
    ) -> Places {
        let placings = ranking.into_iter().map(|standing| Placing {
            player: standing.player,
            place: standing.rank,
            measures: standing.measures,
            titles: Vec::new(),
            contender: false,
        });
        Places { placings: placings.collect(), decided, ruling_needed, ..Places::default() }
    }
}

/// Ranks from 1; a line level with the one above shares its rank.
pub(crate) fn shared_ranks<T>(lines: &[T], level: impl Fn(&T, &T) -> bool) -> Vec<u32> {
    let mut ranks: Vec<u32> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let above = at.checked_sub(1).filter(|above| level(&lines[*above], line));
        ranks.push(above.map_or_else(|| u32::try_from(at + 1).unwrap_or(u32::MAX), |above| ranks[above]));
    }
    ranks
}

pub(crate) fn measure<V: Into<i64>>(name: &str, values: impl IntoIterator<Item = V>) -> Measure {
    Measure { name: name.to_owned(), values: values.into_iter().map(Into::into).collect() }
}

/// A gameroom rating in millionths of a point.
pub(crate) fn gameroom_rating(rating: Option<i64>) -> Measure {
    measure("rating", rating.map(|rating| rating.saturating_mul(1_000_000)))
}

pub(crate) fn order(standings: impl IntoIterator<Item = (PlayerId, u32, Vec<Measure>)>) -> Vec<Ranked> {
    standings.into_iter().map(|(player, rank, measures)| Ranked { player, rank, measures }).collect()
}
