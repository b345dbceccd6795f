//! Infers unrecorded rounds from the games' dates. The result is an estimate with reasons, and is recorded as
//! such.
//!
//! 1. A player has at most one game per round, in order. So a game's round is later than those of all earlier
//!    games of its players, and the fewest possible rounds are used: the longest chain of games in which each
//!    shares a player with the next.
//! 2. This order gives each game a span of rounds. Games with a span of one are *firm*; every round has at
//!    least one.
//! 3. Any other game gets the earliest round of its span, unless its date is at least twice as near to the
//!    middle firm game of a later one: then the nearest. So dates place a player who missed rounds, and a late
//!    game stays where the order puts it.
//!
//! If each round leaves at most one player out and all play in order, the earliest rounds are correct
//! for any dates.
//!
//! Limits: rounds without a common player merge; a game made up after a later round counts in the order
//! played; a replayed game counts as a round; byes and absences are not visible.

use std::collections::BTreeMap;

use annals_events::Micros;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedGame<P> {
    pub players: [P; 2],
    /// Equal times keep the given order.
    pub began: Micros,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The index of the game in the given list.
    pub game: usize,
    /// The earliest possible round, from 1.
    pub earliest: usize,
    pub latest: usize,
}

impl Placed {
    /// The order alone determines the round.
    pub const fn is_firm(&self) -> bool {
        self.earliest == self.latest
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InferredRound {
    /// In the order in which they began; not empty.
    pub games: Vec<Placed>,
}

/// The rounds, first to last; see the [module](self). Games of a player against themselves must not be
/// included.
pub fn rounds<P: Ord>(games: &[DatedGame<P>]) -> Vec<InferredRound> {
    let mut order: Vec<(usize, &DatedGame<P>)> = games.iter().enumerate().collect();
    order.sort_by_key(|(place, game)| (game.began, *place));
    let spans = spans(&order);
    let anchors = anchors(&order, &spans);

    let mut rounds = vec![InferredRound::default(); anchors.len()];
    let mut last: BTreeMap<&P, usize> = BTreeMap::new();
    for ((place, game), span) in order.iter().zip(&spans) {
        let before = game.players.iter().filter_map(|player| last.get(player)).max().copied().unwrap_or(0);
        let round = nearest(game.began, span.0.max(before + 1), span.1, &anchors);
        for player in &game.players {
            last.insert(player, round);
        }
        if let Some(inferred) = rounds.get_mut(round - 1) {
            inferred.games.push(Placed { game: *place, earliest: span.0, latest: span.1 });
        }
    }
    rounds
}

/// Earliest and latest round per game, by beginning.
fn spans<P: Ord>(order: &[(usize, &DatedGame<P>)]) -> Vec<(usize, usize)> {
    let earliest = depths(order.iter().map(|(_, game)| *game));
    let rounds = earliest.iter().max().copied().unwrap_or(0);
    let mut to_the_end = depths(order.iter().rev().map(|(_, game)| *game));
    to_the_end.reverse();
    earliest.into_iter().zip(to_the_end).map(|(early, after)| (early, rounds + 1 - after)).collect()
}

/// Per game, the length of the longest chain that ends with it.
fn depths<'g, P: Ord + 'g>(games: impl Iterator<Item = &'g DatedGame<P>>) -> Vec<usize> {
    let mut played: BTreeMap<&P, usize> = BTreeMap::new();
    games
        .map(|game| {
            let before = game.players.iter().filter_map(|player| played.get(player)).max();
            let depth = before.copied().unwrap_or(0) + 1;
            for player in &game.players {
                played.insert(player, depth);
            }
            depth
        })
        .collect()
}

/// The beginning of each round's middle firm game.
fn anchors<P>(order: &[(usize, &DatedGame<P>)], spans: &[(usize, usize)]) -> Vec<Micros> {
    let rounds = spans.iter().map(|(_, latest)| *latest).max().unwrap_or(0);
    let mut firm: Vec<Vec<Micros>> = vec![Vec::new(); rounds];
    for ((_, game), (earliest, latest)) in order.iter().zip(spans) {
        if let Some(began) = firm.get_mut(earliest - 1).filter(|_| earliest == latest) {
            began.push(game.began);
        }
    }
    // The games are in order, and the longest chain has a firm game in every round.
    firm.iter().map(|began| began.get((began.len().max(1) - 1) / 2).copied().unwrap_or(0)).collect()
}

/// The earliest round, or a later one to which the game is at least twice as near.
fn nearest(began: Micros, earliest: usize, latest: usize, anchors: &[Micros]) -> usize {
    let distance = |round: usize| anchors.get(round - 1).map_or(u64::MAX, |anchor| anchor.abs_diff(began));
    let best = (earliest..=latest).min_by_key(|round| (distance(*round), *round)).unwrap_or(earliest);
    if distance(best).saturating_mul(2) <= distance(earliest) { best } else { earliest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(games: &[(char, char, Micros)]) -> Vec<Vec<usize>> {
        let games: Vec<DatedGame<char>> =
            games.iter().map(|(a, b, began)| DatedGame { players: [*a, *b], began: *began }).collect();
        rounds(&games).iter().map(|round| round.games.iter().map(|placed| placed.game).collect()).collect()
    }

    #[test]
    fn no_game_has_no_round() {
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn a_player_who_comes_again_begins_a_round() {
        assert_eq!(of(&[('a', 'b', 0), ('c', 'd', 1), ('a', 'c', 2), ('b', 'd', 3)]), [[0, 1], [2, 3]]);
    }

    #[test]
    fn games_may_be_given_in_any_order() {
        assert_eq!(of(&[('a', 'c', 2), ('b', 'd', 3), ('c', 'd', 1), ('a', 'b', 0)]), [[3, 2], [0, 1]]);
    }

    #[test]
    fn a_late_game_of_players_who_go_on_stays_in_its_round() {
        // c and d play their first game after a and b have begun their second.
        let games =
            [('a', 'b', 0), ('e', 'f', 1), ('a', 'e', 10), ('c', 'd', 11), ('b', 'c', 12), ('d', 'f', 13)];
        assert_eq!(of(&games), [vec![0, 1, 3], vec![2, 4, 5]]);
    }

    #[test]
    fn a_pair_that_came_only_for_the_second_round_is_placed_by_the_date() {
        let games = [('a', 'b', 0), ('c', 'd', 1), ('a', 'c', 100), ('b', 'd', 101), ('x', 'y', 100)];
        assert_eq!(of(&games), [vec![0, 1], vec![2, 4, 3]]);
    }

    #[test]
    fn rounds_that_share_no_player_fall_together() {
        assert_eq!(of(&[('a', 'b', 0), ('c', 'd', 1_000_000)]), [[0, 1]]);
    }

    #[test]
    fn times_at_the_ends_of_the_calendar_are_taken() {
        let games = [('a', 'b', Micros::MIN), ('a', 'b', Micros::MAX), ('c', 'd', 0)];
        assert_eq!(of(&games).iter().map(Vec::len).sum::<usize>(), 3);
    }
}
