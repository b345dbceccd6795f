//! Write errors: the disk, or (an error in the program) the encoding.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The disk or the staging limit is full.
    #[error(
        "no space is left for `{}` ({source}); the dataset is as it was before. Free some space, or name another home with \
         --home, then ingest again", path.display()
    )]
    Full { path: PathBuf, source: io::Error },
    #[error("`{}` cannot be {what}: {source}; the dataset is as it was before", path.display())]
    Io {
        /// `created`, `written`, `renamed`, `synced`, `removed` or `read`.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error(
        "the table `{table}` could not be encoded: {source}; this is a fault of the program, please report it"
    )]
    Encoding { table: &'static str, source: parquet::errors::ParquetError },
    /// Another process writes to the dataset.
    #[error(
        "another `annals ingest` is writing into `{}`; wait for it to end, or name another home with --home",
        folder.display()
    )]
    Busy { folder: PathBuf },
    /// Two files have the same name.
    #[error(
        "two files of the dataset would be called `{path}`: their digests begin with the same twelve digits; \
         ingest one of the two sources alone under another home, and please report it"
    )]
    NameTaken { path: String },
}

impl WriteError {
    /// Distinguishes a full disk.
    #[must_use]
    pub fn io(what: &'static str, path: &Path, source: io::Error) -> WriteError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                WriteError::Full { path, source }
            }
            _ => WriteError::Io { what, path, source },
        }
    }

    /// Mostly a disk error below.
    #[must_use]
    pub fn parquet(table: &'static str, path: &Path, source: parquet::errors::ParquetError) -> WriteError {
        match source {
            parquet::errors::ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => WriteError::io("written", path, *error),
                Err(error) => {
                    let source = parquet::errors::ParquetError::External(error);
                    WriteError::Encoding { table, source }
                }
            },
            source => WriteError::Encoding { table, source },
        }
    }
}
