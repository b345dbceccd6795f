//! A position: board, side to move, incremental hash.

use annals_events::Side;

use super::board::Board;
use super::moves::Move;
use super::zobrist::{self, BLACK_TO_MOVE, BLOCK};

#[derive(Debug, Clone, Copy)]
pub struct Position {
    board: Board,
    hash: u64,
    to_move: Side,
}

crate::position::common!();

impl Position {
    /// White to move.
    #[must_use]
    pub fn start() -> Position {
        Position::new(Board::start(), Side::Gold)
    }

    #[must_use]
    pub fn new(board: Board, to_move: Side) -> Position {
        Position { board, hash: board.hash(to_move), to_move }
    }

    /// The hash difference of a move, made or undone.
    #[inline]
    fn change(&self, side: Side, played: Move) -> u64 {
        let (size, queen) = (self.board.size(), side.index());
        zobrist::of(queen, size.index(played.from))
            ^ zobrist::of(queen, size.index(played.to))
            ^ zobrist::of(BLOCK, size.index(played.block))
            ^ BLACK_TO_MOVE
    }

    /// For moves known to be legal; otherwise use [`Position::play`].
    #[inline]
    pub fn make(&mut self, played: Move) {
        self.hash ^= self.change(self.to_move, played);
        self.board.make(self.to_move, played);
        self.to_move = self.to_move.other();
    }

    #[inline]
    pub fn unmake(&mut self, played: Move) {
        self.to_move = self.to_move.other();
        self.board.make(self.to_move, played);
        self.hash ^= self.change(self.to_move, played);
    }
}
