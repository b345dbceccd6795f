//! A position: board, side to move, incremental hashes of itself and its mirror image.

use annals_events::Side;

use super::board::Board;
use super::zobrist::SILVER_TO_MOVE;

/// Without the game's history.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    board: Board,
    hash: u64,
    mirror_hash: u64,
    to_move: Side,
}

crate::position::common!();

impl Position {
    #[must_use]
    pub fn new(board: Board, to_move: Side) -> Position {
        let [hash, mirror_hash] = board.hashes(to_move);
        Position { board, hash, mirror_hash, to_move }
    }

    /// With known hashes.
    #[inline]
    pub(super) const fn with_hashes(board: Board, to_move: Side, hashes: [u64; 2]) -> Position {
        Position { board, hash: hashes[0], mirror_hash: hashes[1], to_move }
    }

    #[inline]
    #[must_use]
    pub const fn mirror_hash(&self) -> u64 {
        self.mirror_hash
    }

    /// As [`Board::key`]: the smaller hash, and whether it is the mirror image's.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> (u64, bool) {
        if self.mirror_hash < self.hash { (self.mirror_hash, true) } else { (self.hash, false) }
    }

    /// The other side to move, as after a pass.
    #[must_use]
    pub const fn passed(&self) -> Position {
        Position {
            board: self.board,
            hash: self.hash ^ SILVER_TO_MOVE,
            mirror_hash: self.mirror_hash ^ SILVER_TO_MOVE,
            to_move: self.to_move.other(),
        }
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        Position {
            board: self.board.mirrored(),
            hash: self.mirror_hash,
            mirror_hash: self.hash,
            to_move: self.to_move,
        }
    }

    /// Turned by 180 degrees with colours and side to move exchanged.
    #[must_use]
    pub fn rotated(&self) -> Position {
        Position::new(self.board.rotated(), self.to_move.other())
    }

    /// With Gold to move, on the wing with the smaller hash: one representative of up to four equal positions. Also
    /// whether it was rotated, then mirrored.
    #[must_use]
    pub fn normalized(&self) -> (Position, bool, bool) {
        let rotated = self.to_move == Side::Silver;
        let gold = if rotated { self.rotated() } else { *self };
        let (_, mirrored) = gold.key();
        (if mirrored { gold.mirrored() } else { gold }, rotated, mirrored)
    }
}
