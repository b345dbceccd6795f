//! What can go wrong while writing: the disk, or (through a fault of ours) the encoding.

use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The disk is full, or the limit for staged files is reached.
    #[error(
        "no space is left for `{}` ({source}); the dataset is as it was before. Free some space, or name another home with \
         --home, then ingest again", path.display()
    )]
    Full { path: PathBuf, source: io::Error },
    #[error("`{}` cannot be {what}: {source}; the dataset is as it was before", path.display())]
    Io {
        /// What was tried: `created`, `written`, `renamed`, `synced`, `removed`, `read`.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// The rows could not be encoded.
    #[error(
        "the table `{table}` could not be encoded: {source}; this is a fault of the program, please report it"
    )]
    Encoding { table: &'static str, source: parquet::errors::ParquetError },
    /// Another process is writing into the dataset.
    #[error(
        "another `annals ingest` is writing into `{}`; wait for it to end, or name another home with --home",
        folder.display()
    )]
    Busy { folder: PathBuf },
    /// Two files would have the same name.
    #[error(
        "two files of the dataset would be called `{path}`: their digests begin with the same twelve digits; \
         ingest one of the two sources alone under another home, and please report it"
    )]
    NameTaken { path: String },
}

impl WriteError {
    /// An error of the disk, told apart from a full disk.
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

    /// An error of the Parquet writer: mostly one of the disk below it.
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
