//! Legal moves. The squares that a queen sees are found ray by ray: on a ray whose square numbers grow, the squares
//! before the first one taken are those below its lowest set bit. The other four rays are the same four on the board
//! seen from the opposite corner, so one rule serves all eight.

use annals_events::Side;

use super::board::Board;
use super::count::members;
use super::moves::Move;
use super::position::Position;
use super::size::{Rays, Size, Ways, ones};
use super::square::Square;

/// The squares of a growing ray before the first one taken.
#[inline(always)]
fn before(ray: u128, taken: u128) -> u128 {
    let stops = ray & taken;
    ray & stops.wrapping_sub(1) & !stops
}

/// The free squares of growing rays: of each, those before the first one taken.
#[inline(always)]
fn free(rays: &Rays, taken: u128) -> u128 {
    before(rays[0], taken) | before(rays[1], taken) | before(rays[2], taken) | before(rays[3], taken)
}

/// What is taken, from either corner.
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

    /// What is left when something leaves the square with a number.
    #[inline(always)]
    fn without(self, square: usize) -> Taken {
        let (here, there) = (1u128 << (square & 127), 1u128 << ((self.last - square) & 127));
        Taken { ahead: self.ahead & !here, behind: self.behind & !there, ..self }
    }

    /// The squares seen from a square, those behind it counted from the opposite corner.
    #[inline(always)]
    fn seen_both(&self, square: usize) -> (u128, u128) {
        let (ahead, behind) = (self.size.rays(square), self.size.rays(self.last - square));
        (free(&ahead, self.ahead), free(&behind, self.behind))
    }

    /// The squares seen from a square on which a queen stands, and how many pairs of a move and a shot there are that
    /// go straight back to that square or beyond.
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

/// Runs the body with the size as a constant where it is a usual one, so that shifts and tables are known.
macro_rules! with_known_size {
    ($size:expr, $run:expr) => {{
        let size: Size = $size;
        if size == Size::USUAL { $run(Size::USUAL) } else { $run(size) }
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
    /// Hands over every legal move of a side, in an order that depends on the board alone.
    #[inline]
    pub fn for_each_move(&self, side: Side, mut visit: impl FnMut(Move)) {
        with_known_size!(self.size(), |size| each_move(size, self, side, &mut visit));
    }

    /// All legal moves of a side.
    #[must_use]
    pub fn moves(&self, side: Side) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_move(side, |played| moves.push(played));
        moves
    }

    /// The vacant squares that a queen on a square would see; none where the board has no such square.
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

    /// The board after a side's move that is known to be legal, as generated ones are.
    #[inline]
    #[must_use]
    pub fn after(&self, side: Side, played: Move) -> Board {
        let mut after = *self;
        after.make(side, played);
        after
    }

    /// Whether a side has a legal move: a queen beside a vacant square does, as it can shoot back at where it stood.
    #[must_use]
    pub fn can_move(&self, side: Side) -> bool {
        Ways::of(self.size()).beside(self.queens(side)) & self.vacant() != 0
    }
}

impl Position {
    /// All legal moves of the side to move.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        self.board().moves(self.to_move())
    }

    /// Who has won: the side to move has lost when it cannot move. None while the game goes on.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        (!self.board().can_move(self.to_move())).then(|| self.to_move().other())
    }
}

impl Ways {
    /// All squares beside a square of the set (what lies beyond the last rank included).
    #[inline(always)]
    pub(super) fn beside(&self, set: u128) -> u128 {
        (0..4).fold(0, |beside, way| {
            let by = self.by[way];
            beside | (set & self.ahead[way]) << by | (set & self.behind[way]) >> by
        })
    }

    /// The vacant squares one queen's move away from a square of the set.
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

    /// The vacant squares beside a square of the set.
    #[inline(always)]
    pub(super) fn one_king_move(&self, set: u128, vacant: u128) -> u128 {
        self.beside(set) & vacant
    }
}
