//! Sorted runs of records in temporary files. Runs of similar length are merged, so that open files and search costs do
//! not grow with the input.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::write::WriteError;

/// Runs per level before merging.
const MERGED_AT: usize = 8;

/// Bytes per read or write, for each run.
const PIECE: usize = 64 << 10;

/// Fewest records between two search places.
const STRIDE: u64 = 64;

pub trait Record: Sized {
    type Key: Ord + Clone;

    /// Most places kept per run for [`Runs::find`]; zero without searching.
    const PLACES: u64;

    fn key(&self) -> &Self::Key;

    /// Returns the number of bytes.
    ///
    /// # Errors
    /// If the disk fails.
    fn write(&self, out: &mut impl Write) -> io::Result<u64>;

    /// None at the end.
    ///
    /// # Errors
    /// If the disk fails, or the bytes are not a record.
    fn read(from: &mut impl Read) -> io::Result<Option<Self>>;

    /// Merges a later record of the same key.
    fn join(&mut self, later: Self);
}

/// A number; none at the end of a run.
///
/// # Errors
/// If the disk fails, or the run ends within the number.
pub fn number(from: &mut impl Read) -> io::Result<Option<u64>> {
    let mut bytes = [0; 8];
    let mut filled = 0;
    while filled < bytes.len() {
        match from.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Some(u64::from_le_bytes(bytes)))
}

/// In order of creation.
#[derive(Debug)]
pub struct Runs<R: Record> {
    folder: PathBuf,
    runs: Vec<Run<R::Key>>,
}

#[derive(Debug)]
struct Run<K> {
    file: Mutex<File>,
    level: u32,
    records: u64,
    /// Some keys with record offsets, the first included.
    places: Vec<(K, u64)>,
}

impl<R: Record> Runs<R> {
    /// Files go to `folder`.
    #[must_use]
    pub fn new(folder: &Path) -> Runs<R> {
        Runs { folder: folder.to_owned(), runs: Vec::new() }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds a run of `count` records, sorted by unique keys.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn add(&mut self, count: usize, records: impl Iterator<Item = R>) -> Result<(), WriteError> {
        self.write(0, count as u64, records.map(Ok))?;
        while let Some(first) = self.runs.len().checked_sub(MERGED_AT)
            && let level = self.runs[first].level
            && self.runs.last().is_some_and(|last| last.level == level)
        {
            let merged = self.runs.split_off(first);
            let count = merged.iter().map(|run| run.records).sum();
            let merged = self.merge(merged)?;
            self.write(level + 1, count, merged)?;
        }
        Ok(())
    }

    /// The record of a key; if several runs have it, any of them.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn find(&self, key: &R::Key) -> Result<Option<R>, WriteError> {
        for run in &self.runs {
            let after = run.places.partition_point(|(first, _)| first <= key);
            let Some((_, place)) = after.checked_sub(1).and_then(|at| run.places.get(at)) else { continue };
            let end = run.places.get(after).map(|(_, end)| *end);
            if let Some(record) = run.search(key, *place, end).map_err(|e| self.failed("read", e))? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// All records by key; equal keys are joined in order of creation.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn merged(mut self) -> Result<Merged<R>, WriteError> {
        let runs = std::mem::take(&mut self.runs);
        self.merge(runs)
    }

    fn merge(&self, runs: Vec<Run<R::Key>>) -> Result<Merged<R>, WriteError> {
        let begin = || runs.into_iter().map(Head::begin).collect::<io::Result<Vec<_>>>();
        let heads = begin().map_err(|error| self.failed("read", error))?;
        Ok(Merged { folder: self.folder.clone(), heads: heads.into_iter().flatten().collect() })
    }

    fn write(
        &mut self,
        level: u32,
        count: u64,
        records: impl Iterator<Item = Result<R, WriteError>>,
    ) -> Result<(), WriteError> {
        let stride = count.checked_div(R::PLACES).map_or(u64::MAX, |stride| stride.max(STRIDE));
        let file = tempfile::tempfile_in(&self.folder).map_err(|error| self.failed("created", error))?;
        let mut out = BufWriter::with_capacity(PIECE, file);
        let (mut written, mut bytes, mut places) = (0, 0, Vec::new());
        for record in records {
            let record = record?;
            if written % stride == 0 && R::PLACES > 0 {
                places.push((record.key().clone(), bytes));
            }
            bytes += record.write(&mut out).map_err(|error| self.failed("written", error))?;
            written += 1;
        }
        let file = out.into_inner().map_err(|error| self.failed("written", error.into_error()))?;
        self.runs.push(Run { file: Mutex::new(file), level, records: written, places });
        Ok(())
    }

    fn failed(&self, what: &'static str, error: io::Error) -> WriteError {
        WriteError::io(what, &self.folder, error)
    }
}

impl<K: Ord> Run<K> {
    /// Searches between two places, or to the end of the run.
    fn search<R: Record<Key = K>>(&self, key: &K, place: u64, end: Option<u64>) -> io::Result<Option<R>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place))?;
        let bytes = end.map_or(u64::MAX, |end| end - place);
        let mut records = BufReader::with_capacity(
            PIECE.min(usize::try_from(bytes).unwrap_or(PIECE)),
            (&mut *file).take(bytes),
        );
        while let Some(record) = R::read(&mut records)? {
            if record.key() >= key {
                return Ok((record.key() == key).then_some(record));
            }
        }
        Ok(None)
    }
}

/// Records of several runs by key.
#[derive(Debug)]
pub struct Merged<R> {
    folder: PathBuf,
    heads: Vec<Head<R>>,
}

/// A run with its next record.
#[derive(Debug)]
struct Head<R> {
    next: R,
    rest: BufReader<File>,
}

impl<R: Record> Head<R> {
    fn begin(run: Run<R::Key>) -> io::Result<Option<Head<R>>> {
        let mut file = run.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        file.rewind()?;
        let mut rest = BufReader::with_capacity(PIECE, file);
        Ok(R::read(&mut rest)?.map(|next| Head { next, rest }))
    }
}

impl<R: Record> Merged<R> {
    /// Removes a run's next record, and the run after its last.
    fn take(&mut self, at: usize) -> io::Result<R> {
        let head = &mut self.heads[at];
        match R::read(&mut head.rest)? {
            Some(next) => Ok(std::mem::replace(&mut head.next, next)),
            None => Ok(self.heads.remove(at).next),
        }
    }

    fn joined(&mut self) -> io::Result<Option<R>> {
        let first =
            (0..self.heads.len()).min_by(|a, b| self.heads[*a].next.key().cmp(self.heads[*b].next.key()));
        let Some(mut at) = first else { return Ok(None) };
        let before = self.heads.len();
        let mut record = self.take(at)?;
        // Runs are in order of creation, so later ones are joined.
        at += usize::from(self.heads.len() == before);
        while at < self.heads.len() {
            let before = self.heads.len();
            if self.heads[at].next.key() == record.key() {
                let later = self.take(at)?;
                record.join(later);
            }
            at += usize::from(self.heads.len() == before);
        }
        Ok(Some(record))
    }
}

impl<R: Record> Iterator for Merged<R> {
    type Item = Result<R, WriteError>;

    fn next(&mut self) -> Option<Result<R, WriteError>> {
        self.joined().map_err(|error| WriteError::io("read", &self.folder, error)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Texts by number; later ones are appended.
    #[derive(Debug, Clone, PartialEq)]
    struct Keyed(u64, String);

    impl Record for Keyed {
        type Key = u64;
        const PLACES: u64 = 3;

        fn key(&self) -> &u64 {
            &self.0
        }

        fn write(&self, out: &mut impl Write) -> io::Result<u64> {
            out.write_all(&self.0.to_le_bytes())?;
            out.write_all(&(self.1.len() as u64).to_le_bytes())?;
            out.write_all(self.1.as_bytes())?;
            Ok(16 + self.1.len() as u64)
        }

        fn read(from: &mut impl Read) -> io::Result<Option<Keyed>> {
            let Some(key) = number(from)? else { return Ok(None) };
            let length = number(from)?.unwrap_or_default();
            let mut text = String::new();
            from.take(length).read_to_string(&mut text)?;
            Ok(Some(Keyed(key, text)))
        }

        fn join(&mut self, later: Keyed) {
            self.1 += &later.1;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

        #[test]
        fn merged_runs_are_what_one_sorted_map_would_be(
            batches in prop::collection::vec(prop::collection::btree_map(0u64..400, "[a-z]{0,3}", 0..60), 0..70),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let (mut runs, mut expected) = (Runs::new(folder.path()), BTreeMap::<u64, String>::new());
            for batch in &batches {
                runs.add(batch.len(), batch.iter().map(|(n, text)| Keyed(*n, text.clone()))).unwrap();
                for (number, text) in batch {
                    *expected.entry(*number).or_default() += text;
                }
            }
            // No more open files than a few of each level.
            prop_assert!(runs.runs.len() < MERGED_AT * 3, "{}", runs.runs.len());
            for number in 0..400 {
                let found: Option<Keyed> = runs.find(&number).unwrap();
                prop_assert_eq!(found.is_some(), expected.contains_key(&number));
            }
            let merged: Vec<Keyed> = runs.merged().unwrap().collect::<Result<_, _>>().unwrap();
            let expected: Vec<Keyed> = expected.into_iter().map(|(n, text)| Keyed(n, text)).collect();
            prop_assert_eq!(merged, expected);
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a file was left");
        }
    }

    #[test]
    fn a_folder_that_is_gone_is_an_error_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut runs = Runs::new(&folder.path().join("gone"));
        let error = runs.add(1, std::iter::once(Keyed(1, String::new()))).unwrap_err();
        assert!(error.to_string().contains("gone` cannot be created"), "{error}");
    }
}
