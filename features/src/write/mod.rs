//! Tables as files: Parquet for DuckDB and everything that speaks Arrow, `.npz` and safetensors for Python. A file is written
//! under another name and gets its own when it is whole, so that nobody ever sees half of one.

mod arrays;
mod npz;
mod parquet;
mod safetensors;
mod staging;

use std::path::{Path, PathBuf};

use crate::error::FeatureError;
use crate::options::Options;
use crate::report::Report;
use crate::run::{Progress, run};
use arrays::Arrays;
use parquet::{Encoder, TableFile};
use staging::Staging;

pub(crate) use parquet::METADATA;

/// The kinds of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet: one row a position; planes are bytes.
    Parquet,
    /// NumPy's archive of arrays, one for each column, and a description as JSON beside it.
    Npz,
    /// safetensors: one tensor for each column.
    Safetensors,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Npz, Format::Safetensors];

    /// Its name, which is also the ending of its files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Npz => "npz",
            Format::Safetensors => "safetensors",
        }
    }

    /// What the name of a file says that it is.
    ///
    /// # Errors
    /// When it says nothing that we know.
    pub fn of(path: &Path) -> Result<Format, FeatureError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format = Format::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.word()));
        format.ok_or_else(|| FeatureError::UnknownFormat { path: path.to_owned() })
    }
}

/// Writes the table of some archive files (files, folders and patterns). With `plain` nothing is packed, whatever the
/// format; safetensors never is. A file of the same name is replaced when the new one is whole.
///
/// # Errors
/// When nothing can be read, no position is left, the disk refuses, or it was stopped. Nothing is written then.
pub fn write(
    sources: &[PathBuf],
    options: &Options,
    target: &Path,
    format: Format,
    plain: bool,
    progress: &dyn Progress,
) -> Result<Report, FeatureError> {
    let staging = Staging::begin(target)?;
    match format {
        Format::Parquet => {
            let encoder = Encoder::new(&options.columns, plain)?;
            let mut file = TableFile::create(&staging.path("table"), target, &encoder)?;
            let report = run(
                sources,
                options,
                progress,
                |table, source| encoder.encode(table, source),
                |g| file.append(g),
            )?;
            file.finish(&json(&report)?)?;
            staging.publish("table", target)?;
            Ok(report)
        }
        Format::Npz | Format::Safetensors => {
            let mut arrays = Arrays::create(&staging, target, &options.columns)?;
            let report = run(sources, options, progress, |table, _| Ok(table), |table| arrays.append(table))?;
            let arrays = arrays.finish()?;
            let json = json(&report)?;
            let whole = staging.path("table");
            match format {
                Format::Npz => {
                    npz::write(&arrays, &whole, plain)
                        .map_err(|e| FeatureError::write("written", target, e))?;
                    let beside = beside(target);
                    std::fs::write(staging.path("description"), json + "\n")
                        .map_err(|e| FeatureError::write("written", &beside, e))?;
                    staging.publish("description", &beside)?;
                }
                _ => safetensors::write(&arrays, &whole, &json)
                    .map_err(|e| FeatureError::write("written", target, e))?,
            }
            staging.publish("table", target)?;
            Ok(report)
        }
    }
}

fn json(report: &Report) -> Result<String, FeatureError> {
    serde_json::to_string(report).map_err(|error| FeatureError::Encoding(error.to_string()))
}

/// Where the description of an `.npz` lies: `NAME.npz.json`.
fn beside(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".json");
    name.into()
}
