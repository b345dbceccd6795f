//! The score so far: games won, drawn and lost, and byes, by the results that hold. Ranking and tie-breaks belong to
//! a rulebook; this is what every rulebook begins with.

use std::collections::BTreeMap;

use annals_events::tournament::Outcome;
use annals_events::{PlayerId, Side};

use crate::state::Tournament;

/// One player's score.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost, double losses included.
    pub lost: u32,
    /// Byes.
    pub byes: u32,
    /// Half points: two a win, one a draw, and for a bye what the pairing says (two where it says nothing).
    pub half_points: u32,
}

/// The half points of a side: 2 for a win, 1 for a draw, 0 for a loss; none where nothing was decided.
#[must_use]
pub const fn half_points(outcome: Outcome, side: Side) -> Option<u32> {
    match (outcome, side) {
        (Outcome::Gold, Side::Gold) | (Outcome::Silver, Side::Silver) | (Outcome::DoubleWin, _) => Some(2),
        (Outcome::Draw, _) => Some(1),
        (Outcome::Gold | Outcome::Silver | Outcome::DoubleLoss, _) => Some(0),
        (Outcome::NoDecision, _) => None,
    }
}

/// Everybody's score, best first; equals by name.
#[must_use]
pub fn standings(tournament: &Tournament) -> Vec<(PlayerId, Score)> {
    let mut scores: BTreeMap<&PlayerId, Score> =
        tournament.entrants.keys().map(|player| (player, Score::default())).collect();
    for round in tournament.rounds.values() {
        for bye in &round.byes {
            let score = scores.entry(&bye.player).or_default();
            score.byes += 1;
            score.half_points = score.half_points.saturating_add(bye.half_points.unwrap_or(2));
        }
        for board in round.boards.values() {
            for player in board.players() {
                let Some(half_points) = board.half_points(player) else { continue };
                let score = scores.entry(player).or_default();
                score.half_points = score.half_points.saturating_add(half_points);
                match (board.outcome(), half_points) {
                    (Some(Outcome::Draw), _) => score.drawn += 1,
                    (_, 2) => score.won += 1,
                    _ => score.lost += 1,
                }
            }
        }
    }
    let mut order: Vec<(PlayerId, Score)> =
        scores.into_iter().map(|(player, score)| (player.clone(), score)).collect();
    order.sort_by(|(a, x), (b, y)| y.half_points.cmp(&x.half_points).then(y.won.cmp(&x.won)).then(a.cmp(b)));
    order
}
