//! How far the vacant squares are from the queens of either side, in queen's moves and in king's moves: who is closer
//! to how many.

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

impl Board {
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
