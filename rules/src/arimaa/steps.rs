//! A turn in progress: the board between two steps, with what the last step left open (a push to complete, a pull
//! that may follow), and the legality of the next step.
//!
//! An enemy's step that could both follow as a pull and begin a push counts as the pull: the square it leaves may
//! then be entered by an ordinary step, so nothing is lost.

use annals_events::Side;

use super::bitboard::{self, TRAPS, squares};
use super::board::Board;
use super::illegal::Illegal;
use super::next_step::{NextStep, StepKind};
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
    Nothing,
    /// An enemy piece was pushed from this square: a stronger piece must enter it with the next step.
    Push {
        /// The square that it left.
        from: Square,
        victim: Piece,
    },
    /// An own piece left this square: a weaker enemy piece beside it may be pulled into it with the next step.
    Pull {
        /// The square that it left.
        from: Square,
        puller: Piece,
    },
}

/// The board in the middle of a turn: 48 bytes that are copied to make a step and forgotten to take it back.
///
/// Only the hash of the board itself is carried along. That of its mirror image is found from the squares that the
/// turn has changed, when it is asked for, as most of the steps that a search makes never need it.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    board: Board,
    hash: u64,
    last: NextStep,
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
            last: NextStep::NONE,
            mover: position.to_move(),
            made: 0,
        }
    }

    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Who makes the turn.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Side {
        self.mover
    }

    #[inline]
    #[must_use]
    pub const fn made(&self) -> u8 {
        self.made
    }

    /// The step that was made last.
    #[inline]
    #[must_use]
    pub const fn last(&self) -> Option<NextStep> {
        if self.made == 0 { None } else { Some(self.last) }
    }

    /// What the last step left open.
    #[inline]
    #[must_use]
    pub fn pending(&self) -> Pending {
        self.last.leaves()
    }

    /// Whether a push has begun that the next step must complete, so that the turn cannot end here.
    #[inline]
    #[must_use]
    pub fn is_push_open(&self) -> bool {
        self.last.kind() == StepKind::PushBegun
    }

    /// The hash of the board, with the side that makes the turn to move.
    #[inline]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash of the board's mirror image, with the side that makes the turn to move; `start` is the position at
    /// which the turn began.
    #[must_use]
    pub fn mirror_hash(&self, start: &Position) -> u64 {
        let to_move = if start.to_move() == self.mover { 0 } else { SILVER_TO_MOVE };
        squares(self.board.changed(start.board())).fold(start.mirror_hash() ^ to_move, |hash, square| {
            let codes = [start.board(), &self.board].map(|board| board.code_at(square));
            codes.into_iter().fold(hash, |hash, code| hash ^ zobrist::of_mirrored(code, square.index()))
        })
    }

    /// One key for the board and its mirror image, with the side that makes the turn to move, as [`Position::key`]:
    /// the smaller hash, and whether it is that of the mirror image. `start` is the position at which the turn began.
    #[must_use]
    pub fn key(&self, start: &Position) -> (u64, bool) {
        let mirror = self.mirror_hash(start);
        (self.hash.min(mirror), mirror < self.hash)
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
        if let Pending::Push { from: left, .. } = self.pending()
            && !(own && from.step(direction) == Some(left))
        {
            return Err(Illegal::PushNotCompleted { from: left });
        }
        let Some(to) = from.step(direction) else { return Err(Illegal::OffBoard { step, token }) };
        if self.board.is_taken(to) {
            return Err(Illegal::Blocked { step, token, to });
        }
        let kind = if own { self.own_step(token, direction)? } else { self.enemy_step(token, to)? };
        Ok(self.take(NextStep::new(code, from, to, kind)))
    }

    #[inline]
    fn own_step(&self, token: Token, direction: Direction) -> Result<StepKind, Illegal> {
        let step = self.made + 1;
        let (from, piece) = (token.square(), token.piece());
        if self.board.is_frozen(self.mover, piece, from) {
            return Err(Illegal::Frozen { step, token });
        }
        let back = match self.mover {
            Side::Gold => Direction::South,
            Side::Silver => Direction::North,
        };
        match self.pending() {
            Pending::Push { victim, .. } if piece <= victim => {
                Err(Illegal::PusherTooWeak { step, token, victim })
            }
            // A rabbit completes no push, so it cannot go backwards by one.
            Pending::Push { .. } => Ok(StepKind::PushCompleted),
            _ if piece == Piece::Rabbit && direction == back => Err(Illegal::RabbitBackwards { step, token }),
            _ => Ok(StepKind::Own),
        }
    }

    #[inline]
    fn enemy_step(&self, token: Token, to: Square) -> Result<StepKind, Illegal> {
        let step = self.made + 1;
        let (from, victim) = (token.square(), token.piece());
        if let Pending::Pull { from: left, puller } = self.pending()
            && left == to
            && victim < puller
        {
            return Ok(StepKind::Pulled);
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
        Ok(StepKind::PushBegun)
    }

    /// Makes a step that [`Steps::for_each_next`] or [`Steps::next_steps`] found here, and returns the capture that it
    /// causes.
    #[inline]
    pub fn take(&mut self, next: NextStep) -> Option<Token> {
        let (code, from, to) = (next.code(), next.from, next.to);
        self.board.toggle(code, from.bit() | to.bit());
        self.hash ^= zobrist::of(code, from.index()) ^ zobrist::of(code, to.index());
        self.last = next;
        self.made += 1;
        // Only friends of the piece that moved can have lost their support. That is rare enough for the branch to be
        // foreseen, which one on whether the step comes near a trap is not.
        let friends = self.board.occupied_by_code(code);
        let alone = friends & TRAPS & !bitboard::spread(friends);
        if alone == 0 { None } else { self.capture(alone) }
    }

    #[cold]
    fn capture(&mut self, alone: u64) -> Option<Token> {
        let square = squares(alone).next()?;
        let captured = self.board.code_at(square);
        self.board.toggle(captured, square.bit());
        self.hash ^= zobrist::of(captured, square.index());
        Some(Token::from_code(captured, square, Action::Capture))
    }

    /// Ends the turn.
    ///
    /// # Errors
    /// When no step was made, a push is not completed, or the board is that of the beginning. (Repetition is for
    /// those to judge who know the game.) `start` is the position at which the turn began.
    pub fn finish(&self, start: &Position) -> Result<Position, Illegal> {
        if self.made == 0 {
            return Err(Illegal::Empty);
        }
        if let Pending::Push { from, .. } = self.pending() {
            return Err(Illegal::PushNotCompleted { from });
        }
        if self.board == *start.board() {
            return Err(Illegal::Unchanged);
        }
        let hashes = [self.hash, self.mirror_hash(start)].map(|hash| hash ^ SILVER_TO_MOVE);
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
