//! A turn in progress: the board between steps, what the last step left open (a push to complete, a possible pull), and
//! the legality of the next step. An enemy's step that could be a pull or begin a push counts as the pull; the square
//! that it leaves can still be entered by an ordinary step.

use annals_events::Side;

use super::bitboard::{self, TRAPS, squares};
use super::board::Board;
use super::illegal::Illegal;
use super::next_step::{NextStep, Pending, StepKind};
use super::piece::{self, Piece};
use super::position::Position;
use super::square::{Direction, Square};
use super::turn_text::{Action, Token};
use super::zobrist::{self, SILVER_TO_MOVE};

pub const MOST_STEPS: u8 = 4;

/// The board in mid-turn: 48 bytes, copied to make a step. Only the board's own hash is incremental; that of the mirror
/// image, which a search rarely needs, is computed from the changed squares.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    board: Board,
    hash: u64,
    last: NextStep,
    mover: Side,
    made: u8,
}

impl Steps {
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

    #[inline]
    #[must_use]
    pub const fn last(&self) -> Option<NextStep> {
        if self.made == 0 { None } else { Some(self.last) }
    }

    #[inline]
    #[must_use]
    pub fn pending(&self) -> Pending {
        self.last.leaves()
    }

    /// The next step must complete a push.
    #[inline]
    #[must_use]
    pub fn is_push_open(&self) -> bool {
        self.last.kind() == StepKind::PushBegun
    }

    /// With the side that makes the turn to move.
    #[inline]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Of the mirror image; `start` is the position at which the turn began.
    #[must_use]
    pub fn mirror_hash(&self, start: &Position) -> u64 {
        let to_move = if start.to_move() == self.mover { 0 } else { SILVER_TO_MOVE };
        squares(self.board.changed(start.board())).fold(start.mirror_hash() ^ to_move, |hash, square| {
            let codes = [start.board(), &self.board].map(|board| board.code_at(square));
            codes.into_iter().fold(hash, |hash, code| hash ^ zobrist::of_mirrored(code, square.index()))
        })
    }

    /// As [`Position::key`], with the side that makes the turn to move; `start` is the position at which the turn
    /// began.
    #[must_use]
    pub fn key(&self, start: &Position) -> (u64, bool) {
        let mirror = self.mirror_hash(start);
        (self.hash.min(mirror), mirror < self.hash)
    }

    /// Makes the next step and returns its capture. (At most one: the moved piece is on a trap, or left a friend alone
    /// on the one adjacent trap.)
    ///
    /// # Errors
    /// If the step breaks a rule; then nothing changes.
    #[inline]
    pub fn step(&mut self, token: Token, direction: Direction) -> Result<Option<Token>, Illegal> {
        Ok(self.take(self.legal(token, direction)?))
    }

    /// The step between two squares, if it is legal now.
    #[inline]
    #[must_use]
    pub fn next_step(&self, from: Square, to: Square) -> Option<NextStep> {
        let direction = Direction::between(from, to)?;
        let (side, piece) = self.board.piece_at(from)?;
        self.legal(Token::new(side, piece, from, Action::Step(direction)), direction).ok()
    }

    #[inline]
    fn legal(&self, token: Token, direction: Direction) -> Result<NextStep, Illegal> {
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
        Ok(NextStep::new(code, from, to, kind))
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
            // A rabbit cannot complete a push, so not backwards either.
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

    /// Makes a step found by [`Steps::for_each_next`] or [`Steps::next_steps`], and returns its capture.
    #[inline]
    pub fn take(&mut self, next: NextStep) -> Option<Token> {
        let (code, from, to) = (next.code(), next.from, next.to);
        self.board.toggle(code, from.bit() | to.bit());
        self.hash ^= zobrist::of(code, from.index()) ^ zobrist::of(code, to.index());
        self.last = next;
        self.made += 1;
        // Only friends of the moved piece can lose support: rare enough for branch prediction, unlike a test for nearby
        // traps.
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

    /// Ends the turn. `start` is the position at which it began; repetition is checked elsewhere.
    ///
    /// # Errors
    /// If there was no step, a push is not completed, or the board is unchanged.
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
    /// Whether such a piece would be frozen.
    #[inline]
    pub(super) const fn is_frozen(&self, side: Side, piece: Piece, square: Square) -> bool {
        let beside = bitboard::neighbours(square);
        beside & self.occupied(side) == 0
            && beside & self.occupied(side.other()) & self.stronger_kinds(piece) != 0
    }
}
