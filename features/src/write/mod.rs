//! Tables as files: Parquet for DuckDB and everything that reads Arrow, `.npz` and safetensors for Python. A file appears under
//! its name when it is complete.

mod arrays;
mod npz;
mod parquet;
mod safetensors;

use std::path::{Path, PathBuf};

use annals_ingest::output_file::{self, Staging};

use crate::error::FeatureError;
use crate::format::Format;
use crate::options::Options;
use crate::report::Report;
use crate::run::{Progress, run};
use arrays::Arrays;
use parquet::{Encoder, TableFile};

/// The file of a table.
#[derive(Debug, Clone, Copy)]
pub struct Target<'p> {
    pub path: &'p Path,
    pub format: Format,
    /// Whether nothing is compressed; safetensors never is.
    pub uncompressed: bool,
    /// Whether files that exist are overwritten.
    pub force: bool,
    /// Keys and values for the metadata of a Parquet file.
    pub metadata: &'p [(&'static str, String)],
}

/// Writes the table of some archive files (files, folders and patterns), stored games or Parquet files.
///
/// # Errors
/// When the file cannot be written, nothing can be read, no position is left, or it was stopped. Nothing is written then.
pub fn write(
    sources: &[PathBuf],
    options: &Options,
    to: &Target<'_>,
    progress: &dyn Progress,
) -> Result<Report, FeatureError> {
    let Target { path: target, format, uncompressed: plain, force, metadata } = *to;
    let described = beside(target);
    if format == Format::Npz {
        output_file::check(&described, force)?;
    }
    let staging = Staging::begin(target, force)?;
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
            file.finish(&json(&report)?, metadata)?;
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
                    std::fs::write(staging.path("description"), json + "\n")
                        .map_err(|e| FeatureError::write("written", &described, e))?;
                    staging.publish("description", &described)?;
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

/// The description of an `.npz`: `NAME.npz.json`.
fn beside(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".json");
    name.into()
}
