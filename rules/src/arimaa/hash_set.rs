//! A set of 64-bit hashes: open addressing with linear probing in a table that is kept between calls.

/// Boards with equal hashes count as one: among the 50,000 boards of a rich position the probability is below 1e-10.
#[derive(Debug, Clone, Default)]
pub(super) struct HashSet {
    table: Vec<u64>,
    /// Hashes while the table grows.
    held: Vec<u64>,
    capacity: usize,
    len: usize,
}

/// Replaces the hash 0, which marks a free slot.
const ZERO: u64 = 0x9e37_79b9_7f4a_7c15;

impl HashSet {
    /// Empties the set and reserves space.
    pub(super) fn reset(&mut self, expected: usize) {
        self.capacity = expected.max(512).next_power_of_two() * 2;
        self.len = 0;
        if self.table.len() < self.capacity {
            self.table.resize(self.capacity, 0);
        }
        self.table[..self.capacity].fill(0);
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// False if it was present.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        let hash = if hash == 0 { ZERO } else { hash };
        let table = &mut self.table[..self.capacity];
        let mask = table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let there = table[place & mask];
            if there == hash {
                return false;
            }
            if there == 0 {
                table[place & mask] = hash;
                self.len += 1;
                if self.len * 2 > self.capacity {
                    self.grow(self.len * 2);
                }
                return true;
            }
            place += 1;
        }
    }

    /// Grows to about `expected` hashes in all.
    pub(super) fn grow(&mut self, expected: usize) {
        let wanted = expected.max(512).next_power_of_two() * 2;
        if wanted <= self.capacity {
            return;
        }
        let mut held = std::mem::take(&mut self.held);
        held.clear();
        held.extend(self.table[..self.capacity].iter().filter(|&&hash| hash != 0));
        self.reset(expected);
        for &hash in &held {
            self.insert(hash);
        }
        self.held = held;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_was_added_through_growth_and_nothing_after_a_reset() {
        let mut set = HashSet::default();
        set.reset(0);
        let numbers = || (0..10_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) << 3);
        for number in numbers() {
            assert!(set.insert(number));
            assert!(!set.insert(number));
        }
        assert_eq!(set.len(), 10_000);
        assert!(numbers().all(|number| !set.insert(number)));
        set.reset(10);
        assert_eq!(set.len(), 0);
        assert!(set.insert(0) && !set.insert(0));
    }
}
