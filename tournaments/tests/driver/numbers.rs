//! The switch for long runs, and a small generator of numbers that are the same everywhere.

/// Whether the long runs were asked for (`ANNALS_LONG=1`).
pub fn long() -> bool {
    std::env::var_os("ANNALS_LONG").is_some_and(|value| value == "1")
}

/// A number of inputs: the few of every day, or the many of a long run.
pub fn cases(short: u64, long_run: u64) -> u64 {
    if long() { long_run } else { short }
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True about `percent` times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i + 1);
            items.swap(i, j);
        }
    }
}
