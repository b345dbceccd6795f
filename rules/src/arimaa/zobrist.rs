//! The numbers of position hashes. A hash is the exclusive or of one number per piece on its square, and of
//! [`SILVER_TO_MOVE`] if Silver is to move; the empty board with Gold to move has 0.
//!
//! The numbers come from SplitMix64 started at [`SEED`], in the order of piece codes (1 to 6 and 9 to 14), a1 to h8
//! each, and last for the side to move. Hashes are stored in datasets, so seed and order never change.

use crate::split_mix::split_mix;

/// The start of SplitMix64: ASCII `AnnalsZ1`, big-endian.
pub const SEED: u64 = 0x416e_6e61_6c73_5a31;

const NUMBERS: ([[u64; 64]; 16], u64) = {
    let mut table = [[0; 64]; 16];
    let mut state = SEED;
    let mut code = 1;
    while code < 15 {
        if code != 7 && code != 8 {
            let mut square = 0;
            while square < 64 {
                let (next, number) = split_mix(state);
                state = next;
                table[code][square] = number;
                square += 1;
            }
        }
        code += 1;
    }
    (table, split_mix(state).1)
};

static PIECES: [[u64; 64]; 16] = NUMBERS.0;

/// Combined with the hash if Silver is to move.
pub const SILVER_TO_MOVE: u64 = NUMBERS.1;

#[inline]
pub(crate) fn of(code: u8, square: u8) -> u64 {
    PIECES[(code & 15) as usize][(square & 63) as usize]
}

/// On the square of the other wing.
#[inline]
pub(crate) fn of_mirrored(code: u8, square: u8) -> u64 {
    of(code, square ^ 7)
}

#[cfg(test)]
mod tests {
    use annals_events::Side;

    use super::*;
    use crate::arimaa::Board;

    #[test]
    fn the_numbers_all_differ_and_start_at_the_seed() {
        assert_eq!(SEED.to_be_bytes(), *b"AnnalsZ1");
        let mut all: Vec<u64> = PIECES.iter().flatten().copied().filter(|&n| n != 0).collect();
        all.push(SILVER_TO_MOVE);
        assert_eq!(all.len(), 12 * 64 + 1);
        assert_eq!(all[0], split_mix(SEED).1);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 12 * 64 + 1);
    }

    /// Stored datasets hold these hashes: if this test fails, mend the code and not the numbers.
    #[test]
    fn the_hashes_of_the_format_have_not_changed() {
        let board = Board::parse("rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR").unwrap();
        let hashes = Side::BOTH.map(|side| board.hash(side));
        assert_eq!(hashes, [0xd970_e490_f0d0_5599, 0xa27a_b47f_9bd1_404f]);
        assert_eq!(board.mirrored().hash(Side::Gold), 0xf45f_1072_82d5_94a7);
        assert_eq!(Board::EMPTY.hash(Side::Gold), 0);
    }
}
