//! A second, slow reading of the rules to compare with: a grid of letters, one step after the other, every sequence
//! tried. It shares no code with the crate and is written to be checked by eye.

use std::collections::{BTreeSet, HashSet};

/// The letters of the 64 squares, `grid[rank][file]` from a1, `.` where empty.
pub type Grid = [[u8; 8]; 8];

/// A turn in progress.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mailbox {
    grid: Grid,
    gold: bool,
    made: usize,
    /// A push was begun from here, of a piece this strong.
    must_enter: Option<(usize, usize, usize)>,
    /// An own piece this strong has just left this square.
    may_follow: Option<(usize, usize, usize)>,
}

const AROUND: [(i32, i32, char); 4] = [(0, 1, 'n'), (1, 0, 'e'), (0, -1, 's'), (-1, 0, 'w')];

fn strength(letter: u8) -> usize {
    b"rcdhme".iter().position(|&l| l == letter.to_ascii_lowercase()).unwrap()
}

fn is_gold(letter: u8) -> bool {
    letter.is_ascii_uppercase()
}

/// The squares beside a square, with the direction.
fn beside(file: usize, rank: usize) -> impl Iterator<Item = (usize, usize, char)> {
    AROUND.into_iter().filter_map(move |(df, dr, name)| {
        let (f, r) = (file as i32 + df, rank as i32 + dr);
        ((0..8).contains(&f) && (0..8).contains(&r)).then_some((f as usize, r as usize, name))
    })
}

impl Mailbox {
    /// The beginning of a turn on the board of a short text.
    pub fn new(short: &str, gold: bool) -> Mailbox {
        let mut grid = [[b'.'; 8]; 8];
        for (i, letter) in short.bytes().enumerate() {
            grid[7 - i / 8][i % 8] = letter;
        }
        Mailbox { grid, gold, made: 0, must_enter: None, may_follow: None }
    }

    /// The board as a short text.
    pub fn short(&self) -> String {
        self.grid.iter().rev().flatten().map(|&letter| letter as char).collect()
    }

    fn at(&self, file: usize, rank: usize) -> Option<u8> {
        Some(self.grid[rank][file]).filter(|&letter| letter != b'.')
    }

    fn has_friend(&self, file: usize, rank: usize, gold: bool) -> bool {
        beside(file, rank).any(|(f, r, _)| self.at(f, r).is_some_and(|l| is_gold(l) == gold))
    }

    fn frozen(&self, file: usize, rank: usize) -> bool {
        let letter = self.at(file, rank).unwrap();
        let menaced = beside(file, rank).any(|(f, r, _)| {
            self.at(f, r).is_some_and(|l| is_gold(l) != is_gold(letter) && strength(l) > strength(letter))
        });
        menaced && !self.has_friend(file, rank, is_gold(letter))
    }

    /// Moves a piece and removes what is captured; the words of the notation for both.
    fn moved(&self, from: (usize, usize), to: (usize, usize), way: char) -> (Mailbox, String) {
        let mut next = self.clone();
        let name = |file: usize, rank: usize| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
        let letter = self.grid[from.1][from.0];
        next.grid[from.1][from.0] = b'.';
        next.grid[to.1][to.0] = letter;
        next.made += 1;
        next.must_enter = None;
        next.may_follow = None;
        let mut words = format!("{}{}{way}", letter as char, name(from.0, from.1));
        for (file, rank) in [(2, 2), (5, 2), (2, 5), (5, 5)] {
            if let Some(l) = next.at(file, rank)
                && !next.has_friend(file, rank, is_gold(l))
            {
                next.grid[rank][file] = b'.';
                words.push_str(&format!(" {}{}x", l as char, name(file, rank)));
            }
        }
        (next, words)
    }

    /// Every legal next step: its words, and what stands after it.
    pub fn next(&self) -> Vec<(String, Mailbox)> {
        let mut found = Vec::new();
        if self.made == 4 {
            return found;
        }
        for rank in 0..8 {
            for file in 0..8 {
                let Some(letter) = self.at(file, rank) else { continue };
                for (f, r, way) in beside(file, rank) {
                    if self.at(f, r).is_none()
                        && let Some(next) = self.step(letter, (file, rank), (f, r), way)
                    {
                        found.push(next);
                    }
                }
            }
        }
        found
    }

    fn step(
        &self,
        letter: u8,
        from: (usize, usize),
        to: (usize, usize),
        way: char,
    ) -> Option<(String, Mailbox)> {
        let (mut next, words) = self.moved(from, to, way);
        let power = strength(letter);
        if is_gold(letter) == self.gold {
            if self.frozen(from.0, from.1) {
                return None;
            }
            if let Some((file, rank, victim)) = self.must_enter {
                return ((file, rank) == to && power > victim).then_some((words, next));
            }
            let backwards = if self.gold { 's' } else { 'n' };
            if power == 0 && way == backwards {
                return None;
            }
            next.may_follow = Some((from.0, from.1, power));
            return Some((words, next));
        }
        if self.must_enter.is_some() {
            return None;
        }
        if let Some((file, rank, puller)) = self.may_follow
            && (file, rank) == to
            && puller > power
        {
            return Some((words, next));
        }
        let pushed = beside(from.0, from.1).any(|(f, r, _)| {
            self.at(f, r)
                .is_some_and(|l| is_gold(l) == self.gold && strength(l) > power && !self.frozen(f, r))
        });
        if !pushed || self.made > 2 {
            return None;
        }
        next.must_enter = Some((from.0, from.1, power));
        Some((words, next))
    }

    /// Whether the turn may end here, given the board at its beginning.
    pub fn may_end(&self, start: &Mailbox) -> bool {
        self.made > 0 && self.must_enter.is_none() && self.grid != start.grid
    }

    /// All boards that one turn can lead to.
    pub fn ends(&self) -> BTreeSet<String> {
        let mut ends = BTreeSet::new();
        let mut states = HashSet::from([self.clone()]);
        for _ in 0..4 {
            states = states.iter().flat_map(Mailbox::next).map(|(_, next)| next).collect();
            ends.extend(states.iter().filter(|state| state.may_end(self)).map(Mailbox::short));
        }
        ends
    }

    /// Plays the steps of a turn, captures left out: the turn with its captures, and what stands after it; none where
    /// a step is not legal or the turn may not end.
    pub fn play<'a>(&self, steps: impl Iterator<Item = &'a str>) -> Option<(String, Mailbox)> {
        let mut state = self.clone();
        let mut turn = Vec::new();
        for step in steps {
            let (words, next) =
                state.next().into_iter().find(|(words, _)| words.split(' ').next() == Some(step))?;
            turn.push(words);
            state = next;
        }
        state.may_end(self).then(|| (turn.join(" "), state))
    }
}
