//! Sequences of turns that two games of a player share. "A player must not imitate the moves from one game
//! over to another game" (2006 Postal, Special Rules for Humans): with Gold against one opponent and Silver
//! against another, a player can make the two play each other. Each sequence has its places, length and first
//! game. Many games begin with the same turns, so this is information only.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::{Micros, Side};
use serde::Serialize;

/// The default minimum length of a sequence. The two setups are turns.
pub const LEAST: usize = 10;

/// The most turns compared per game.
const MOST: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTurn<T> {
    pub turn: T,
    pub at: Option<Micros>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame<G, T> {
    pub game: G,
    pub side: Side,
    /// From the first on, Gold and Silver alternating.
    pub turns: Vec<RecordedTurn<T>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// Successive turns of both sides.
    BothSides,
    /// Only the player's own turns.
    OwnTurns,
}

impl Compared {
    /// Plies between two turns of a sequence.
    pub const fn step(self) -> usize {
        match self {
            Compared::BothSides => 1,
            Compared::OwnTurns => 2,
        }
    }
}

/// Which game had a sequence first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstPlayed {
    /// Every turn was played here first.
    InOne,
    /// Every turn was played in the other game first.
    InOther,
    /// Some turns here first, some there, as when two opponents play each other.
    ByTurns,
    Unknown,
}

/// A maximal common sequence of two games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repeated<G> {
    pub one: G,
    pub other: G,
    pub compared: Compared,
    /// The ply of its first turn in one game, from 1.
    pub one_from: usize,
    /// The ply of its first turn in the other.
    pub other_from: usize,
    /// In turns.
    pub length: usize,
    /// It begins with the first turn of both games.
    pub from_the_start: bool,
    pub first: FirstPlayed,
}

/// All common sequences of at least `least` turns (at least one), the longest first, then by the order of the
/// games. Own turns within a reported sequence of both sides are omitted.
pub fn repeated_sequences<G: Clone, T: Ord>(games: &[RecordedGame<G, T>], least: usize) -> Vec<Repeated<G>> {
    let least = least.max(1);
    let mut found = Vec::new();
    for (i, one) in games.iter().enumerate() {
        for other in &games[i + 1..] {
            let whole = common(one, other, Compared::BothSides, least);
            let own = common(one, other, Compared::OwnTurns, least);
            found.extend(own.into_iter().filter(|own| !whole.iter().any(|whole| within(own, whole))));
            found.extend(whole);
        }
    }
    // A stable sort keeps the order of the games.
    found.sort_by_key(|repeated| (Reverse(repeated.length), repeated.compared));
    found
}

/// Whether own turns are part of a sequence of both sides at the same places.
fn within<G>(own: &Repeated<G>, whole: &Repeated<G>) -> bool {
    let end = |one: &Repeated<G>| one.one_from + (one.length - 1) * one.compared.step();
    own.one_from >= whole.one_from
        && own.one_from - whole.one_from == own.other_from.wrapping_sub(whole.other_from)
        && end(own) <= end(whole)
}

fn common<G: Clone, T: Ord>(
    one: &RecordedGame<G, T>,
    other: &RecordedGame<G, T>,
    compared: Compared,
    least: usize,
) -> Vec<Repeated<G>> {
    let plies = |game: &RecordedGame<G, T>| -> Vec<usize> {
        let first = if compared == Compared::OwnTurns { game.side.index() } else { 0 };
        (first..game.turns.len().min(MOST)).step_by(compared.step()).collect()
    };
    let (a, b) = (plies(one), plies(other));
    let mut places: BTreeMap<&T, Vec<usize>> = BTreeMap::new();
    for (j, &ply) in b.iter().enumerate() {
        places.entry(&other.turns[ply].turn).or_default().push(j);
    }
    let same = |i: usize, j: usize| one.turns[a[i]].turn == other.turns[b[j]].turn;
    let mut found = Vec::new();
    for (i, &one_ply) in a.iter().enumerate() {
        for &j in places.get(&one.turns[one_ply].turn).into_iter().flatten() {
            if i > 0 && j > 0 && same(i - 1, j - 1) {
                continue;
            }
            let length = (0..(a.len() - i).min(b.len() - j)).take_while(|&k| same(i + k, j + k)).count();
            if length < least {
                continue;
            }
            let times = (0..length).map(|k| (one.turns[a[i + k]].at, other.turns[b[j + k]].at));
            found.push(Repeated {
                one: one.game.clone(),
                other: other.game.clone(),
                compared,
                one_from: one_ply + 1,
                other_from: b[j] + 1,
                length,
                from_the_start: i == 0 && j == 0,
                first: first_played(times),
            });
        }
    }
    found
}

fn first_played(times: impl Iterator<Item = (Option<Micros>, Option<Micros>)>) -> FirstPlayed {
    let (mut in_one, mut in_other) = (true, true);
    for (one, other) in times {
        let (Some(one), Some(other)) = (one, other) else { return FirstPlayed::Unknown };
        in_one &= one < other;
        in_other &= other < one;
    }
    match (in_one, in_other) {
        (true, _) => FirstPlayed::InOne,
        (_, true) => FirstPlayed::InOther,
        _ => FirstPlayed::ByTurns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(
        game: &'static str,
        side: Side,
        turns: &str,
        times: &[i64],
    ) -> RecordedGame<&'static str, String> {
        let turns = turns.split(' ').enumerate();
        let turns = turns.map(|(i, turn)| RecordedTurn { turn: turn.to_owned(), at: times.get(i).copied() });
        RecordedGame { game, side, turns: turns.collect() }
    }

    #[test]
    fn two_opponents_made_to_play_each_other_are_found() {
        // The player is Silver in one game and Gold in the other: each opponent's turn is carried over to the other game.
        let one = recorded("one", Side::Silver, "a b c d e f x y", &[1, 4, 5, 8, 9, 12, 13, 14]);
        let two = recorded("two", Side::Gold, "a b c d e f z", &[2, 3, 6, 7, 10, 11, 15]);
        let found = repeated_sequences(&[one, two], 4);
        let expected = Repeated {
            one: "one",
            other: "two",
            compared: Compared::BothSides,
            one_from: 1,
            other_from: 1,
            length: 6,
            from_the_start: true,
            first: FirstPlayed::ByTurns,
        };
        assert_eq!(found, [expected]);
    }

    #[test]
    fn own_turns_are_found_whatever_the_opponents_answer() {
        let one = recorded("one", Side::Gold, "s p a q b r c t d", &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let two = recorded("two", Side::Gold, "u v w k a l b m c n e", &(20..31).collect::<Vec<_>>());
        let three = recorded("three", Side::Silver, "g a h b i c", &[]);
        let found = repeated_sequences(&[one, two, three], 3);
        let short: Vec<_> =
            found.iter().map(|one| (one.one, one.other, one.one_from, one.other_from, one.first)).collect();
        assert_eq!(
            short,
            [
                ("one", "two", 3, 5, FirstPlayed::InOne),
                ("one", "three", 3, 2, FirstPlayed::Unknown),
                ("two", "three", 5, 2, FirstPlayed::Unknown),
            ]
        );
        let own =
            |one: &Repeated<_>| one.compared == Compared::OwnTurns && one.length == 3 && !one.from_the_start;
        assert!(found.iter().all(own));
    }

    #[test]
    fn every_common_run_of_small_games_is_reported_once() {
        // All pairs of games with four turns, each of two values.
        let texts: Vec<Vec<u32>> = (0..16).map(|bits| (0..4).map(|at| bits >> at & 1).collect()).collect();
        let game = |text: &[u32]| RecordedGame {
            game: (),
            side: Side::Gold,
            turns: text.iter().map(|&turn| RecordedTurn { turn, at: None }).collect(),
        };
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            let found = repeated_sequences(&[game(a), game(b)], 2);
            let whole = found.iter().filter(|one| one.compared == Compared::BothSides);
            let mut whole: Vec<_> = whole.map(|one| (one.one_from, one.other_from, one.length)).collect();
            whole.sort_unstable();
            let mut runs = Vec::new();
            for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
                let length = (0..4 - i.max(j)).take_while(|k| a[i + k] == b[j + k]).count();
                if length >= 2 && (i == 0 || j == 0 || a[i - 1] != b[j - 1]) {
                    runs.push((i + 1, j + 1, length));
                }
            }
            assert_eq!(whole, runs, "{a:?} {b:?}");
        }
    }
}
