//! How often positions occurred, for the repetition rule.

use std::collections::HashMap;

/// Occurrences of each position with side to move (by hash), the present one included.
#[derive(Debug, Clone, Default)]
pub struct Past(HashMap<u64, u32>);

impl Past {
    #[must_use]
    pub fn new() -> Past {
        Past::default()
    }

    pub fn stood(&mut self, hash: u64) {
        *self.0.entry(hash).or_default() += 1;
    }

    #[must_use]
    pub fn seen(&self, hash: u64) -> u32 {
        self.0.get(&hash).copied().unwrap_or(0)
    }

    /// Whether a turn to the position would be its third occurrence.
    #[must_use]
    pub fn forbids(&self, hash: u64) -> bool {
        self.seen(hash) >= 2
    }

    /// One number for the set of forbidden positions, independent of order; 0 if empty.
    pub(super) fn forbidden(&self) -> u64 {
        self.0.iter().filter(|(_, count)| **count >= 2).fold(0, |all, (hash, _)| all ^ salt_of(*hash))
    }
}

/// What a forbidden position adds to table keys.
pub(super) const fn salt_of(hash: u64) -> u64 {
    let z = (hash ^ hash >> 31).wrapping_mul(0x9fb2_1c65_1e98_df25);
    (z ^ z >> 28).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
