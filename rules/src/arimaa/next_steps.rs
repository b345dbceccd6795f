//! All legal next steps within a turn. A push is two steps: the enemy piece's, then the pusher's.
//!
//! ```
//! use annals_rules::arimaa::{NextSteps, Position, StepKind, Steps};
//!
//! let start: Position = "g [........................................r.......E.......R......R]".parse().unwrap();
//! let turn = Steps::begin(&start);
//! let mut list = NextSteps::new();
//! turn.next_steps(&mut list);
//! let pushes = list.iter().filter(|step| step.kind() == StepKind::PushBegun);
//! assert_eq!(pushes.map(|step| step.token().to_string()).collect::<Vec<_>>(), ["ra3n", "ra3e"]);
//! for step in &list {
//!     let mut after = turn;
//!     after.take(*step);
//!     assert_eq!(after.hash(), after.board().hash(after.mover()));
//! }
//! ```

use std::fmt;

use annals_events::Side;

use super::bitboard::{self, squares};
use super::board::Board;
use super::next_step::{NextStep, Pending, StepKind};
use super::piece::{self, Piece};
use super::square::{Direction, Square};
use super::steps::{MOST_STEPS, Steps};

/// A reusable list of next steps without heap.
#[derive(Clone)]
pub struct NextSteps {
    steps: [NextStep; NextSteps::CAPACITY],
    len: usize,
}

impl NextSteps {
    /// The maximum: 32 pieces, four directions, at most one step each.
    pub const CAPACITY: usize = 128;

    #[must_use]
    pub const fn new() -> NextSteps {
        NextSteps { steps: [NextStep::NONE; NextSteps::CAPACITY], len: 0 }
    }

    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[NextStep] {
        self.steps.get(..self.len).unwrap_or(&self.steps)
    }

    #[inline]
    fn push(&mut self, step: NextStep) {
        if let Some(slot) = self.steps.get_mut(self.len) {
            *slot = step;
            self.len += 1;
        }
    }
}

impl Default for NextSteps {
    fn default() -> NextSteps {
        NextSteps::new()
    }
}

impl std::ops::Deref for NextSteps {
    type Target = [NextStep];

    #[inline]
    fn deref(&self) -> &[NextStep] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a NextSteps {
    type Item = &'a NextStep;
    type IntoIter = std::slice::Iter<'a, NextStep>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl fmt::Debug for NextSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(NextStep::token)).finish()
    }
}

/// A direction as a rotation of the word, with the squares from which it stays on the board.
struct Way {
    turn: u32,
    from: u64,
}

const WAYS: [Way; 4] = {
    let mut ways = [const { Way { turn: 0, from: 0 } }; 4];
    let mut i = 0;
    while i < 4 {
        let direction = Direction::ALL[i];
        ways[i] = Way {
            turn: match direction {
                Direction::North => 8,
                Direction::East => 1,
                Direction::South => 56,
                Direction::West => 63,
            },
            from: bitboard::shift(!0, direction.opposite()),
        };
        i += 1;
    }
    ways
};

impl Steps {
    /// Calls `found` with legal next steps until it returns false, by direction (north, east, south, west) from a1.
    /// [`Steps::finish`] decides whether the turn may end afterwards.
    #[inline]
    pub fn for_each_next(&self, mut found: impl FnMut(NextStep) -> bool) {
        if self.made() >= MOST_STEPS {
            return;
        }
        let board = self.board();
        let own = board.occupied(self.mover());
        let free = own & !board.frozen(self.mover());
        let (mut pullable, mut pulled_into) = (0, 0);
        match self.pending() {
            Pending::Push { from: to, victim } => {
                for from in squares(free & board.stronger_kinds(victim) & bitboard::neighbours(to)) {
                    if !found(NextStep::new(board.code_at(from), from, to, StepKind::PushCompleted)) {
                        return;
                    }
                }
                return;
            }
            Pending::Pull { from: to, puller } => {
                pulled_into = to.bit();
                pullable = board.weaker(self.mover().other(), puller) & bitboard::neighbours(to);
            }
            Pending::Nothing => {}
        }
        let pushable = if self.made() + 2 > MOST_STEPS { 0 } else { board.pushable(self.mover(), free) };
        let empty = !board.taken();
        let rabbits = board.kind(Piece::Rabbit) & own;
        let back = match self.mover() {
            Side::Gold => 2,
            Side::Silver => 0,
        };
        // One loop per direction: short loops per piece would be mispredicted.
        for (i, way) in WAYS.iter().enumerate() {
            let stepping = if i == back { free & !rabbits } else { free };
            // A step that is both a pull and the beginning of a push counts as the pull.
            let pulled = pullable & pulled_into.rotate_right(way.turn);
            let pushed = pushable & !pulled;
            let before_empty = empty.rotate_right(way.turn) & way.from;
            for from in squares((stepping | pulled | pushed) & before_empty) {
                let to = Square::masked(from.index() + way.turn as u8);
                let kind = match (from.bit() & own != 0, from.bit() & pulled != 0) {
                    (true, _) => StepKind::Own,
                    (false, true) => StepKind::Pulled,
                    (false, false) => StepKind::PushBegun,
                };
                if !found(NextStep::new(board.code_at(from), from, to, kind)) {
                    return;
                }
            }
        }
    }

    /// In the order of [`Steps::for_each_next`].
    #[inline]
    pub fn next_steps(&self, list: &mut NextSteps) {
        list.len = 0;
        self.for_each_next(|next| {
            list.push(next);
            true
        });
    }

    /// Whether an own step at the beginning of a turn leads to a `wanted` board.
    #[inline]
    pub(super) fn any_single_step(&self, wanted: impl Fn(&Steps) -> bool) -> bool {
        let board = self.board();
        let empty = !board.taken();
        squares(board.occupied(self.mover()) & bitboard::spread(empty)).any(|from| {
            let code = board.code_at(from);
            let piece = piece::of_code(code);
            !board.is_frozen(self.mover(), piece, from)
                && squares(board.targets(self.mover(), piece, from) & empty).any(|to| {
                    let mut after = *self;
                    after.take(NextStep::new(code, from, to, StepKind::Own));
                    wanted(&after)
                })
        })
    }
}

impl Board {
    /// Squares next to `from` to which such a piece may step, occupied or not.
    #[inline]
    pub(super) const fn targets(&self, side: Side, piece: Piece, from: Square) -> u64 {
        let beside = bitboard::neighbours(from);
        match (piece, side) {
            (Piece::Rabbit, Side::Gold) => beside & !(from.bit() >> 8),
            (Piece::Rabbit, Side::Silver) => beside & !(from.bit() << 8),
            _ => beside,
        }
    }

    /// Of a side.
    #[inline]
    pub(super) const fn weaker(&self, side: Side, piece: Piece) -> u64 {
        self.occupied(side) & !self.kind(piece) & !self.stronger_kinds(piece)
    }

    /// Enemies next to a stronger `free` piece of the mover.
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
