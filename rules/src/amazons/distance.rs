//! How far the vacant squares are from the queens of either side, in queen's moves and in king's moves: one side's
//! distances, and who is closer to how many.

use annals_events::Side;

use super::board::Board;
use super::generate::with_known_size;
use super::size::{Size, Ways};

/// The vacant squares by who needs fewer moves to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Closer {
    /// Those to which White's and Black's queens are closer.
    pub sides: [u128; 2],
    /// Those that are equally far for both.
    pub tie: u128,
    /// Those that nobody reaches.
    pub neither: u128,
}

impl Closer {
    /// How many squares each side is closer to: White's and Black's.
    #[must_use]
    pub const fn counts(&self) -> [u32; 2] {
        [self.sides[0].count_ones(), self.sides[1].count_ones()]
    }
}

/// In rounds: what either side reaches with one move more. A square belongs to whom it is new to first.
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

/// How far the vacant squares are from the queens of one side: a set for each number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Distances {
    layers: [u128; Distances::FAR],
    unreached: u128,
}

impl Distances {
    /// Distances are told apart up to this one: what takes so many moves or more is equally far.
    pub const FAR: usize = 8;

    /// The squares by distance: those one move away, those two moves away, and so on; the last set holds all that are
    /// [`Distances::FAR`] moves away or more.
    #[inline]
    #[must_use]
    pub const fn layers(&self) -> &[u128; Distances::FAR] {
        &self.layers
    }

    /// The vacant squares that are not reached with any number of moves.
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
    /// How far the vacant squares are from a side's queens in moves of a queen.
    #[must_use]
    pub fn queen_distances(&self, side: Side) -> Distances {
        let vacant = self.vacant();
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            distances(self.queens(side), vacant, |set| ways.one_queen_move(set, vacant))
        })
    }

    /// How far the vacant squares are from a side's queens in moves of a king.
    #[must_use]
    pub fn king_distances(&self, side: Side) -> Distances {
        let vacant = self.vacant();
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            distances(self.queens(side), vacant, |set| ways.one_king_move(set, vacant))
        })
    }

    /// Who is closer to which vacant square in moves of a queen.
    #[must_use]
    pub fn closer_by_queen(&self) -> Closer {
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            closer(self, |set, vacant| ways.one_queen_move(set, vacant))
        })
    }

    /// Who is closer to which vacant square in moves of a king.
    #[must_use]
    pub fn closer_by_king(&self) -> Closer {
        with_known_size!(self.size(), |size: Size| {
            let ways = Ways::of(size);
            closer(self, |set, vacant| ways.one_king_move(set, vacant))
        })
    }
}
