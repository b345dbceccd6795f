//! Counts moves without making them. The number of squares visible from a square is counted for all squares at once, in
//! bit-sliced counters: n + 1 squares in a direction if one is, and n from its neighbour. A queen's moves are the sum
//! over its visible squares, plus the shots at and beyond the square that it left, which go straight back and are a
//! product of two lengths.

use annals_events::Side;

use super::board::Board;
use super::generate::Taken;
use super::position::Position;
use super::size::{Size, Ways, members, ones};

/// Counter bits: at most 127 squares are visible on 128, at most 35 on the default size.
const ANY: usize = 7;
const USUAL: usize = 6;

/// For every vacant square the number of visible squares: bit `i` in word `i`.
#[inline(always)]
fn sight<const BITS: usize>(ways: &Ways, vacant: u128) -> [u128; BITS] {
    let mut counts = [0u128; BITS];
    for way in 0..4 {
        let by = ways.by[way];
        let (from, to) = (vacant & ways.ahead[way], vacant & ways.behind[way]);
        let (mut ahead, mut behind) = (vacant, vacant);
        loop {
            ahead = from & (ahead >> by);
            behind = to & (behind << by);
            if ahead == 0 {
                break;
            }
            // A full adder for the lowest bit, half adders for the carries.
            let both = counts[0] & ahead;
            let sum = counts[0] ^ ahead;
            let mut carry = both | (sum & behind);
            counts[0] = sum ^ behind;
            for count in &mut counts[1..] {
                let next = *count & carry;
                *count ^= carry;
                carry = next;
            }
        }
    }
    counts
}

#[inline(always)]
fn count<const BITS: usize>(size: Size, board: &Board, side: Side) -> u64 {
    let ways = Ways::of(size);
    let counts = sight::<BITS>(&ways, board.vacant());
    let taken = Taken::of(size, board.taken());
    let bits = counts.iter().rposition(|set| *set != 0).map_or(0, |last| last + 1);
    let mut moves = 0;
    for from in ones(ways.beside(board.vacant()) & board.queens(side)) {
        let (seen, pairs) = taken.seen_and_pairs(from);
        moves += pairs;
        for (bit, set) in counts[..bits].iter().enumerate() {
            moves += members(set & seen) << bit;
        }
    }
    u64::from(moves)
}

impl Board {
    #[must_use]
    pub fn count_moves(&self, side: Side) -> u64 {
        match self.size() {
            Size::STANDARD => count::<USUAL>(Size::STANDARD, self, side),
            size => count::<ANY>(size, self, side),
        }
    }

    /// Sequences of `depth` moves; the last ones are counted without being made.
    #[must_use]
    pub fn perft(&self, side: Side, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(side),
            _ => {
                let mut sequences = 0;
                self.for_each_move(side, |played| {
                    let mut after = *self;
                    after.make(side, played);
                    sequences += after.perft(side.other(), depth - 1);
                });
                sequences
            }
        }
    }
}

impl Position {
    #[must_use]
    pub fn count_moves(&self) -> u64 {
        self.board().count_moves(self.to_move())
    }

    /// Sequences of `depth` moves.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        self.board().perft(self.to_move(), depth)
    }
}
