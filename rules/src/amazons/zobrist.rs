//! The numbers of position hashes. A hash is the exclusive or of the size's number, one number per queen and block on
//! its square, and [`BLACK_TO_MOVE`] if Black is to move.
//!
//! The numbers come from SplitMix64 started at [`SEED`], for White queens, Black queens and blocks, squares 0 to 127
//! each, and last for Black to move. A size's number is the first of SplitMix64 started at [`SIZE_SEED`] plus 256 times
//! the files plus the ranks. Hashes are stored in datasets, so none of this ever changes.

use super::size::Size;
use crate::split_mix::split_mix;

/// The start of SplitMix64: ASCII `AmazonZ1`, big-endian.
pub const SEED: u64 = 0x416d_617a_6f6e_5a31;

/// The start for sizes: ASCII `AmazonS1`, big-endian.
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

/// Combined with the hash if Black is to move.
pub const BLACK_TO_MOVE: u64 = NUMBERS.1;

/// The row of blocks; queens have their sides' numbers.
pub(super) const BLOCK: usize = 2;

/// Kinds 0 and 1 are White's and Black's queens, 2 is a block.
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
