//! Pseudo-random numbers from a seed argument, the same on every machine and with any number of threads: each game has
//! its own generator.

use crate::split_mix::split_mix;

/// SplitMix64: fast, and unrelated sequences for any two seeds.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// For one purpose: mixes the parts in order.
    #[must_use]
    pub fn of(parts: &[u64]) -> Rng {
        let mut rng = Rng(0x616e_6e61_6c73);
        for part in parts {
            rng.0 ^= *part;
            rng.0 = rng.any();
        }
        rng
    }

    pub fn any(&mut self) -> u64 {
        let (state, number) = split_mix(self.0);
        self.0 = state;
        number
    }

    /// Below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.any() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Inclusive.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// With this probability per thousand.
    pub fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }

    /// The slice must not be empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u32) as usize]
    }

    /// Uniformly.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// An index below `bound`: the first tenth is drawn about as often as all others.
    pub fn heavy_tailed(&mut self, bound: u32) -> u32 {
        let (a, b, c) = (self.below(1 << 16), self.below(1 << 16), self.below(1 << 16));
        ((u64::from(bound) * u64::from(a) * u64::from(b) * u64::from(c)) >> 48) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_from_the_seed_and_fill_their_range_evenly() {
        let (mut a, mut b, mut c) = (Rng::of(&[1, 2]), Rng::of(&[1, 2]), Rng::of(&[2, 1]));
        let mut counts = [0u32; 10];
        let mut same = 0;
        for _ in 0..10_000 {
            let number = a.below(10);
            assert_eq!(number, b.below(10));
            same += u32::from(number == c.below(10));
            counts[number as usize] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert!((900..1100).contains(&same), "{same}");
        assert_eq!(a.below(0), 0);
    }

    #[test]
    fn the_heavy_tail_gives_half_of_the_draws_to_the_first_tenth() {
        let mut rng = Rng::of(&[7]);
        let first = (0..10_000).filter(|_| rng.heavy_tailed(1000) < 100).count();
        assert!((5000..7000).contains(&first), "{first}");
    }
}
