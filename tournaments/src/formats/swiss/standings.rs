//! The order of the Swiss (2009 WC, Preliminary 2 and 6): points, the sum of the opponents' points, the rating before the
//! tournament, and a number drawn for the round.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::PlayerId;

use crate::record::{Played, Tally};

/// The numbers drawn at the start of a round: the lower number stands higher. They are needed only where everything else is
/// equal.
pub type Lots = BTreeMap<PlayerId, u32>;

/// A place in the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissPlace {
    /// The place, from 1; no two share one.
    pub place: u32,
    pub player: PlayerId,
    /// Points, in halves.
    pub half_points: u32,
    /// The sum of the opponents' points as they stand, in halves; a bye adds nothing.
    pub opponents_half_points: u32,
    /// The rating before the tournament.
    pub rating: Option<i64>,
    pub lot: Option<u32>,
    pub byes: u32,
}

/// Why no order can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StandingsError {
    /// No lot for one who is level with another.
    #[error(
        "{player} and {other} are level on points, opponents' points and rating, and no number is drawn for \
         {player}. Draw lots for the round first (2009 WC, Preliminary 6)"
    )]
    LotMissing { player: PlayerId, other: PlayerId },
    /// Two with the same lot.
    #[error(
        "{player} and {other} are level and drew the same number {lot}. Numbers must differ: draw again (2009 WC, \
         Preliminary 6)"
    )]
    LotShared { player: PlayerId, other: PlayerId, lot: u32 },
}

/// The order of all players, withdrawn ones too, best first. Games without a result count for nothing yet.
///
/// # Errors
///
/// When players are level on everything and lots are missing or shared.
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

/// What the order rests on before lots: points, then the sum of the opponents' points, then the rating.
pub(super) fn rank_key(line: &SwissPlace) -> Reverse<(u32, u32, Option<i64>)> {
    Reverse((line.half_points, line.opponents_half_points, line.rating))
}
