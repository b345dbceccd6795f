//! A table in memory: what a network learns from. It comes straight out of archive files, or out of a table that was
//! written before; the same games under the same filter give the same either way, to the last byte of its digest.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::columns::named;
use crate::error::FeatureError;
use crate::filter::Filter;
use crate::options::Options;
use crate::paper;
use crate::read_back;
use crate::report::Report;
use crate::run::run;
use crate::split::{fold_key, game_name};
use crate::write::Format;

/// One position with what is to be learnt of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub planes: [i8; paper::LEN],
    /// 1 where the side to move won in the end, else 0.
    pub label: u8,
    /// Plies from the end: 0 is the position after the last one.
    pub height: u16,
    /// The game, by place in [`Dataset::game_ids`].
    pub game: u64,
    /// What its fold comes from; see [`fold_key`].
    pub fold_key: u64,
}

/// Positions with their planes, labels and games; position `i` has the planes from `384 × i` on.
#[derive(Clone, PartialEq, Eq)]
pub struct Dataset {
    /// The paper's planes, 384 numbers a position.
    pub planes: Vec<i8>,
    /// 1 where the side to move won in the end, else 0.
    pub labels: Vec<u8>,
    /// Plies from the end.
    pub heights: Vec<u16>,
    /// Games, by place in `game_ids`.
    pub games: Vec<u32>,
    /// The games' names, in the order in which they come.
    pub game_ids: Vec<String>,
    /// What tells this data from any other: BLAKE3 of everything above.
    pub digest: [u8; 32],
    /// What it is, in words: sizes, sources, filter.
    pub description: String,
}

/// What it is, without its millions of numbers.
impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset")
            .field("positions", &self.labels.len())
            .field("games", &self.game_ids.len())
            .field("digest", &hex::encode(self.digest))
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

impl Dataset {
    /// Positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// One position.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Example> {
        let start = index.checked_mul(paper::LEN)?;
        let planes = self.planes.get(start..start + paper::LEN)?.try_into().ok()?;
        let game = *self.games.get(index)?;
        let name = self.game_ids.get(game as usize)?;
        Some(Example {
            planes,
            label: *self.labels.get(index)?,
            height: *self.heights.get(index)?,
            game: u64::from(game),
            fold_key: fold_key(name),
        })
    }
}

/// The columns that a dataset is made of.
pub(crate) const NEEDED: [&str; 4] = ["game", "label", "height", "paper"];

/// Reads archive files (files, folders and patterns) and holds all positions in memory, some 400 bytes each.
///
/// # Errors
/// When nothing can be read, or no position is left.
pub fn collect(sources: &[PathBuf], filter: &Filter, threads: usize) -> Result<Dataset, FeatureError> {
    collect_reported(sources, filter, threads).map(|(dataset, _)| dataset)
}

/// As [`collect`], with what was read, chosen and left out.
///
/// # Errors
/// As [`collect`].
pub fn collect_reported(
    sources: &[PathBuf],
    filter: &Filter,
    threads: usize,
) -> Result<(Dataset, Report), FeatureError> {
    let options = Options { filter: filter.clone(), threads, ..Options::new(named(&NEEDED)?) };
    let mut gathered = Gathered::default();
    let report = run(
        sources,
        &options,
        &(),
        |table, _| Ok(table),
        |table| {
            let mut columns: HashMap<&str, &[u8]> =
                table.columns().map(|(column, bytes)| (column.name, bytes)).collect();
            let parts = NEEDED.map(|name| columns.remove(name).unwrap_or_default());
            gathered.add(parts);
            Ok(())
        },
    )?;
    Ok((gathered.finish(report.description.clone()), report))
}

/// Reads a table that was written as Parquet or safetensors, with the paper's planes in it.
///
/// # Errors
/// When it is no such table, is damaged, or lacks one of the columns.
pub fn read(path: &Path) -> Result<Dataset, FeatureError> {
    match Format::of(path)? {
        Format::Parquet => read_back::parquet(path),
        Format::Safetensors => read_back::safetensors(path),
        Format::Npz => Err(FeatureError::OneWay { path: path.to_owned() }),
    }
}

/// A dataset while it grows.
#[derive(Default)]
pub(crate) struct Gathered {
    planes: Vec<u8>,
    labels: Vec<u8>,
    heights: Vec<u16>,
    games: Vec<u32>,
    numbers: HashMap<u64, u32>,
    game_ids: Vec<String>,
}

impl Gathered {
    /// Takes rows, as the bytes of the columns [`NEEDED`].
    pub fn add(&mut self, [games, labels, heights, planes]: [&[u8]; 4]) {
        self.planes.extend_from_slice(planes);
        self.labels.extend_from_slice(labels);
        self.heights.extend(heights.as_chunks().0.iter().map(|height| u16::from_le_bytes(*height)));
        for number in games.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)) {
            self.game(number);
        }
    }

    /// Takes the game of a row.
    fn game(&mut self, number: u64) {
        let next = u32::try_from(self.game_ids.len()).unwrap_or(u32::MAX);
        let place = *self.numbers.entry(number).or_insert(next);
        if place == next {
            self.game_ids.push(game_name(number));
        }
        self.games.push(place);
    }

    /// All rows are there.
    pub fn finish(self, description: String) -> Dataset {
        let Gathered { planes, labels, heights, games, game_ids, .. } = self;
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"annals dataset 1\n").update(&(labels.len() as u64).to_le_bytes());
        hasher.update(&planes).update(&labels);
        for height in &heights {
            hasher.update(&height.to_le_bytes());
        }
        for game in &games {
            hasher.update(&game.to_le_bytes());
        }
        for name in &game_ids {
            hasher.update(name.as_bytes()).update(b"\n");
        }
        let digest = *hasher.finalize().as_bytes();
        let planes = planes.into_iter().map(u8::cast_signed).collect();
        Dataset { planes, labels, heights, games, game_ids, digest, description }
    }
}
