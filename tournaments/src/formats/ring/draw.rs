//! The pairs and colours with their rules (2006 Postal, Tournament Rules 2–4).

use annals_events::PlayerId;

use super::order::{RingError, ring_order};
use super::reading::{OppositeSide, RingReadings};
use crate::record::Contestant;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingFormat {
    /// The most players of an all-play-all.
    pub all_meet_up_to: usize,
    /// Above that, the neighbours met on each side.
    pub neighbours: usize,
    pub readings: RingReadings,
}

impl Default for RingFormat {
    /// Eleven players, five neighbours.
    fn default() -> RingFormat {
        RingFormat { all_meet_up_to: 11, neighbours: 5, readings: RingReadings::default() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColourGround {
    /// Gold against the first on the right, Silver against the second, and so on; reversed on the left.
    Alternating,
    /// Opposite: the lower rated has Gold.
    OppositeLowerRated,
    /// Opposite with equal ratings: the lower position has Gold.
    OppositeLowerPosition,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingGame {
    pub gold: PlayerId,
    pub silver: PlayerId,
    /// Their distance on the ring.
    pub distance: usize,
    pub ground: ColourGround,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingDraw {
    /// By rating and name, best first.
    pub order: Vec<PlayerId>,
    /// By position on the ring.
    pub ring: Vec<PlayerId>,
    /// The greatest distance of players who meet.
    pub reach: usize,
    /// By position of the left player, then distance.
    pub games: Vec<RingGame>,
}

impl RingDraw {
    /// Between positions from 0.
    pub fn distance(&self, one: usize, other: usize) -> usize {
        let apart = one.abs_diff(other);
        apart.min(self.ring.len().saturating_sub(apart))
    }
}

/// Draws the games; none for a single player.
///
/// # Errors
/// If there is no player, a rating is missing, or a name appears twice.
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
            // The game against the exactly opposite player would appear twice.
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
