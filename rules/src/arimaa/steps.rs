//! A turn in progress: the board between two steps, with what the last step left open (a push to complete, a pull
//! that may follow), and the legality of the next step.
//!
//! An enemy's step that could both follow as a pull and begin a push counts as the pull: the square it leaves may
//! then be entered by an ordinary step, so nothing is lost.

use annals_events::Side;

use super::bitboard::{self, TRAP_ZONE, squares};
use super::board::Board;
use super::illegal::Illegal;
use super::piece::{self, Piece};
use super::position::Position;
use super::square::{Direction, Square};
use super::turn_text::{Action, Token};
use super::zobrist::{self, SILVER_TO_MOVE};

/// The most steps of a turn.
pub const MOST_STEPS: u8 = 4;

/// What the last step left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pending {
    /// Nothing.
    Nothing,
    /// An enemy piece was pushed from this square: a stronger piece must enter it with the next step.
    Push {
        /// The square that it left.
        from: Square,
        /// Its kind.
        victim: Piece,
    },
    /// An own piece left this square: a weaker enemy piece beside it may be pulled into it with the next step.
    Pull {
        /// The square that it left.
        from: Square,
        /// Its kind.
        puller: Piece,
    },
}

/// The board in the middle of a turn.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    board: Board,
    hash: u64,
    mirror_hash: u64,
    pending: Pending,
    mover: Side,
    made: u8,
}

impl Steps {
    /// The beginning of a turn.
    #[must_use]
    pub fn begin(position: &Position) -> Steps {
        Steps {
            board: *position.board(),
            hash: position.hash(),
            mirror_hash: position.mirror_hash(),
            pending: Pending::Nothing,
            mover: position.to_move(),
            made: 0,
        }
    }

    /// The board as it stands.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Who makes the turn.
    #[must_use]
    pub const fn mover(&self) -> Side {
        self.mover
    }

    /// How many steps were made.
    #[must_use]
    pub const fn made(&self) -> u8 {
        self.made
    }

    /// What the last step left open.
    #[must_use]
    pub const fn pending(&self) -> Pending {
        self.pending
    }

    /// The hash of the board, with the side that makes the turn to move.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Makes the next step, if it is legal, and returns the capture that it causes, if it causes one. (A step
    /// causes at most one: the piece that moved lands on a trap, or leaves a friend alone on the one trap that can
    /// be beside it.)
    ///
    /// # Errors
    /// When the step breaks a rule; nothing has changed then.
    #[inline]
    pub fn step(&mut self, token: Token, direction: Direction) -> Result<Option<Token>, Illegal> {
        let step = self.made + 1;
        let from = token.square();
        if self.made >= MOST_STEPS {
            return Err(Illegal::TooManySteps(token));
        }
        let code = self.board.code_at(from);
        if code != token.code() {
            return Err(Illegal::NoSuchPiece { step, token, found: piece::from_code(code) });
        }
        let own = token.side() == self.mover;
        if let Pending::Push { from: left, .. } = self.pending
            && !(own && from.step(direction) == Some(left))
        {
            return Err(Illegal::PushNotCompleted { from: left });
        }
        let Some(to) = from.step(direction) else { return Err(Illegal::OffBoard { step, token }) };
        if self.board.is_taken(to) {
            return Err(Illegal::Blocked { step, token, to });
        }
        let pending = if own { self.own_step(token, direction)? } else { self.enemy_step(token, to)? };
        Ok(self.make(code, from, to, pending))
    }

    #[inline]
    fn own_step(&self, token: Token, direction: Direction) -> Result<Pending, Illegal> {
        let step = self.made + 1;
        let (from, puller) = (token.square(), token.piece());
        if self.board.is_frozen(self.mover, puller, from) {
            return Err(Illegal::Frozen { step, token });
        }
        let back = match self.mover {
            Side::Gold => Direction::South,
            Side::Silver => Direction::North,
        };
        match self.pending {
            Pending::Push { victim, .. } if puller <= victim => {
                Err(Illegal::PusherTooWeak { step, token, victim })
            }
            // The step that completes a push pulls nothing. A rabbit pushes nothing either.
            Pending::Push { .. } => Ok(Pending::Nothing),
            _ if puller == Piece::Rabbit && direction == back => {
                Err(Illegal::RabbitBackwards { step, token })
            }
            _ => Ok(Pending::Pull { from, puller }),
        }
    }

    #[inline]
    fn enemy_step(&self, token: Token, to: Square) -> Result<Pending, Illegal> {
        let step = self.made + 1;
        let (from, victim) = (token.square(), token.piece());
        if let Pending::Pull { from: left, puller } = self.pending
            && left == to
            && victim < puller
        {
            return Ok(Pending::Nothing);
        }
        let pushers =
            self.board.occupied(self.mover) & self.board.stronger_kinds(victim) & bitboard::neighbours(from);
        if pushers == 0 {
            return Err(Illegal::NotDisplaced { step, token });
        }
        let frozen = |square: Square| {
            self.board.piece_at(square).is_none_or(|(_, kind)| self.board.is_frozen(self.mover, kind, square))
        };
        if squares(pushers).all(frozen) {
            return Err(Illegal::PusherFrozen { step, token });
        }
        if step == MOST_STEPS {
            return Err(Illegal::PushNotCompleted { from });
        }
        Ok(Pending::Push { from, victim })
    }

    /// Makes a step that is known to be legal.
    #[inline]
    pub(super) fn make(&mut self, code: u8, from: Square, to: Square, pending: Pending) -> Option<Token> {
        self.board.toggle(code, from.bit() | to.bit());
        self.hash ^= zobrist::of(code, from.index()) ^ zobrist::of(code, to.index());
        self.mirror_hash ^= zobrist::of_mirrored(code, from.index()) ^ zobrist::of_mirrored(code, to.index());
        self.pending = pending;
        self.made += 1;
        if (from.bit() | to.bit()) & TRAP_ZONE == 0 {
            return None;
        }
        let square = squares(self.board.unsupported()).next()?;
        let captured = self.board.code_at(square);
        self.board.toggle(captured, square.bit());
        self.hash ^= zobrist::of(captured, square.index());
        self.mirror_hash ^= zobrist::of_mirrored(captured, square.index());
        Some(Token::from_code(captured, square, Action::Capture))
    }

    /// Ends the turn.
    ///
    /// # Errors
    /// When no step was made, a push is not completed, or the board is that of the beginning. (Repetition is for
    /// those to judge who know the game.)
    pub fn finish(&self, start: &Position) -> Result<Position, Illegal> {
        if self.made == 0 {
            return Err(Illegal::Empty);
        }
        if let Pending::Push { from, .. } = self.pending {
            return Err(Illegal::PushNotCompleted { from });
        }
        if self.board == *start.board() {
            return Err(Illegal::Unchanged);
        }
        let hashes = [self.hash ^ SILVER_TO_MOVE, self.mirror_hash ^ SILVER_TO_MOVE];
        Ok(Position::with_hashes(self.board, self.mover.other(), hashes))
    }
}

impl Board {
    /// Whether a piece of that side and kind on that square is frozen.
    #[inline]
    pub(super) const fn is_frozen(&self, side: Side, piece: Piece, square: Square) -> bool {
        let beside = bitboard::neighbours(square);
        beside & self.occupied(side) == 0
            && beside & self.occupied(side.other()) & self.stronger_kinds(piece) != 0
    }
}
