//! The formats of written tables.

use std::path::Path;

use crate::error::FeatureError;

/// The file's metadata key of the description.
pub(crate) const METADATA: &str = "annals.features";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One row per position; planes are bytes.
    Parquet,
    /// NumPy arrays per column, with a JSON description next to it.
    Npz,
    /// One tensor per column.
    Safetensors,
}

impl Format {
    pub const ALL: &'static [Format] = &[Format::Parquet, Format::Npz, Format::Safetensors];

    /// Also the files' ending.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Npz => "npz",
            Format::Safetensors => "safetensors",
        }
    }

    /// The format of a file by the ending of its name.
    ///
    /// # Errors
    /// When it is another ending.
    pub fn of(path: &Path) -> Result<Format, FeatureError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format = Format::ALL.iter().copied().find(|format| ending.eq_ignore_ascii_case(format.word()));
        format.ok_or_else(|| FeatureError::UnknownFormat { path: path.to_owned() })
    }
}
