//! Repeated move sequences. "A player must not imitate the moves from one game over to another game" (2006 Postal, Special
//! Rules for Humans): whoever plays Gold against one and Silver against another can let the two play each other. What
//! two games of a player have in common is reported with its place, its length and who was first. Many games begin
//! alike; the report says so too, and judges nothing.
//!
//! Turns are compared as they are given. Whoever holds a mirrored turn to be the same turn gives both games in one
//! orientation.

use annals_events::{Micros, Side};

/// A turn with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTurn<T> {
    /// The turn, in whatever notation.
    pub turn: T,
    /// When it was played; none where that is not known.
    pub at: Option<Micros>,
}

/// A game of the player who is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame<G, T> {
    pub game: G,
    /// The side of the player who is looked at.
    pub side: Side,
    /// The turns from the first one on, Gold and Silver in turn.
    pub turns: Vec<RecordedTurn<T>>,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compared {
    /// All turns of both sides, one after the other: the game itself is carried over.
    BothSides,
    /// Only the player's own turns, whatever the opponents answered.
    OwnTurns,
}

/// Which of two games had a sequence first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FirstPlayed {
    /// Every turn was played in the one game before it was played in the other.
    InOne,
    /// Every turn was played in the other game first.
    InOther,
    /// Now here, now there: as when two opponents are made to play each other.
    ByTurns,
    Unknown,
}

/// A sequence that two games have in common and that cannot be made longer at either end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated<G> {
    pub one: G,
    pub other: G,
    pub compared: Compared,
    /// The ply of its first turn in the one game, from 1.
    pub one_from: usize,
    /// The ply of its first turn in the other game, from 1.
    pub other_from: usize,
    /// How many turns it has.
    pub length: usize,
    /// The player's sides in the two games.
    pub sides: (Side, Side),
    /// Whether it begins with the first turn of both games, as openings do.
    pub from_the_start: bool,
    pub first: FirstPlayed,
}

/// Everything of at least `least` turns (at least one) that two of the games have in common: the longest first, then in
/// the order of the games. A sequence of own turns that is part of a reported sequence of both sides is left out.
#[must_use]
pub fn repeated_sequences<G: Clone, T: PartialEq>(
    games: &[RecordedGame<G, T>],
    least: usize,
) -> Vec<Repeated<G>> {
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
    // The sort is stable: equals stay in the order of the games.
    found.sort_by_key(|repeated| (std::cmp::Reverse(repeated.length), repeated.compared));
    found
}

/// Whether a sequence of own turns lies within one of both sides, at the same shift.
fn within<G>(own: &Repeated<G>, whole: &Repeated<G>) -> bool {
    let ends = |from: usize, length: usize, step: usize| from + (length - 1) * step;
    own.one_from >= whole.one_from
        && own.one_from - whole.one_from == own.other_from.wrapping_sub(whole.other_from)
        && ends(own.one_from, own.length, 2) <= ends(whole.one_from, whole.length, 1)
}

fn common<G: Clone, T: PartialEq>(
    one: &RecordedGame<G, T>,
    other: &RecordedGame<G, T>,
    compared: Compared,
    least: usize,
) -> Vec<Repeated<G>> {
    let plies = |game: &RecordedGame<G, T>| -> Vec<usize> {
        let (first, step) = match compared {
            Compared::BothSides => (0, 1),
            Compared::OwnTurns => (game.side.index(), 2),
        };
        (first..game.turns.len()).step_by(step).collect()
    };
    let (a, b) = (plies(one), plies(other));
    let same = |i: usize, j: usize| one.turns[a[i]].turn == other.turns[b[j]].turn;
    let mut found = Vec::new();
    for (i, &one_ply) in a.iter().enumerate() {
        for (j, &other_ply) in b.iter().enumerate() {
            if !same(i, j) || (i > 0 && j > 0 && same(i - 1, j - 1)) {
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
                other_from: other_ply + 1,
                length,
                sides: (one.side, other.side),
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
