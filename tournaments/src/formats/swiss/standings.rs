//! The order of the Swiss (2009 WC, Preliminary 2 and 6): points, sum of the opponents' points, rating before
//! the tournament, lot.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::PlayerId;

use crate::record::{Played, Tally};

/// Numbers drawn at the start of a round: lower is better. Needed only if everything else is equal.
pub type Lots = BTreeMap<PlayerId, u32>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissPlace {
    /// From 1; unique.
    pub place: u32,
    pub player: PlayerId,
    pub half_points: u32,
    /// Sum of the opponents' present points, in halves; byes add nothing.
    pub opponents_half_points: u32,
    /// Before the tournament.
    pub rating: Option<i64>,
    pub lot: Option<u32>,
    pub byes: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StandingsError {
    #[error(
        "{player} and {other} are level on points, opponents' points and rating, and no number is drawn for \
         {player}. Draw lots for the round first (2009 WC, Preliminary 6)"
    )]
    LotMissing { player: PlayerId, other: PlayerId },
    #[error(
        "{player} and {other} are level and drew the same number {lot}. Numbers must differ: draw again (2009 WC, \
         Preliminary 6)"
    )]
    LotShared { player: PlayerId, other: PlayerId, lot: u32 },
}

/// All players, also withdrawn ones, best first. Games without a result do not count yet.
///
/// # Errors
/// If level players' lots are missing or equal.
pub fn standings(played: &Played, tally: &Tally, lots: &Lots) -> Result<Vec<SwissPlace>, StandingsError> {
    let mut order: Vec<SwissPlace> = played
        .players
        .iter()
        .map(|player| {
            let record = tally.record(&player.player);
            let opponents = record.opponents.iter();
            SwissPlace {
                place: 0,
                player: player.player.clone(),
                half_points: record.half_points,
                opponents_half_points: opponents
                    .map(|(opponent, against)| against.over * tally.record(opponent).half_points)
                    .sum(),
                rating: player.rating,
                lot: lots.get(&player.player).copied(),
                byes: record.byes,
            }
        })
        .collect();
    order.sort_by_key(|line| (rank_key(line), line.lot));
    for two in order.windows(2) {
        let (above, this) = (&two[0], &two[1]);
        if rank_key(above) != rank_key(this) {
            continue;
        }
        let named = |player: &SwissPlace, other: &SwissPlace| (player.player.clone(), other.player.clone());
        match (above.lot, this.lot) {
            (None, _) => {
                let (player, other) = named(above, this);
                return Err(StandingsError::LotMissing { player, other });
            }
            (Some(lot), same) if same == Some(lot) => {
                let (player, other) = named(above, this);
                return Err(StandingsError::LotShared { player, other, lot });
            }
            _ => {}
        }
    }
    for (line, place) in order.iter_mut().zip(1..) {
        line.place = place;
    }
    Ok(order)
}

/// The order before lots.
pub(super) fn rank_key(line: &SwissPlace) -> Reverse<(u32, u32, Option<i64>)> {
    Reverse((line.half_points, line.opponents_half_points, line.rating))
}
