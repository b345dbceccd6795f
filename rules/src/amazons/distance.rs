//! Distances of vacant squares from each side's queens in queen's and king's moves.

use annals_events::Side;

use super::board::Board;
use super::generate::with_known_size;
use super::size::{Size, Ways};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Closer {
    /// White's, Black's.
    pub sides: [u128; 2],
    /// Equally far for both.
    pub tie: u128,
    /// Unreachable.
    pub neither: u128,
}

impl Closer {
    /// White's and Black's.
    #[must_use]
    pub const fn counts(&self) -> [u32; 2] {
        [self.sides[0].count_ones(), self.sides[1].count_ones()]
    }
}

/// By rounds of one more move; a square belongs to the first side to reach it.
#[inline(always)]
fn closer(board: &Board, step: impl Fn(u128, u128) -> u128) -> Closer {
    let vacant = board.vacant();
    let mut found = Closer { neither: vacant, ..Closer::default() };
    let mut front = Side::BOTH.map(|side| board.queens(side));
    let mut unseen = [vacant; 2];
    while front != [0, 0] {
        for side in 0..2 {
            front[side] = step(front[side], vacant) & unseen[side];
            unseen[side] &= !front[side];
        }
        let [white, black] = front.map(|front| front & found.neither);
        found.sides[0] |= white & !black;
        found.sides[1] |= black & !white;
        found.tie |= white & black;
        found.neither &= !(white | black);
    }
    found
}

/// One set per distance from one side's queens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Distances {
    layers: [u128; Distances::FAR],
    unreached: u128,
}

impl Distances {
    /// The largest distance distinguished.
    pub const FAR: usize = 8;

    /// One move away, two, and so on; the last set has [`Distances::FAR`] and more.
    #[inline]
    #[must_use]
    pub const fn layers(&self) -> &[u128; Distances::FAR] {
        &self.layers
    }

    /// Unreachable vacant squares.
    #[inline]
    #[must_use]
    pub const fn unreached(&self) -> u128 {
        self.unreached
    }
}

#[inline(always)]
fn distances(queens: u128, vacant: u128, step: impl Fn(u128) -> u128) -> Distances {
    let (mut layers, mut unreached, mut front) = ([0; Distances::FAR], vacant, queens);
    for layer in &mut layers {
        front = step(front) & unreached;
        *layer = front;
        unreached &= !front;
        if front == 0 || unreached == 0 {
            return Distances { layers, unreached };
        }
    }
    while front != 0 {
        front = step(front) & unreached;
        layers[Distances::FAR - 1] |= front;
        unreached &= !front;
    }
    Distances { layers, unreached }
}

impl Board {
    #[must_use]
    pub fn queen_distances(&self, side: Side) -> Distances {
        let vacant = self.vacant();
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            distances(self.queens(side), vacant, |set| ways.one_queen_move(set, vacant))
        })
    }

    #[must_use]
    pub fn king_distances(&self, side: Side) -> Distances {
        let vacant = self.vacant();
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            distances(self.queens(side), vacant, |set| ways.one_king_move(set, vacant))
        })
    }

    #[must_use]
    pub fn closer_by_queen(&self) -> Closer {
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            closer(self, |set, vacant| ways.one_queen_move(set, vacant))
        })
    }

    #[must_use]
    pub fn closer_by_king(&self) -> Closer {
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            closer(self, |set, vacant| ways.one_king_move(set, vacant))
        })
    }
}
