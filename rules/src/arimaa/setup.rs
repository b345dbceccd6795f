//! Setups: each side places its pieces on its two ranks, in one turn or piece by piece. A strict setup places all 16;
//! an archive's handicap setup may omit pieces, but is limited to the same ranks and numbers.

use annals_events::Side;

use super::bitboard::HOME;
use super::board::Board;
use super::illegal::Illegal;
use super::piece::{self, Piece};
use super::turn_text::{Action, Token, Turn, TurnKind};
use crate::game::Strictness;

/// A setup in progress.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    board: Board,
    side: Side,
    placed: u8,
}

impl Setup {
    /// On the board after the other side's setup, if any.
    #[must_use]
    pub const fn begin(board: Board, side: Side) -> Setup {
        Setup { board, side, placed: 0 }
    }

    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    #[must_use]
    pub const fn placed(&self) -> u8 {
        self.placed
    }

    /// From rabbits to elephant.
    #[must_use]
    pub fn missing(&self) -> [u32; 6] {
        Piece::ALL.map(|piece| piece.most().saturating_sub(self.board.count(self.side, piece)))
    }

    /// # Errors
    /// If the piece is the other side's or one too many, or the square is occupied or off the two ranks; then nothing
    /// changes.
    pub fn place(&mut self, token: Token) -> Result<(), Illegal> {
        let side = self.side;
        if token.action() != Action::Place {
            return Err(Illegal::SetupDue { token, side });
        }
        if token.side() != side {
            return Err(Illegal::SetupSide { token, side });
        }
        if token.square().bit() & HOME[side.index()] == 0 {
            return Err(Illegal::SetupRank { token, side });
        }
        if self.board.is_taken(token.square()) {
            return Err(Illegal::SetupTaken(token));
        }
        if self.board.count(side, token.piece()) >= token.piece().most() {
            return Err(Illegal::SetupTooMany { token });
        }
        self.board.toggle(piece::code(side, token.piece()), token.square().bit());
        self.placed += 1;
        Ok(())
    }

    /// Ends the setup.
    ///
    /// # Errors
    /// If no piece was placed, or in strict reading not all.
    pub fn finish(&self, strictness: Strictness) -> Result<Board, Illegal> {
        if self.placed == 0 {
            return Err(Illegal::Empty);
        }
        let missing = Piece::ALL.into_iter().zip(self.missing()).find(|&(_, missing)| missing > 0);
        match missing {
            Some((piece, missing)) if strictness == Strictness::Strict => {
                Err(Illegal::SetupIncomplete { side: self.side, piece, missing })
            }
            _ => Ok(self.board),
        }
    }

    /// Plays a whole setup.
    ///
    /// # Errors
    /// As its parts.
    pub fn play(board: Board, side: Side, turn: &Turn, strictness: Strictness) -> Result<Board, Illegal> {
        match turn.kind() {
            TurnKind::Setup | TurnKind::Steps => {}
            TurnKind::Empty => return Err(Illegal::Empty),
            TurnKind::Takeback => return Err(Illegal::NotOnBoard("takeback")),
            TurnKind::Resign => return Err(Illegal::NotOnBoard("resign")),
        }
        let mut setup = Setup::begin(board, side);
        for &token in turn.tokens() {
            setup.place(token)?;
        }
        setup.finish(strictness)
    }
}
