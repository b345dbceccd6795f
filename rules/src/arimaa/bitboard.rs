//! Sets of squares as 64-bit words: bit `i` is square `i`, and a shift by eight is a step north.

use super::square::{Direction, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

pub const TRAPS: u64 = 1 << 18 | 1 << 21 | 1 << 42 | 1 << 45;

/// Traps and squares next to them: other steps capture nothing.
pub(crate) const TRAP_ZONE: u64 = TRAPS | spread(TRAPS);

/// Setup ranks by side: the first two, and the last two.
pub const HOME: [u64; 2] = [0xffff, 0xffff << 48];

/// The goal rank of rabbits, by side.
pub const GOAL: [u64; 2] = [0xff << 56, 0xff];

/// Squares next to the set.
#[inline]
#[must_use]
pub const fn spread(set: u64) -> u64 {
    set << 8 | set >> 8 | (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// Moved by one step; squares that leave the board are lost.
#[inline]
#[must_use]
pub const fn shift(set: u64, direction: Direction) -> u64 {
    match direction {
        Direction::North => set << 8,
        Direction::East => (set & !FILE_H) << 1,
        Direction::South => set >> 8,
        Direction::West => (set & !FILE_A) >> 1,
    }
}

/// Squares next to each square.
pub(crate) const NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = spread(1 << i);
        i += 1;
    }
    table
};

#[inline]
#[must_use]
pub const fn neighbours(square: Square) -> u64 {
    NEIGHBOURS[(square.index() & 63) as usize]
}

/// Files in opposite order.
#[must_use]
pub const fn mirrored(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// From a1 on.
#[derive(Debug, Clone, Copy)]
pub struct Squares(u64);

/// From a1 on.
#[inline]
#[must_use]
pub const fn squares(set: u64) -> Squares {
    Squares(set)
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::masked(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_shifting_and_mirroring_agree_with_single_steps() {
        for square in Square::all() {
            let mut beside = 0;
            for direction in Direction::ALL {
                let next = square.step(direction).map_or(0, Square::bit);
                assert_eq!(shift(square.bit(), direction), next);
                beside |= next;
            }
            assert_eq!(spread(square.bit()), beside);
            assert_eq!(neighbours(square), beside);
            assert_eq!(mirrored(square.bit()), square.mirrored().bit());
            assert_eq!(squares(square.bit()).collect::<Vec<_>>(), [square]);
        }
    }

    #[test]
    fn no_square_lies_beside_two_traps() {
        for square in Square::all() {
            assert!((neighbours(square) & TRAPS).count_ones() <= 1, "{square}");
        }
    }
}
