//! Which files have a game, a text or the bytes of an earlier file of another shard. The first in the order of the plan
//! counts, so these files are read again, with the games before them.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use arrow::array::Array as _;
use arrow::datatypes::UInt64Type;

use super::plan::PlannedInput;
use crate::location::TableFile;
use crate::manifest::FileEntry;
use crate::run::error::IngestError;
use crate::spill::{NumberedMap, Value};
use crate::tables::{GameRows, RejectRows, Rows as _};
use crate::write::{FinishedInput, StoredFile};

/// A file as a shard has read it.
pub struct ReadInput<'p> {
    pub planned: &'p PlannedInput,
    pub shard: u32,
    pub read: FinishedInput,
}

impl ReadInput<'_> {
    pub fn files(&self) -> impl Iterator<Item = &FileEntry> {
        self.read.sources.iter().flat_map(|source| &source.files)
    }
}

impl Value for u32 {
    type Bytes = [u8; 4];

    fn to_bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }

    fn from_bytes(bytes: &[u8; 4]) -> u32 {
        u32::from_le_bytes(*bytes)
    }
}

/// The places of these files in `inputs`. `stored` are the files of the dataset to which the games are added: their
/// games were known to every shard. About `held` bytes are in memory; the rest is in `folder`.
pub fn shared<'f>(
    inputs: &[ReadInput<'_>],
    stored: impl Iterator<Item = &'f FileEntry>,
    locate: &dyn Fn(&FileEntry) -> TableFile,
    (folder, held): (&Path, usize),
    stop: &dyn Fn() -> Result<(), IngestError>,
) -> Result<BTreeSet<usize>, IngestError> {
    let mut first = NumberedMap::<u32>::new(folder, held);
    let mut texts: HashMap<&str, u32> = HashMap::new();
    let mut shared = BTreeSet::new();
    for file in stored.filter(|file| file.table == GameRows::SPEC.name) {
        numbers(&locate(file), |number| first.insert(number, 0).map_err(IngestError::from))?;
        stop()?;
    }
    for (place, input) in inputs.iter().enumerate() {
        let own = input.shard;
        let digests = std::iter::once(&input.read.entry.digest).chain(&input.read.entry.sources);
        for digest in digests {
            if *texts.entry(digest).or_insert(own) != own {
                shared.insert(place);
            }
        }
        let named =
            |file: &&FileEntry| [GameRows::SPEC.name, RejectRows::SPEC.name].contains(&file.table.as_str());
        for file in input.files().filter(named) {
            numbers(&locate(file), |number| {
                match first.get(number)? {
                    Some(before) if before == own || before == 0 => {}
                    Some(_) => drop(shared.insert(place)),
                    None => first.insert(number, own)?,
                }
                Ok(())
            })?;
            stop()?;
        }
    }
    Ok(shared)
}

/// The numbers of the games that a file names.
fn numbers(
    file: &TableFile,
    mut each: impl FnMut(u64) -> Result<(), IngestError>,
) -> Result<(), IngestError> {
    StoredFile::open(file)?.each_batch(&[GameRows::game_id], |batch| {
        let ids = batch.numbers::<UInt64Type>(GameRows::game_id)?;
        (0..batch.rows()).filter(|row| ids.is_valid(*row)).try_for_each(|row| each(ids.value(row)))
    })
}
