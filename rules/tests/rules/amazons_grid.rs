//! A second, slow reading of the rules of the Amazons to compare with: a grid of letters walked square by square. It
//! shares no code with the crate and is written to be checked by eye.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// File and rank, from 0.
pub type At = (i32, i32);

/// The squares on which something stands, by file and rank.
#[derive(Debug, Clone)]
pub struct Grid {
    pub files: i32,
    pub ranks: i32,
    pub stands: BTreeMap<At, u8>,
}

const AROUND: [At; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

pub fn name((file, rank): At) -> String {
    format!("{}{}", char::from(b'a' + u8::try_from(file).unwrap()), rank + 1)
}

impl Grid {
    /// From rows separated by slashes, the last rank first.
    pub fn new(rows: &str) -> Grid {
        let rows: Vec<&[u8]> = rows.split('/').map(str::as_bytes).collect();
        let ranks = rows.len() as i32;
        let mut stands = BTreeMap::new();
        for (row, letters) in rows.iter().enumerate() {
            for (file, &letter) in letters.iter().enumerate() {
                if letter != b'.' {
                    stands.insert((file as i32, ranks - 1 - row as i32), letter);
                }
            }
        }
        Grid { files: rows[0].len() as i32, ranks, stands }
    }

    fn vacant(&self, (file, rank): At) -> bool {
        (0..self.files).contains(&file)
            && (0..self.ranks).contains(&rank)
            && !self.stands.contains_key(&(file, rank))
    }

    pub fn queens(&self, letter: u8) -> Vec<At> {
        self.stands.iter().filter(|(_, found)| **found == letter).map(|(at, _)| *at).collect()
    }

    /// The vacant squares in a straight line from a square, `vacated` counting as vacant.
    fn sees(&self, from: At, vacated: Option<At>) -> Vec<At> {
        let mut seen = Vec::new();
        for (df, dr) in AROUND {
            let mut here = (from.0 + df, from.1 + dr);
            while self.vacant(here) || vacated == Some(here) {
                seen.push(here);
                here = (here.0 + df, here.1 + dr);
            }
        }
        seen
    }

    /// All legal moves of a side, as from, to and block.
    pub fn moves(&self, letter: u8) -> BTreeSet<[At; 3]> {
        let mut moves = BTreeSet::new();
        for from in self.queens(letter) {
            for to in self.sees(from, None) {
                moves.extend(self.sees(to, Some(from)).into_iter().map(|block| [from, to, block]));
            }
        }
        moves
    }

    pub fn after(&self, [from, to, block]: [At; 3]) -> Grid {
        let mut after = self.clone();
        let queen = after.stands.remove(&from).unwrap();
        assert!(after.stands.insert(to, queen).is_none());
        assert!(after.stands.insert(block, b'x').is_none());
        after
    }

    /// How many moves each vacant square is away from a side's queens, in queen's or king's moves.
    pub fn distances(&self, letter: u8, queen: bool) -> BTreeMap<At, u32> {
        let mut known = BTreeMap::new();
        let mut front = self.queens(letter);
        let mut moves = 0;
        while !front.is_empty() {
            moves += 1;
            let mut next = Vec::new();
            for from in front {
                let near = |at: &At| (at.0 - from.0).abs() <= 1 && (at.1 - from.1).abs() <= 1;
                for at in self.sees(from, None).into_iter().filter(|at| queen || near(at)) {
                    if let Entry::Vacant(unknown) = known.entry(at) {
                        unknown.insert(moves);
                        next.push(at);
                    }
                }
            }
            front = next;
        }
        known
    }

    /// The squares that are not blocked, by what hangs together.
    pub fn regions(&self) -> Vec<BTreeSet<At>> {
        let mut rest: BTreeSet<At> = (0..self.files)
            .flat_map(|file| (0..self.ranks).map(move |rank| (file, rank)))
            .filter(|at| self.stands.get(at) != Some(&b'x'))
            .collect();
        let mut regions = Vec::new();
        while let Some(first) = rest.pop_first() {
            let (mut region, mut front) = (BTreeSet::from([first]), vec![first]);
            while let Some((file, rank)) = front.pop() {
                for (df, dr) in AROUND {
                    let next = (file + df, rank + dr);
                    if rest.remove(&next) {
                        region.insert(next);
                        front.push(next);
                    }
                }
            }
            regions.push(region);
        }
        regions
    }
}
