//! The order of the Swiss (2009 WC, Preliminary 2 and 6): points, the sum of the opponents' points, the rating before the
//! tournament, and a number drawn for the round.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use annals_events::PlayerId;

use crate::record::{Played, Tally};

/// The numbers drawn at the start of a round: the lower number stands higher. They are needed only where everything else is
/// equal.
pub type Lots = BTreeMap<PlayerId, u32>;

/// What the order of two players rests on, most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    Points,
    /// The sum of the opponents' points.
    OpponentPoints,
    /// The rating before the tournament.
    Rating,
    /// The number drawn for the round.
    Lot,
}

impl Criterion {
    /// The paragraph that it follows from.
    #[must_use]
    pub const fn paragraph(self) -> &'static str {
        "2009 WC, Preliminary 6"
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Criterion::Points => "more points",
            Criterion::OpponentPoints => "higher sum of opponents' points",
            Criterion::Rating => "higher rating before the tournament",
            Criterion::Lot => "lower number drawn",
        })
    }
}

/// A place in the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
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
    /// How many byes there were.
    pub byes: u32,
    /// What puts the one above before this one; none for the first.
    pub below_by: Option<Criterion>,
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
pub fn standings(played: &Played, tally: &Tally, lots: &Lots) -> Result<Vec<Standing>, StandingsError> {
    let mut order: Vec<Standing> = played
        .players
        .iter()
        .map(|player| {
            let record = tally.record(&player.player);
            let opponents = record.opponents.iter();
            Standing {
                place: 0,
                player: player.player.clone(),
                half_points: record.half_points,
                opponents_half_points: opponents
                    .map(|(opponent, against)| against.over * tally.record(opponent).half_points)
                    .sum(),
                rating: player.rating,
                lot: lots.get(&player.player).copied(),
                byes: record.byes,
                below_by: None,
            }
        })
        .collect();
    order.sort_by(|a, b| compare(a, b).0);
    for i in 0..order.len() {
        order[i].place = u32::try_from(i + 1).unwrap_or(u32::MAX);
        if i == 0 {
            continue;
        }
        let (above, this) = (&order[i - 1], &order[i]);
        let (ordering, by) = compare(above, this);
        if by == Criterion::Lot {
            let level = |player: &Standing, other: &Standing| (player.player.clone(), other.player.clone());
            match (above.lot, this.lot) {
                (None, _) => {
                    let (player, other) = level(above, this);
                    return Err(StandingsError::LotMissing { player, other });
                }
                (_, None) => {
                    let (player, other) = level(this, above);
                    return Err(StandingsError::LotMissing { player, other });
                }
                (Some(lot), Some(_)) if ordering.is_eq() => {
                    let (player, other) = level(above, this);
                    return Err(StandingsError::LotShared { player, other, lot });
                }
                _ => {}
            }
        }
        order[i].below_by = Some(by);
    }
    Ok(order)
}

/// Which of two stands above (`Less`: the first), and by what.
fn compare(a: &Standing, b: &Standing) -> (Ordering, Criterion) {
    [
        (b.half_points.cmp(&a.half_points), Criterion::Points),
        (b.opponents_half_points.cmp(&a.opponents_half_points), Criterion::OpponentPoints),
        (b.rating.cmp(&a.rating), Criterion::Rating),
    ]
    .into_iter()
    .find(|(ordering, _)| ordering.is_ne())
    .unwrap_or_else(|| (a.lot.cmp(&b.lot), Criterion::Lot))
}
