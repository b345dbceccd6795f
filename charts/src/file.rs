//! Writing a file so that it appears under its name when it is whole.

use std::fs;
use std::path::Path;

use crate::error::ChartError;

/// Writes a file beside its name, and gives it the name when it is whole.
pub(crate) fn whole(path: &Path, bytes: &[u8]) -> Result<(), ChartError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, path));
    written.map_err(|source| {
        let _ = fs::remove_file(&partial);
        ChartError::Io { path: path.to_owned(), source }
    })
}
