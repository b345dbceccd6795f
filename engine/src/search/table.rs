//! The transposition table: bound, depth and best step of positions. Fixed size, buckets of four entries, one cache
//! line each. Several threads share it without locks: the key is stored combined with the data, so an entry that two
//! threads wrote at once is not found. Without enough memory a smaller table is used and reported. `Tree::key` documents what keys cover.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::TableTooLarge;
use super::worth::from_table;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// At most the value.
    Upper,
    /// At least the value.
    Lower,
    Exact,
}

impl Bound {
    /// Of a value found with a window.
    pub(crate) const fn of(worth: i32, alpha: i32, beta: i32) -> Bound {
        if worth <= alpha {
            Bound::Upper
        } else if worth >= beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// Wins and losses counted from the position.
    pub(crate) worth: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// The best step or move, a number of 21 bits; none if none was better.
    pub(crate) step: Option<u32>,
}

impl Entry {
    /// The value at a ply, if it suffices for this window.
    #[inline]
    pub(crate) fn answer(&self, ply: u16, alpha: i32, beta: i32) -> Option<i32> {
        let worth = from_table(self.worth, ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => worth >= beta,
            Bound::Upper => worth <= alpha,
        };
        enough.then_some(worth)
    }
}

/// Four entries of packed data and a key combined with them. All zero is free.
type Bucket = [AtomicU64; 8];

#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: u8,
    /// A search began since the last clear.
    used: bool,
}

/// The fallback size in MiB, small enough to leave memory for the rest.
const INSTEAD: u32 = 32;

const GENERATIONS: u8 = 64;

impl TranspositionTable {
    /// At most `mib` MiB, at least one bucket; a power of two of buckets. Second: set if memory allowed only a smaller
    /// one.
    pub(crate) fn new(mib: u32) -> (TranspositionTable, Option<TableTooLarge>) {
        if let Some(table) = TranspositionTable::with_buckets(buckets_in(mib)) {
            return (table, None);
        }
        let mut smaller = INSTEAD.min(mib / 2);
        while smaller > 0 {
            if let Some(table) = TranspositionTable::with_buckets(buckets_in(smaller)) {
                return (table, Some(TableTooLarge { wanted: mib, got: smaller }));
            }
            smaller /= 2;
        }
        // Without buckets nothing is stored, and nothing else changes.
        let none = TranspositionTable { buckets: Vec::new(), generation: 0, used: false };
        (none, Some(TableTooLarge { wanted: mib, got: 0 }))
    }

    /// None without enough memory.
    fn with_buckets(count: usize) -> Option<TranspositionTable> {
        let mut buckets: Vec<Bucket> = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize_with(count, Bucket::default);
        Some(TranspositionTable { buckets, generation: 0, used: false })
    }

    pub(crate) fn clear(&mut self) {
        if self.used {
            self.buckets.iter_mut().for_each(|bucket| *bucket = Bucket::default());
        }
        self.used = false;
        self.generation = 0;
    }

    /// Begins a search: earlier entries are replaced first.
    pub(crate) fn age(&mut self) {
        self.used = true;
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn place(&self, key: u64) -> usize {
        (key >> 20) as usize & self.buckets.len().wrapping_sub(1)
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.as_chunks::<2>().0.iter().find_map(|[stored, rest]| {
            let rest = rest.load(Relaxed);
            (stored.load(Relaxed) ^ rest == key && rest != 0).then(|| unpack(rest))
        })
    }

    /// Stores a position, replacing the same one, a free entry, or the least depth, earlier searches first.
    pub(crate) fn put(&self, key: u64, mut entry: Entry) {
        let generation = self.generation;
        let place = self.place(key);
        let Some(bucket) = self.buckets.get(place) else { return };
        let value = |[stored, rest]: &[AtomicU64; 2]| match rest.load(Relaxed) {
            0 => i32::MIN + 1,
            rest if stored.load(Relaxed) ^ rest == key => i32::MIN,
            rest => {
                let age = (generation + GENERATIONS - generation_of(rest)) % GENERATIONS;
                unpack(rest).depth - 16 * i32::from(age)
            }
        };
        let slots = bucket.as_chunks::<2>().0;
        let Some([stored, rest]) = slots.iter().min_by_key(|slot| value(slot)) else { return };
        let before = rest.load(Relaxed);
        if stored.load(Relaxed) ^ before == key && before != 0 && entry.step.is_none() {
            entry.step = unpack(before).step;
        }
        let packed = pack(entry, generation);
        stored.store(key ^ packed, Relaxed);
        rest.store(packed, Relaxed);
    }
}

/// Buckets in at most `mib` MiB: a power of two, at least one.
fn buckets_in(mib: u32) -> usize {
    let bytes = (mib as usize) << 20;
    let wanted = (bytes / size_of::<Bucket>()).max(1);
    if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 }
}

/// From the low end: step with presence bit, bound, generation, depth, value.
const STEP: u64 = (1 << 21) - 1;
const HAS_STEP: u64 = 1 << 21;
const BOUND: u32 = 22;
const GENERATION: u32 = 24;
const DEPTH: u32 = 32;
const WORTH: u32 = 40;

/// Makes stored values non-negative.
const OFFSET: i32 = 1 << 20;

fn pack(entry: Entry, generation: u8) -> u64 {
    let step = entry.step.map_or(0, |step| u64::from(step) & STEP | HAS_STEP);
    let bound: u64 = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    let depth = entry.depth.clamp(-100, 100) + 100;
    let worth = entry.worth.clamp(-OFFSET, OFFSET - 1) + OFFSET;
    (worth as u64) << WORTH
        | (depth as u64) << DEPTH
        | u64::from(generation) << GENERATION
        | bound << BOUND
        | step
}

fn generation_of(rest: u64) -> u8 {
    (rest >> GENERATION) as u8
}

fn unpack(rest: u64) -> Entry {
    Entry {
        worth: (rest >> WORTH) as i32 - OFFSET,
        depth: (rest >> DEPTH & 0xff) as i32 - 100,
        bound: match rest >> BOUND & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        step: (rest & HAS_STEP != 0).then_some((rest & STEP) as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out_and_the_deepest_of_this_search_stay() {
        let (mut table, short) = TranspositionTable::new(0);
        assert_eq!(short, None);
        let entry = |depth, worth| Entry { worth, depth, bound: Bound::Lower, step: Some(0xabc) };
        for key in 1..=4 {
            table.put(key, entry(key as i32, -7));
        }
        table.put(5, entry(-2, 12));
        assert!(table.get(1).is_none(), "the least depth gives way");
        for key in 2..=5 {
            let found = table.get(key).unwrap();
            assert_eq!((found.bound, found.step), (Bound::Lower, Some(0xabc)));
        }
        assert_eq!((table.get(5).unwrap().worth, table.get(5).unwrap().depth), (12, -2));
        table.put(4, Entry { step: None, ..entry(9, 1) });
        assert_eq!(table.get(4).unwrap().step, Some(0xabc), "a known best step is kept");
        table.age();
        table.put(6, entry(1, 0));
        table.put(7, entry(0, 0));
        assert!(table.get(6).is_some() && table.get(7).is_some() && table.get(4).is_some());
        table.clear();
        assert!((1..=7).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn a_table_that_cannot_be_had_gives_way_to_a_smaller_one_and_says_so() {
        assert!(TranspositionTable::with_buckets(usize::MAX).is_none());
        assert!(TranspositionTable::with_buckets(usize::MAX / 128).is_none());
        // Four million GiB: more than any address can reach.
        let (table, short) = TranspositionTable::new(u32::MAX);
        assert_eq!(short, Some(TableTooLarge { wanted: u32::MAX, got: INSTEAD }));
        assert!(short.is_some_and(|short| short.to_string().contains("4294967295 MiB")));
        table.put(7, Entry { worth: 1, depth: 2, bound: Bound::Exact, step: None });
        assert_eq!(table.get(7).map(|entry| entry.worth), Some(1));
    }

    #[test]
    fn every_worth_and_every_step_survives_being_packed() {
        use crate::search::worth::{INFINITY, WON};
        for worth in [-INFINITY, -WON, -900_000, -1, 0, 1, 900_000, WON, INFINITY] {
            for step in [None, Some(0), Some(0xfff), Some((1 << 21) - 1)] {
                for depth in [-100, 0, 100] {
                    let entry = Entry { worth, depth, bound: Bound::Exact, step };
                    let packed = pack(entry, GENERATIONS - 1);
                    let found = unpack(packed);
                    assert_eq!((found.worth, found.step, found.depth), (worth, step, depth));
                    assert_eq!((found.bound, generation_of(packed)), (Bound::Exact, GENERATIONS - 1));
                }
            }
        }
    }

    #[test]
    fn what_several_threads_write_at_once_is_found_whole_or_not_at_all() {
        // One bucket, so that all keys collide.
        let (table, _) = TranspositionTable::new(0);
        let entry = |key: u64| Entry { worth: key as i32 * 1_000, depth: 1, bound: Bound::Exact, step: None };
        let work = |from: u64| {
            let mut found = 0;
            for key in (0..400_000).map(|number| from + number % 9) {
                table.put(key, entry(key));
                if let Some(other) = table.get(key ^ 3) {
                    assert_eq!(other.worth, entry(key ^ 3).worth, "{key}");
                    found += 1;
                }
            }
            found
        };
        let found: usize = std::thread::scope(|scope| {
            let threads = [1, 2].map(|from| {
                let work = &work;
                scope.spawn(move || work(from))
            });
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(found > 1_000, "{found}");
    }

    #[test]
    fn a_table_without_any_bucket_remembers_nothing() {
        let mut table = TranspositionTable { buckets: Vec::new(), generation: 0, used: false };
        table.put(7, Entry { worth: 1, depth: 2, bound: Bound::Exact, step: None });
        assert!(table.get(7).is_none());
        table.clear();
    }
}
