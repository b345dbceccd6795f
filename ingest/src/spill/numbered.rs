//! A map from game numbers to small values within a memory budget: recent ones in memory, earlier ones in sorted runs,
//! with a Bloom filter for new numbers.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::path::Path;

use super::runs::{Record, Runs, number};
use crate::write::WriteError;

/// Fixed size.
pub trait Value: Copy {
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Default;

    fn to_bytes(self) -> Self::Bytes;

    fn from_bytes(bytes: &Self::Bytes) -> Self;
}

impl Value for [u8; 16] {
    type Bytes = [u8; 16];

    fn to_bytes(self) -> [u8; 16] {
        self
    }

    fn from_bytes(bytes: &[u8; 16]) -> [u8; 16] {
        *bytes
    }
}

#[derive(Debug)]
pub struct NumberedMap<V: Value> {
    recent: HashMap<u64, V>,
    most: usize,
    runs: Runs<Numbered<V>>,
    filter: Filter,
    filter_words: usize,
}

impl<V: Value> NumberedMap<V> {
    /// Holds about `bytes`; more is in files in `folder`.
    #[must_use]
    pub fn new(folder: &Path, bytes: usize) -> NumberedMap<V> {
        // Half for the table, which doubles and fills to seven eighths; a quarter for the filter; the rest for sorting
        // and for run places.
        let slots = (bytes / 2 / (size_of::<(u64, V)>() + 1)).max(2);
        NumberedMap {
            recent: HashMap::new(),
            most: ((1 << slots.ilog2()) * 7 / 8).max(1),
            runs: Runs::new(folder),
            filter: Filter(Vec::new()),
            filter_words: (bytes / 4 / size_of::<u64>()).max(1),
        }
    }

    /// Adds a new number.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn insert(&mut self, number: u64, value: V) -> Result<(), WriteError> {
        if self.recent.len() >= self.most {
            self.spill()?;
        }
        self.recent.insert(number, value);
        Ok(())
    }

    /// # Errors
    /// If the disk fails.
    pub fn get(&self, number: u64) -> Result<Option<V>, WriteError> {
        if let Some(value) = self.recent.get(&number) {
            return Ok(Some(*value));
        }
        if !self.filter.may_have(number) {
            return Ok(None);
        }
        Ok(self.runs.find(&number)?.map(|found| found.value))
    }

    fn spill(&mut self) -> Result<(), WriteError> {
        if self.filter.0.is_empty() {
            self.filter = Filter(vec![0; self.filter_words]);
        }
        let mut numbers: Vec<u64> = self.recent.keys().copied().collect();
        numbers.sort_unstable();
        numbers.iter().for_each(|number| self.filter.enter(*number));
        let recent = &self.recent;
        let records = numbers
            .iter()
            .filter_map(|number| recent.get(number).map(|value| Numbered { number: *number, value: *value }));
        self.runs.add(numbers.len(), records)?;
        self.recent.clear();
        Ok(())
    }
}

/// As in a run.
#[derive(Debug)]
struct Numbered<V> {
    number: u64,
    value: V,
}

impl<V: Value> Record for Numbered<V> {
    type Key = u64;
    const PLACES: u64 = 1 << 15;

    fn key(&self) -> &u64 {
        &self.number
    }

    fn write(&self, out: &mut impl Write) -> io::Result<u64> {
        let value = self.value.to_bytes();
        out.write_all(&self.number.to_le_bytes())?;
        out.write_all(value.as_ref())?;
        Ok((size_of::<u64>() + value.as_ref().len()) as u64)
    }

    fn read(from: &mut impl Read) -> io::Result<Option<Numbered<V>>> {
        let Some(number) = number(from)? else { return Ok(None) };
        let mut value = V::Bytes::default();
        from.read_exact(value.as_mut())?;
        Ok(Some(Numbered { number, value: V::from_bytes(&value) }))
    }

    fn join(&mut self, _: Numbered<V>) {
        // Numbers are unique.
    }
}

/// A Bloom filter.
#[derive(Debug)]
struct Filter(Vec<u64>);

impl Filter {
    /// Bits per number: best at six filter bits per number, good up to sixteen.
    const BITS: u64 = 4;

    fn places(&self, number: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let bits = (self.0.len() as u64 * 64).max(1);
        let (one, other) = (mixed(number), mixed(number ^ u64::MAX) | 1);
        (0..Filter::BITS).map(move |i| {
            let bit = one.wrapping_add(i.wrapping_mul(other)) % bits;
            ((bit / 64) as usize, 1 << (bit % 64))
        })
    }

    fn enter(&mut self, number: u64) {
        for (word, bit) in self.places(number) {
            self.0[word] |= bit;
        }
    }

    fn may_have(&self, number: u64) -> bool {
        !self.0.is_empty() && self.places(number).all(|(word, bit)| self.0[word] & bit != 0)
    }
}

/// SplitMix64's finisher, which spreads consecutive numbers.
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u64) -> [u8; 16] {
        let mut digest = [0; 16];
        digest[..8].copy_from_slice(&mixed(number).to_be_bytes());
        digest
    }

    #[test]
    fn a_map_that_spills_has_the_same_as_one_that_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut small = NumberedMap::new(folder.path(), 4 << 10);
        let mut large = NumberedMap::new(folder.path(), 64 << 20);
        // Rising numbers, as in a year's file, and scattered ones, as of generated games.
        let number = |i: u64| if i.is_multiple_of(2) { i } else { mixed(i) };
        for i in 0..20_000 {
            assert_eq!(small.get(number(i)).unwrap(), None, "{i}");
            small.insert(number(i), digest(i)).unwrap();
            large.insert(number(i), digest(i)).unwrap();
        }
        assert!(!small.runs.is_empty() && large.runs.is_empty());
        assert!(small.recent.capacity() * 25 <= 4 << 10, "{}", small.recent.capacity());
        for i in 0..40_000 {
            let expected = (i < 20_000).then(|| digest(i));
            assert_eq!(small.get(number(i)).unwrap(), expected);
            assert_eq!(large.get(number(i)).unwrap(), expected);
        }
    }

    #[test]
    fn the_filter_never_denies_what_was_entered_and_rarely_admits_what_was_not() {
        let mut filter = Filter(vec![0; 10_000]);
        let entered = 0..80_000u64;
        entered.clone().for_each(|number| filter.enter(number));
        assert!(entered.clone().all(|number| filter.may_have(number)));
        let admitted =
            entered.map(|number| number + 1_000_000).filter(|number| filter.may_have(*number)).count();
        assert!(admitted < 80_000 / 20, "{admitted}");
    }
}
