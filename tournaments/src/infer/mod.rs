//! Rounds that were not recorded, inferred from the games of a tournament and their dates. What comes out is a guess with
//! its reasons, and any person who records it has to say so.
//!
//! The rule, in three steps:
//!
//! 1. A player plays at most one game in a round, and plays the rounds in order. So a game belongs to a later round than every
//!    game that either of its players began before it, and the fewest rounds that this allows are taken: as many as the
//!    longest chain of games has, each sharing a player with the next.
//! 2. That order alone leaves each game a span of rounds, from the earliest to the latest. Games with a span of one round are
//!    *firm*; every round has at least one.
//! 3. Any other game goes into the earliest round that is left to it, unless it began at least twice as near to the middle
//!    firm game of a later one: then into the nearest. A player who passed over some rounds is placed by dates in this way,
//!    while a game that was only played late stays where the order puts it.
//!
//! Where each round leaves at most one player of the field without a game, and all play their rounds in order, the
//! earliest rounds are the true ones whatever the dates, so that late games and rounds that overlap do no harm.
//!
//! What it cannot know: rounds that share no player fall together, since nothing orders them; a player who made up for an
//! earlier round after a later one is taken to have played them in that order; a game that was replayed counts as a round of
//! its own; and who had a bye, or was only away, is not to be seen from games at all.

use std::collections::BTreeMap;

use annals_events::Micros;

/// A game by what the inference looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedGame<P> {
    pub players: [P; 2],
    /// When it began. Games of one moment keep the order in which they are given.
    pub began: Micros,
}

/// A game in the round where it was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The game, by its place in the list that was given.
    pub game: usize,
    /// The earliest round, from 1, that the order of the games allows.
    pub earliest: usize,
    pub latest: usize,
}

impl Placed {
    /// Whether the order alone puts it into its round.
    pub const fn is_firm(&self) -> bool {
        self.earliest == self.latest
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InferredRound {
    /// Its games, in the order in which they began. Never empty.
    pub games: Vec<Placed>,
}

/// The rounds of these games, first to last; empty where there is no game. See the [module](self) for the rule.
///
/// A game of a player against themselves is no game of a tournament and must not be among them; here it counts as any other.
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

/// The earliest and the latest round of each game, games in the order in which they began.
fn spans<P: Ord>(order: &[(usize, &DatedGame<P>)]) -> Vec<(usize, usize)> {
    let earliest = depths(order.iter().map(|(_, game)| *game));
    let rounds = earliest.iter().max().copied().unwrap_or(0);
    let mut to_the_end = depths(order.iter().rev().map(|(_, game)| *game));
    to_the_end.reverse();
    earliest.into_iter().zip(to_the_end).map(|(early, after)| (early, rounds + 1 - after)).collect()
}

/// For each game the length of the longest chain that ends with it.
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

/// When the middle firm game of each round began.
fn anchors<P>(order: &[(usize, &DatedGame<P>)], spans: &[(usize, usize)]) -> Vec<Micros> {
    let rounds = spans.iter().map(|(_, latest)| *latest).max().unwrap_or(0);
    let mut firm: Vec<Vec<Micros>> = vec![Vec::new(); rounds];
    for ((_, game), (earliest, latest)) in order.iter().zip(spans) {
        if let Some(began) = firm.get_mut(earliest - 1).filter(|_| earliest == latest) {
            began.push(game.began);
        }
    }
    // The games come in order, and the longest chain has a firm game in every round.
    firm.iter().map(|began| began.get((began.len().max(1) - 1) / 2).copied().unwrap_or(0)).collect()
}

/// The earliest round of a span, or a later one to which the game is at least twice as near.
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
