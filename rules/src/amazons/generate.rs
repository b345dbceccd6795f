//! Legal moves. Visible squares are found by rays: on a ray with rising numbers, those below the lowest occupied bit.
//! The other four rays are the same on the reversed board.

use annals_events::Side;

use super::board::Board;
use super::moves::Move;
use super::position::Position;
use super::size::{Rays, Size, Ways, members, ones};
use super::square::Square;

/// Before the first occupied square.
#[inline(always)]
fn before(ray: u128, taken: u128) -> u128 {
    let stops = ray & taken;
    ray & stops.wrapping_sub(1) & !stops
}

/// Of each rising ray, the squares before the first occupied one.
#[inline(always)]
fn free(rays: &Rays, taken: u128) -> u128 {
    // Up to the first occupied square, and the occupied ones beyond it.
    let near = |ray: u128| ray & (ray & taken).wrapping_sub(1);
    (near(rays[0]) | near(rays[1]) | near(rays[2]) | near(rays[3])) & !taken
}

/// Occupied squares from both corners.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    size: Size,
    last: usize,
    pub(super) ahead: u128,
    pub(super) behind: u128,
}

impl Taken {
    #[inline(always)]
    pub(super) fn of(size: Size, taken: u128) -> Taken {
        Taken { size, last: usize::from(size.count() - 1), ahead: taken, behind: size.reversed(taken) }
    }

    /// Without this square.
    #[inline(always)]
    fn without(self, square: usize) -> Taken {
        let (here, there) = (1u128 << (square & 127), 1u128 << ((self.last - square) & 127));
        Taken { ahead: self.ahead & !here, behind: self.behind & !there, ..self }
    }

    /// Squares visible from a square, those behind it from the opposite corner.
    #[inline(always)]
    fn seen_both(&self, square: usize) -> (u128, u128) {
        let (ahead, behind) = (self.size.rays(square), self.size.rays(self.last - square));
        (free(&ahead, self.ahead), free(&behind, self.behind))
    }

    /// Squares visible from a queen's square, and the number of moves with a shot straight back to or beyond it.
    #[inline(always)]
    pub(super) fn seen_and_pairs(&self, square: usize) -> (u128, u32) {
        let (ahead, behind) = (self.size.rays(square), self.size.rays(self.last - square));
        let (mut there, mut back, mut pairs) = (0, 0, 0);
        for (ahead, behind) in ahead.into_iter().zip(behind) {
            let (one, other) = (before(ahead, self.ahead), before(behind, self.behind));
            if one != 0 && other != 0 {
                pairs += 2 * members(one) * members(other);
            }
            there |= one;
            back |= other;
        }
        let seen = there | self.size.reversed(back);
        (seen, pairs + members(seen))
    }

    #[inline(always)]
    pub(super) fn seen(&self, square: usize) -> u128 {
        let (ahead, behind) = self.seen_both(square);
        ahead | self.size.reversed(behind)
    }
}

/// Runs the body with common sizes as constants, so that shifts and tables are known.
macro_rules! with_known_size {
    ($size:expr, $run:expr) => {{
        let size: Size = $size;
        if size == Size::STANDARD { $run(Size::STANDARD) } else { $run(size) }
    }};
}
pub(super) use with_known_size;

#[inline(always)]
fn each_move(size: Size, board: &Board, side: Side, visit: &mut impl FnMut(Move)) {
    let squares = size.by_number();
    let all = Taken::of(size, board.taken());
    let can_move = Ways::of(size).beside(board.vacant()) & board.queens(side);
    for from in ones(can_move) {
        let taken = all.without(from);
        for to in ones(taken.seen(from)) {
            let (ahead, behind) = taken.seen_both(to);
            let (from, to) = (squares[from & 127], squares[to & 127]);
            ones(ahead).for_each(|block| visit(Move { from, to, block: squares[block & 127] }));
            ones(behind).for_each(|block| {
                visit(Move { from, to, block: squares[taken.last.wrapping_sub(block) & 127] });
            });
        }
    }
}

impl Board {
    /// In an order that depends on the board only.
    #[inline]
    pub fn for_each_move(&self, side: Side, mut visit: impl FnMut(Move)) {
        with_known_size!(self.size(), |size| each_move(size, self, side, &mut visit));
    }

    #[must_use]
    pub fn moves(&self, side: Side) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_move(side, |played| moves.push(played));
        moves
    }

    /// None off the board.
    #[inline]
    #[must_use]
    pub fn seen(&self, from: Square) -> u128 {
        if !self.size().has(from) {
            return 0;
        }
        with_known_size!(self.size(), |size: Size| {
            Taken::of(size, self.taken()).seen(usize::from(size.index(from)))
        })
    }

    /// After a move known to be legal.
    #[inline]
    #[must_use]
    pub fn after(&self, side: Side, played: Move) -> Board {
        let mut after = *self;
        after.make(side, played);
        after
    }

    /// A queen next to a vacant square can shoot back to its own.
    #[must_use]
    pub fn can_move(&self, side: Side) -> bool {
        Ways::of(self.size()).beside(self.queens(side)) & self.vacant() != 0
    }
}

impl Position {
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        self.board().moves(self.to_move())
    }

    /// The side to move loses if it cannot move.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        (!self.board().can_move(self.to_move())).then(|| self.to_move().other())
    }
}

impl Ways {
    /// Squares next to the set (beyond the last rank included).
    #[inline(always)]
    pub(super) fn beside(&self, set: u128) -> u128 {
        (0..4).fold(0, |beside, way| {
            let by = self.by[way];
            beside | (set & self.ahead[way]) << by | (set & self.behind[way]) >> by
        })
    }

    /// One queen's move from the set.
    #[inline(always)]
    pub(super) fn one_queen_move(&self, set: u128, vacant: u128) -> u128 {
        let mut reached = 0;
        for way in 0..4 {
            let by = self.by[way];
            let (mut there, mut back) = (set, set);
            while there | back != 0 {
                there = ((there & self.ahead[way]) << by) & vacant;
                back = ((back & self.behind[way]) >> by) & vacant;
                reached |= there | back;
            }
        }
        reached
    }

    /// Next to the set.
    #[inline(always)]
    pub(super) fn one_king_move(&self, set: u128, vacant: u128) -> u128 {
        self.beside(set) & vacant
    }
}
