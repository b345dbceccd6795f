//! The games: who meets whom, with which colours, and by which rule (2006 Postal, Tournament Rules 2–4).

use annals_events::PlayerId;

use super::order::{RingError, ring_order};
use super::reading::{OppositeSide, RingReadings};
use crate::record::Contestant;

/// The figures of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingFormat {
    /// Up to so many players everyone meets everyone.
    pub all_meet_up_to: usize,
    /// Above, how many neighbours on each side are met.
    pub neighbours: usize,
    /// How ambiguous texts are read.
    pub readings: RingReadings,
}

impl Default for RingFormat {
    /// The figures of 2006: eleven players, five neighbours.
    fn default() -> RingFormat {
        RingFormat { all_meet_up_to: 11, neighbours: 5, readings: RingReadings::default() }
    }
}

/// The rule behind the colours of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColourGround {
    /// A player has Gold against the first on the right, Silver against the second, and so on; and the other way round
    /// against those on the left, who see that player on their right.
    Alternating,
    /// Opposite each other: the lower rated has Gold.
    OppositeLowerRated,
    /// Opposite each other and of one rating: the lower position has Gold.
    OppositeLowerPosition,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingGame {
    pub gold: PlayerId,
    pub silver: PlayerId,
    /// How far apart the two are on the ring.
    pub distance: usize,
    /// The rule behind the colours.
    pub ground: ColourGround,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingDraw {
    /// The players by rating and name, best first.
    pub order: Vec<PlayerId>,
    /// The players by position on the ring.
    pub ring: Vec<PlayerId>,
    /// Up to what distance players meet.
    pub reach: usize,
    /// The games, by position of the left player and by distance.
    pub games: Vec<RingGame>,
}

impl RingDraw {
    /// How far two positions, from 0, are apart on the ring.
    pub fn distance(&self, one: usize, other: usize) -> usize {
        let apart = one.abs_diff(other);
        apart.min(self.ring.len().saturating_sub(apart))
    }
}

/// Draws the games. One player alone has none.
///
/// # Errors
///
/// When nobody is entered, a rating is missing, or a name appears twice.
pub fn draw(players: &[Contestant], format: RingFormat) -> Result<RingDraw, RingError> {
    let (order, ring) = ring_order(players, format.readings.name_order)?;
    let size = ring.len();
    let all = size / 2;
    let reach = if size <= format.all_meet_up_to { all } else { format.neighbours.min(all) };
    let mut games = Vec::new();
    for left in 0..size {
        for distance in 1..=reach {
            let right = (left + distance) % size;
            let exactly_opposite = 2 * distance == size;
            // Seen from the other end the one exactly opposite is the same game.
            if exactly_opposite && left > right {
                continue;
            }
            let opposite = exactly_opposite
                || match format.readings.opposite_side {
                    OppositeSide::ExactlyOpposite => false,
                    OppositeSide::OtherHalf => {
                        let half = size.div_ceil(2);
                        (left < half) != (right < half)
                    }
                };
            let (one, other) = (&players[ring[left]], &players[ring[right]]);
            let (left_has_gold, ground) = if !opposite {
                (distance % 2 == 1, ColourGround::Alternating)
            } else if one.rating == other.rating {
                (left < right, ColourGround::OppositeLowerPosition)
            } else {
                (one.rating < other.rating, ColourGround::OppositeLowerRated)
            };
            let (gold, silver) = if left_has_gold { (one, other) } else { (other, one) };
            games.push(RingGame {
                gold: gold.player.clone(),
                silver: silver.player.clone(),
                distance,
                ground,
            });
        }
    }
    let named = |indices: &[usize]| indices.iter().map(|&i| players[i].player.clone()).collect();
    Ok(RingDraw { order: named(&order), ring: named(&ring), reach, games })
}
