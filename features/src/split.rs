//! Splits games into folds. Positions of a game are so similar that a split between them leaks data. So games are divided
//! by a hash of their names alone: the same game is in the same fold of every table, for ever.

use sha2::{Digest as _, Sha256};

/// Default number of folds; fold 0 is for validation.
pub const FOLDS: u32 = 5;

/// The number that determines a game's fold: the first eight bytes, big-endian, of the SHA-256 of `annals/game/` and
/// the game's name (for the gameroom its number in decimal). This never changes.
#[must_use]
pub fn fold_key(game_id: &str) -> u64 {
    let digest = Sha256::new().chain_update(b"annals/game/").chain_update(game_id.as_bytes()).finalize();
    digest.iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

/// From 0 to `folds` − 1: [`fold_key`] modulo `folds` (zero counts as one).
#[must_use]
pub fn fold_of(game_id: &str, folds: u32) -> u32 {
    of_key(fold_key(game_id), folds)
}

#[must_use]
pub fn of_key(key: u64, folds: u32) -> u32 {
    // A remainder by a 32-bit number has at most 32 bits.
    (key % u64::from(folds.max(1))) as u32
}

#[must_use]
pub fn game_name(number: u64) -> String {
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fold_of_a_game_is_what_it_always_was() {
        // From Python's hashlib, of the same bytes.
        assert_eq!(fold_key("669192"), KEY_OF_669192);
        assert_eq!(fold_key("1"), KEY_OF_1);
        assert_eq!(u64::from(fold_of("669192", 5)), KEY_OF_669192 % 5);
    }

    const KEY_OF_669192: u64 = 0xc937_26c5_d63d_c958;
    const KEY_OF_1: u64 = 0x2058_adc1_ec5a_37c1;

    #[test]
    fn folds_are_about_equally_large_and_no_folds_are_one() {
        let mut sizes = [0u32; 5];
        for number in 0..10_000 {
            sizes[fold_of(&game_name(number), 5) as usize] += 1;
        }
        assert!(sizes.iter().all(|size| (1_850..2_150).contains(size)), "{sizes:?}");
        assert_eq!(fold_of("1", 0), 0);
    }
}
