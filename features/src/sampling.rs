//! A part of the positions, for grids and trials.

use annals_events::closed_words;
use annals_rules::seeded::Rng;

/// The parts of seeds.
const STRETCH: u64 = 5;
const SHUFFLE: u64 = 6;

closed_words! {
    /// How a part of the positions is taken.
    #[derive(Default)]
    pub enum Sampling, "way to take positions" {
        /// At random, as in the paper's text.
        #[default]
        Shuffled = "shuffled",
        /// One after the other, of few games, as in the paper's program. The seed sets the first.
        Consecutive = "consecutive",
    }
}

impl Sampling {
    /// At most `count` of the rows, in their order.
    #[must_use]
    pub fn rows(self, rows: &[u32], count: u32, seed: u64) -> Vec<u32> {
        let all = rows.len() as u32;
        let taken = count.min(all) as usize;
        match self {
            Sampling::Consecutive => {
                let first = Rng::of(&[seed, STRETCH]).below(all - taken as u32 + 1) as usize;
                rows[first..][..taken].to_vec()
            }
            Sampling::Shuffled => {
                let mut rows = rows.to_vec();
                if taken < rows.len() {
                    Rng::of(&[seed, SHUFFLE]).shuffle(&mut rows);
                    rows.truncate(taken);
                    rows.sort_unstable();
                }
                rows
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_taken_at_random_or_in_a_row() {
        let rows: Vec<u32> = (0..10_000).map(|row| row * 2).collect();
        for sampling in Sampling::ALL {
            for count in [0, 1, 300, 9_999, 10_000, 20_000] {
                let taken = sampling.rows(&rows, count, 7);
                assert_eq!(taken.len(), count.min(10_000) as usize);
                assert!(taken.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
                assert!(taken.iter().all(|row| rows.binary_search(row).is_ok()));
            }
            assert_eq!(sampling.rows(&rows, 300, 7), sampling.rows(&rows, 300, 7));
            assert_ne!(sampling.rows(&rows, 300, 7), sampling.rows(&rows, 300, 8));
        }
        let stretch = Sampling::Consecutive.rows(&rows, 300, 7);
        assert_eq!(stretch[299] - stretch[0], 2 * 299);
        // Of ten parts of the table each has about 30.
        let shuffled = Sampling::Shuffled.rows(&rows, 300, 7);
        for part in 0..10 {
            let within = shuffled.iter().filter(|row| **row / 2_000 == part).count();
            assert!((15..50).contains(&within), "{within} in part {part}");
        }
    }
}
