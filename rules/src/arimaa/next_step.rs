//! All legal next steps of a turn in progress. A push counts by its first step, which moves the enemy's piece; the
//! step after it can then only be the pusher's.

use annals_events::Side;

use super::bitboard::{self, squares};
use super::board::Board;
use super::piece::{self, Piece};
use super::square::{Direction, Square};
use super::steps::{MOST_STEPS, Pending, Steps};
use super::turn_text::{Action, Token};

/// A step that was found to be legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextStep {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it enters.
    pub to: Square,
    code: u8,
    pending: Pending,
}

impl NextStep {
    /// The step as a word of a turn.
    #[must_use]
    pub fn token(&self) -> Token {
        let direction = Direction::between(self.from, self.to).unwrap_or(Direction::North);
        Token::from_code(self.code, self.from, Action::Step(direction))
    }
}

impl Steps {
    /// Hands every legal next step to `found`, as long as that says true. Whether the turn may end afterwards is
    /// [`Steps::finish`]'s to say.
    pub fn for_each_next(&self, mut found: impl FnMut(NextStep) -> bool) {
        if self.made() >= MOST_STEPS {
            return;
        }
        let board = self.board();
        let own = board.occupied(self.mover());
        if let Pending::Push { from: to, victim } = self.pending() {
            let candidates = own & board.stronger_kinds(victim) & bitboard::neighbours(to);
            for from in squares(candidates & !board.frozen(self.mover())) {
                let code = board.code_at(from);
                if !found(NextStep { from, to, code, pending: Pending::Nothing }) {
                    return;
                }
            }
            return;
        }
        let free = own & !board.frozen(self.mover());
        let empty = !board.taken();
        for from in squares(free) {
            let code = board.code_at(from);
            let Some((_, puller)) = piece::from_code(code) else { continue };
            for to in squares(board.targets(self.mover(), puller, from) & empty) {
                if !found(NextStep { from, to, code, pending: Pending::Pull { from, puller } }) {
                    return;
                }
            }
        }
        let mut pulled_into = None;
        if let Pending::Pull { from: to, puller } = self.pending() {
            pulled_into = Some((to, puller));
            for from in squares(board.weaker(self.mover().other(), puller) & bitboard::neighbours(to)) {
                let code = board.code_at(from);
                if !found(NextStep { from, to, code, pending: Pending::Nothing }) {
                    return;
                }
            }
        }
        if self.made() + 2 > MOST_STEPS {
            return;
        }
        for from in squares(board.pushable(self.mover(), free)) {
            let code = board.code_at(from);
            let Some((_, victim)) = piece::from_code(code) else { continue };
            for to in squares(bitboard::neighbours(from) & empty) {
                // The same step as a pull was handed over already.
                if pulled_into.is_some_and(|(square, puller)| square == to && victim < puller) {
                    continue;
                }
                if !found(NextStep { from, to, code, pending: Pending::Push { from, victim } }) {
                    return;
                }
            }
        }
    }

    /// Makes a step that [`Steps::for_each_next`] found, and returns the capture that it causes.
    #[inline]
    pub fn take(&mut self, next: NextStep) -> Option<Token> {
        self.make(next.code, next.from, next.to, next.pending)
    }

    /// Whether any step of an own piece, if this is the beginning of a turn, leads to a board that `wanted` accepts.
    #[inline]
    pub(super) fn any_single_step(&self, wanted: impl Fn(&Steps) -> bool) -> bool {
        let board = self.board();
        let empty = !board.taken();
        squares(board.occupied(self.mover()) & bitboard::spread(empty)).any(|from| {
            let code = board.code_at(from);
            let Some((_, piece)) = piece::from_code(code) else { return false };
            !board.is_frozen(self.mover(), piece, from)
                && squares(board.targets(self.mover(), piece, from) & empty).any(|to| {
                    let mut after = *self;
                    after.make(code, from, to, Pending::Nothing);
                    wanted(&after)
                })
        })
    }
}

impl Board {
    /// The squares beside a square to which a piece of a side and kind may step of its own accord, taken or not.
    #[inline]
    pub(super) const fn targets(&self, side: Side, piece: Piece, from: Square) -> u64 {
        let beside = bitboard::neighbours(from);
        match (piece, side) {
            (Piece::Rabbit, Side::Gold) => beside & !(from.bit() >> 8),
            (Piece::Rabbit, Side::Silver) => beside & !(from.bit() << 8),
            _ => beside,
        }
    }

    /// A side's pieces of kinds weaker than the given one.
    #[inline]
    pub(super) const fn weaker(&self, side: Side, piece: Piece) -> u64 {
        self.occupied(side) & !self.kind(piece) & !self.stronger_kinds(piece)
    }

    /// The enemy's pieces beside a stronger one of the mover's pieces in `free`.
    #[inline]
    pub(super) fn pushable(&self, mover: Side, free: u64) -> u64 {
        let enemy = self.occupied(mover.other());
        let near = enemy & bitboard::spread(free);
        if near == 0 {
            return 0;
        }
        let mut pushable = 0;
        for piece in &Piece::ALL[..5] {
            pushable |= near & self.kind(*piece) & bitboard::spread(free & self.stronger_kinds(*piece));
        }
        pushable
    }
}
