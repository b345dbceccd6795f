//! Positions without contested regions, which the sides only fill. The side with more moves wins (the side to move
//! needs one more), and their number is a puzzle for each side alone.
//!
//! A move uses one vacant square, so a region allows at most as many moves as its queens can reach squares. Often that
//! bound is met: moves that cut nothing off are tried first, and meeting the bound is exact. Otherwise all ways are
//! tried within the budget, which leaves two bounds.

use std::collections::HashSet;

use annals_events::Side;
use annals_rules::amazons::{Board, Move, Owner, Position, Region};

use super::neighbours::{Neighbours, number};

/// The moves of a side in its own regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// Found.
    pub least: u32,
    /// Upper bound.
    pub most: u32,
    /// The first move found.
    pub first: Option<Move>,
}

impl Filling {
    /// If the bounds agree.
    #[must_use]
    pub const fn exact(&self) -> Option<u32> {
        if self.least == self.most { Some(self.least) } else { None }
    }
}

/// The result of filling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FillingVerdict {
    /// The side to move wins, after at most this many moves of both.
    Won(u16),
    /// The side to move loses, after at most this many moves of both.
    Lost(u16),
    /// Undecided; the estimated lead of the side to move in hundredths of a square.
    Open(i32),
}

/// Fills regions that belong to `side` alone, within a budget of positions. Shared regions are ignored.
#[must_use]
pub fn fill(board: &Board, side: Side, budget: u32) -> Filling {
    fill_with(&Neighbours::of(board.size()), board, side, budget)
}

pub(super) fn fill_with(neighbours: &Neighbours, board: &Board, side: Side, budget: u32) -> Filling {
    let mut all = Filling { least: 0, most: 0, first: None };
    let mut left = budget;
    for region in board.regions() {
        if region.owner() != Owner::Side(side) || region.vacant == 0 {
            continue;
        }
        let Some(board) = alone(board, &region, side) else { continue };
        let most = board.territory(side).count_ones();
        let mut puzzle =
            Puzzle { neighbours, side, most, left, best: Vec::new(), way: Vec::new(), seen: HashSet::new() };
        puzzle.fill(&board);
        left = puzzle.left;
        let least = puzzle.best.len() as u32;
        all.least += least;
        // With budget left all ways were tried.
        all.most += if left > 0 { least } else { most };
        all.first = all.first.or(puzzle.best.first().copied());
    }
    all
}

/// For a position in which every region belongs to one side.
pub(super) fn verdict(neighbours: &Neighbours, position: &Position, budget: u32) -> FillingVerdict {
    let side = position.to_move();
    let own = fill_with(neighbours, position.board(), side, budget);
    let other = fill_with(neighbours, position.board(), side.other(), budget);
    compare(&own, &other)
}

pub(super) fn compare(own: &Filling, other: &Filling) -> FillingVerdict {
    let plies = |plies: u32| u16::try_from(plies).unwrap_or(u16::MAX);
    if own.least > other.most {
        FillingVerdict::Won(plies(2 * other.most + 1))
    } else if own.most <= other.least {
        FillingVerdict::Lost(plies(2 * own.most))
    } else {
        let twice = |filling: &Filling| (filling.least + filling.most) as i32;
        FillingVerdict::Open((twice(own) - twice(other)) * 50 - 25)
    }
}

/// The board with one region, all else blocked.
fn alone(board: &Board, region: &Region, side: Side) -> Option<Board> {
    let size = board.size();
    let queens: Vec<_> = size.squares(region.queens[side.index()]).collect();
    let blocks: Vec<_> = size.squares(size.all() & !region.vacant & !region.queens[side.index()]).collect();
    let both: [&[_]; 2] = match side {
        Side::Gold => [&queens, &[]],
        Side::Silver => [&[], &queens],
    };
    Board::new(size, both, &blocks).ok()
}

struct Puzzle<'a> {
    neighbours: &'a Neighbours,
    side: Side,
    most: u32,
    left: u32,
    best: Vec<Move>,
    way: Vec<Move>,
    seen: HashSet<u64>,
}

impl Puzzle<'_> {
    fn fill(&mut self, board: &Board) {
        if self.way.len() > self.best.len() {
            self.best.clone_from(&self.way);
        }
        if self.left == 0 || self.best.len() as u32 >= self.most || !self.seen.insert(board.hash(self.side)) {
            return;
        }
        self.left -= 1;
        let reached = board.territory(self.side).count_ones();
        let size = board.size();
        let vacant = board.vacant();
        let mut moves: Vec<(u32, Move)> = Vec::new();
        board.for_each_move(self.side, |played| {
            let free = (vacant | size.bit(played.from)) & !size.bit(played.to);
            let beside = self.neighbours.beside(number(size, played.block)) & free;
            moves.push((beside.count_ones(), played));
        });
        // Corners first: squares with few neighbours are lost easily and cut off least.
        moves.sort_by_key(|(beside, _)| *beside);
        for cuts in [false, true] {
            for (_, played) in &moves {
                let after = board.after(self.side, *played);
                let rest = after.territory(self.side).count_ones();
                if (rest + 1 < reached) != cuts || self.way.len() as u32 + 1 + rest <= self.best.len() as u32
                {
                    continue;
                }
                self.way.push(*played);
                self.fill(&after);
                self.way.pop();
                if self.left == 0 || self.best.len() as u32 >= self.most {
                    return;
                }
            }
        }
    }
}
