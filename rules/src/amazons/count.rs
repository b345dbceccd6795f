//! How many moves there are, without making any.
//!
//! From a vacant square a block can be shot as far as it sees; how many squares that is, is counted for all squares at
//! once: the squares from which one can go two, three, … squares in a direction are those that can go one, and whose
//! neighbour can go one less. The counts stand upright, one bit of every square's count in a word. A queen's moves are
//! the counts of the squares that it sees, added up, and the shots at the square that it left and beyond: these go
//! straight back, so their number is a product of two lengths.

use annals_events::Side;

use super::board::Board;
use super::generate::{Taken, with_known_size};
use super::position::Position;
use super::size::{Size, Ways, ones};

/// Bits of a count: no square of a board of 128 squares sees more than 127 others.
const BITS: usize = 7;

/// For every vacant square, how many squares it sees: bit `i` of the counts in word `i`.
#[inline(always)]
fn sight(ways: &Ways, vacant: u128, bits: usize) -> [u128; BITS] {
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
            // A full adder for the lowest bit, half adders for what it carries.
            let both = counts[0] & ahead;
            let sum = counts[0] ^ ahead;
            let mut carry = both | (sum & behind);
            counts[0] = sum ^ behind;
            for count in &mut counts[1..bits] {
                let next = *count & carry;
                *count ^= carry;
                carry = next;
            }
        }
    }
    counts
}

#[inline(always)]
fn count(size: Size, board: &Board, side: Side) -> u64 {
    let ways = Ways::of(size);
    let bits = if size == Size::USUAL { 6 } else { BITS };
    let counts = sight(&ways, board.vacant(), bits);
    let taken = Taken::of(size, board.taken());
    let mut moves = 0u64;
    for from in ones(board.queens(side)) {
        let (seen, pairs) = taken.seen_and_pairs(from);
        let shots: u64 = counts[..bits]
            .iter()
            .enumerate()
            .map(|(bit, set)| u64::from((set & seen).count_ones()) << bit)
            .sum();
        moves += shots + u64::from(pairs);
    }
    moves
}

impl Board {
    /// How many legal moves a side has.
    #[must_use]
    pub fn count_moves(&self, side: Side) -> u64 {
        with_known_size!(self.size(), |size| count(size, self, side))
    }

    /// How many sequences of so many moves there are; those of the last move are counted and not made.
    #[must_use]
    pub fn perft(&self, side: Side, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(side),
            _ => {
                let mut sequences = 0;
                self.for_each_move(side, |played| {
                    sequences += self.after(side, played).perft(side.other(), depth - 1);
                });
                sequences
            }
        }
    }
}

impl Position {
    /// How many legal moves the side to move has.
    #[must_use]
    pub fn count_moves(&self) -> u64 {
        self.board().count_moves(self.to_move())
    }

    /// How many sequences of so many moves there are.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        self.board().perft(self.to_move(), depth)
    }
}
