//! The numbers of which position hashes are made. The hash of a position is the exclusive or of the number of its
//! size, one number for each queen and each block on its square, and [`BLACK_TO_MOVE`] where Black is to move.
//!
//! The numbers come from SplitMix64 started at [`SEED`], drawn for the White queens, the Black queens and the blocks,
//! squares 0 to 127 for each, and last the one for Black to move. The number of a size is the first that SplitMix64
//! draws when it starts at [`SIZE_SEED`] and 256 times the files and the ranks more. Hashes are stored in datasets, so
//! nothing of this ever changes.

use super::size::Size;
use crate::split_mix::split_mix;

/// Where SplitMix64 starts: the ASCII letters `AmazonZ1` as a big-endian number.
pub const SEED: u64 = 0x416d_617a_6f6e_5a31;

/// Where the numbers of the sizes start: the ASCII letters `AmazonS1` as a big-endian number.
pub const SIZE_SEED: u64 = 0x416d_617a_6f6e_5331;

const NUMBERS: ([[u64; 128]; 3], u64) = {
    let mut table = [[0; 128]; 3];
    let mut state = SEED;
    let mut kind = 0;
    while kind < 3 {
        let mut square = 0;
        while square < 128 {
            let (next, number) = split_mix(state);
            state = next;
            table[kind][square] = number;
            square += 1;
        }
        kind += 1;
    }
    (table, split_mix(state).1)
};

static PIECES: [[u64; 128]; 3] = NUMBERS.0;

/// What a hash is combined with where Black is to move.
pub const BLACK_TO_MOVE: u64 = NUMBERS.1;

/// The row of the blocks; those of the queens are their sides' numbers.
pub(super) const BLOCK: usize = 2;

/// The number of a kind (0 and 1: White's and Black's queens, 2: a block) on the square with a number.
#[inline]
pub(super) fn of(kind: usize, square: u8) -> u64 {
    PIECES[kind % 3][(square & 127) as usize]
}

pub(super) const fn of_size(size: Size) -> u64 {
    split_mix(SIZE_SEED.wrapping_add(256 * size.files() as u64 + size.ranks() as u64)).1
}

#[cfg(test)]
mod tests {
    use annals_events::Side;

    use super::*;
    use crate::amazons::Position;

    #[test]
    fn the_numbers_all_differ_and_start_at_the_seeds() {
        assert_eq!((SEED.to_be_bytes(), SIZE_SEED.to_be_bytes()), (*b"AmazonZ1", *b"AmazonS1"));
        let mut all: Vec<u64> = PIECES.iter().flatten().copied().collect();
        assert_eq!(all[0], split_mix(SEED).1);
        all.push(BLACK_TO_MOVE);
        for files in 1..=26 {
            all.extend((1..=128 / files).map(|ranks| of_size(Size::new(files, ranks).unwrap())));
        }
        assert_eq!(all.len(), 3 * 128 + 1 + 483);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 3 * 128 + 1 + 483);
    }

    /// Stored datasets hold these hashes: if this test fails, mend the code and not the numbers.
    #[test]
    fn the_hashes_of_the_format_have_not_changed() {
        let start = Position::start();
        assert_eq!(start.hash(), 0xe318_ceb4_40f4_d506);
        let small: Position = "b [.B./.x./W..]".parse().unwrap();
        assert_eq!((small.to_move(), small.hash()), (Side::Silver, 0xb3f0_bc96_2528_d07b));
    }
}
