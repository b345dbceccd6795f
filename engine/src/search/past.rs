//! How often the positions of a game have stood, for the rule that none may be brought about for the third time.

use std::collections::HashMap;

/// How often each position with its side to move (by hash) has stood in the game, the present one included.
#[derive(Debug, Clone, Default)]
pub struct Past(HashMap<u64, u32>);

impl Past {
    /// Nothing has stood before.
    #[must_use]
    pub fn new() -> Past {
        Past::default()
    }

    /// A position has stood once more.
    pub fn stood(&mut self, hash: u64) {
        *self.0.entry(hash).or_default() += 1;
    }

    /// How often a position has stood.
    #[must_use]
    pub fn seen(&self, hash: u64) -> u32 {
        self.0.get(&hash).copied().unwrap_or(0)
    }

    /// Whether no turn may lead to the position, as it would stand for the third time.
    #[must_use]
    pub fn forbids(&self, hash: u64) -> bool {
        self.seen(hash) >= 2
    }

    /// One number for the set of positions that may not be brought about; 0 where there are none. The order in which the map
    /// holds them does not matter.
    pub(super) fn forbidden(&self) -> u64 {
        self.0.iter().filter(|(_, count)| **count >= 2).fold(0, |all, (hash, _)| all ^ salt_of(*hash))
    }
}

/// What a position that may not be brought about adds to the keys of the table.
pub(super) const fn salt_of(hash: u64) -> u64 {
    let z = (hash ^ hash >> 31).wrapping_mul(0x9fb2_1c65_1e98_df25);
    (z ^ z >> 28).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
