//! Fills a dataset from archive files or a written table. The same games and filter give the same digest either way.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::columns::named;
use crate::dataset::{Dataset, Gathered, NEEDED};
use crate::error::FeatureError;
use crate::filter::Filter;
use crate::format::Format;
use crate::options::Options;
use crate::read_back;
use crate::report::Report;
use crate::run::run;
use crate::sources::is_table;

impl Dataset {
    /// Reads a feature table, or the selected games of archive files or a dataset; `filter` is none for the default selection.
    ///
    /// # Errors
    /// When nothing can be read, no position is left, or a feature table comes with a selection or with other files.
    pub fn open(
        sources: &[PathBuf],
        filter: Option<&Filter>,
        threads: usize,
    ) -> Result<Dataset, FeatureError> {
        match sources {
            [table] if is_table(table).unwrap_or(true) => match filter {
                None => read(table),
                Some(_) => Err(FeatureError::Selected),
            },
            several if several.iter().any(|path| is_table(path) == Some(true)) => Err(FeatureError::Combined),
            files => match filter {
                Some(filter) => collect(files, filter, threads),
                None => collect(files, &Filter::default(), threads),
            },
        }
    }
}

/// Reads archive files (files, folders and patterns) into memory, some 400 bytes per position.
///
/// # Errors
/// If nothing can be read, or no position is left.
pub fn collect(sources: &[PathBuf], filter: &Filter, threads: usize) -> Result<Dataset, FeatureError> {
    collect_reported(sources, filter, threads).map(|(dataset, _)| dataset)
}

/// As [`collect`], with a report.
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

/// Reads a table written as Parquet or safetensors, with the paper's planes.
///
/// # Errors
/// If it is not such a table, damaged, or lacks a column.
pub fn read(path: &Path) -> Result<Dataset, FeatureError> {
    match Format::of(path)? {
        Format::Parquet => read_back::parquet(path),
        Format::Safetensors => read_back::safetensors(path),
        Format::Npz => Err(FeatureError::OneWay { path: path.to_owned() }),
    }
}
