//! Kinds of inputs: archive files, a dataset, or Parquet files of its tables.

use std::fs::File;
use std::path::{Path, PathBuf};

use annals_ingest::location::Location;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use crate::dataset::NEEDED;
use crate::error::FeatureError;
use crate::format::METADATA;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sources<'p> {
    /// Archive files and game files, folders and patterns.
    Archive(&'p [PathBuf]),
    /// A folder or an address.
    Dataset(&'p Path),
    /// With the columns of `games` and `turns`.
    Tables(&'p [PathBuf]),
}

impl<'p> Sources<'p> {
    /// By what exists and by endings.
    ///
    /// # Errors
    /// If stored games and archive files are mixed.
    pub fn of(paths: &'p [PathBuf]) -> Result<Sources<'p>, FeatureError> {
        let is_dataset = Location::is_named_by;
        let stored = |path: &&PathBuf| is_parquet(path) || is_dataset(path);
        let (Some(first), other) = (paths.iter().find(stored), paths.iter().find(|path| !stored(path)))
        else {
            return Ok(Sources::Archive(paths));
        };
        match (paths, other) {
            ([dataset], None) if is_dataset(dataset) => Ok(Sources::Dataset(dataset)),
            (_, None) if !paths.iter().any(|path| is_dataset(path)) => Ok(Sources::Tables(paths)),
            _ => {
                let other = other.or_else(|| paths.iter().find(|path| *path != first)).unwrap_or(first);
                Err(FeatureError::TwoKinds { stored: first.clone(), archive: other.clone() })
            }
        }
    }
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

/// Whether a file is a feature table: by its ending, and for Parquet by its description or its columns. None if unreadable.
#[must_use]
pub fn is_table(path: &Path) -> Option<bool> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !is_parquet(path) {
        return Some(["safetensors", "npz"].iter().any(|table| ending.eq_ignore_ascii_case(table)));
    }
    let metadata = ArrowReaderMetadata::load(&File::open(path).ok()?, ArrowReaderOptions::new()).ok()?;
    let pairs = metadata.metadata().file_metadata().key_value_metadata();
    let is_described = pairs.into_iter().flatten().any(|pair| pair.key == METADATA);
    let has = |column: &str| metadata.schema().column_with_name(column).is_some();
    Some(is_described || NEEDED.into_iter().all(has))
}
