//! The board: queens and blocked squares. A board is always valid: everything is on its squares, at most one per
//! square.

use annals_events::Side;

use super::moves::Move;
use super::size::{Size, SizeError, ones};
use super::square::Square;
use super::zobrist;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    size: Size,
    queens: [u128; 2],
    blocks: u128,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    Queen(Side),
    Block,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    #[error("no board: {0}")]
    Size(#[from] SizeError),
    /// Rows of unequal length.
    #[error(
        "no board: rank {rank} has {found} squares, and the rank above it {expected}; all ranks are equally long"
    )]
    Uneven {
        /// From 1 at the bottom.
        rank: usize,
        found: usize,
        expected: usize,
    },
    /// A rank with a wrong number.
    #[error(
        "no board: `{found}` stands before the bar where rank {expected} is due (the last rank first, 1 last)"
    )]
    Label {
        expected: usize,
        /// The first 20 characters.
        found: String,
    },
    /// An unknown character.
    #[error(
        "no board: {square} holds {found:?}; a square is W (White), B (Black), x (a block) or `.` (vacant)"
    )]
    Letter { square: Square, found: char },
    #[error("no board: one of the brackets [ and ] is missing, or something stands outside of them")]
    Brackets,
    #[error("no board: {square} is not on a board of {size} (a1 to {})", .size.last())]
    OffBoard { square: Square, size: Size },
    #[error("no board: {0} is taken twice")]
    Twice(Square),
}

impl Board {
    /// The default start: White on a4, d1, g1 and j4, Black on a7, d10, g10 and j7.
    #[must_use]
    pub const fn start() -> Board {
        Board {
            size: Size::STANDARD,
            queens: [1 << 30 | 1 << 3 | 1 << 6 | 1 << 39, 1 << 60 | 1 << 93 | 1 << 96 | 1 << 69],
            blocks: 0,
        }
    }

    /// Any size, queens (White's, Black's) and blocks.
    ///
    /// # Errors
    /// If a square is off the board, or used twice.
    pub fn new(size: Size, queens: [&[Square]; 2], blocks: &[Square]) -> Result<Board, BoardError> {
        let mut sets = [0u128; 3];
        let mut taken = 0;
        for (set, squares) in sets.iter_mut().zip([queens[0], queens[1], blocks]) {
            for &square in squares {
                let bit = size.bit(square);
                if bit == 0 {
                    return Err(BoardError::OffBoard { square, size });
                }
                if taken & bit != 0 {
                    return Err(BoardError::Twice(square));
                }
                taken |= bit;
                *set |= bit;
            }
        }
        Ok(Board { size, queens: [sets[0], sets[1]], blocks: sets[2] })
    }

    /// From disjoint sets on the board.
    pub(super) const fn from_sets(size: Size, queens: [u128; 2], blocks: u128) -> Board {
        Board { size, queens, blocks }
    }

    #[inline]
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Bit 0 is a1, and numbers follow the ranks.
    #[inline]
    #[must_use]
    pub const fn queens(&self, side: Side) -> u128 {
        self.queens[side.index()]
    }

    #[inline]
    #[must_use]
    pub const fn blocks(&self) -> u128 {
        self.blocks
    }

    #[inline]
    #[must_use]
    pub const fn taken(&self) -> u128 {
        self.queens[0] | self.queens[1] | self.blocks
    }

    #[inline]
    #[must_use]
    pub const fn vacant(&self) -> u128 {
        self.size.all() & !self.taken()
    }

    /// None also off the board.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Content> {
        let bit = self.size.bit(square);
        if self.blocks & bit != 0 {
            return Some(Content::Block);
        }
        Side::BOTH.into_iter().find(|side| self.queens(*side) & bit != 0).map(Content::Queen)
    }

    /// Makes a legal move; a second call undoes it, since the same bits change.
    #[inline]
    pub(super) fn make(&mut self, side: Side, played: Move) {
        let size = self.size;
        self.queens[side.index()] ^= size.bit_on_board(played.from) ^ size.bit_on_board(played.to);
        self.blocks ^= size.bit_on_board(played.block);
    }

    #[must_use]
    pub fn hash(&self, to_move: Side) -> u64 {
        let turn = if to_move == Side::Silver { zobrist::BLACK_TO_MOVE } else { 0 };
        let sets = [self.queens[0], self.queens[1], self.blocks];
        sets.into_iter().enumerate().fold(turn ^ zobrist::of_size(self.size), |hash, (kind, set)| {
            ones(set).fold(hash, |hash, square| hash ^ zobrist::of(kind, square as u8))
        })
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Board({})", self.to_short())
    }
}
