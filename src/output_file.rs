//! `--force`, and where a command writes its answer. The files themselves are written by `annals_ingest::output_file`.

use std::io::{self, BufWriter, Write};
use std::path::Path;

pub use annals_ingest::output_file::{OutputFile, Staging, write};

use crate::errors::CliError;

// `--force`, for commands that write files.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct ForceArgs {
    /// Overwrite output files that exist
    #[arg(long)]
    pub force: bool,
}

/// As [`annals_ingest::output_file::check`].
pub fn check(path: &Path, force: bool) -> Result<(), CliError> {
    if path.as_os_str() == "-" {
        return Err(CliError::new("`-` is not the name of an output file")
            .hint("leave `-o` out: the answer goes to standard output, and `--format` chooses its form"));
    }
    Ok(annals_ingest::output_file::check(path, force)?)
}

/// Writes a picture that is drawn already, with its provenance.
#[cfg(all(feature = "charts", feature = "sql"))]
pub fn write_picture(
    picture: &[u8],
    title: &str,
    provenance: &annals_report::Provenance,
    path: &Path,
    force: bool,
) -> Result<(), CliError> {
    let entries = provenance.entries_of_picture(title);
    let picture = annals_charts::metadata::embed(picture, annals_charts::Picture::of(path)?, &entries)?;
    Ok(write(path, force, &picture)?)
}

/// Standard output, or a file.
pub enum Output {
    /// Standard output.
    Standard(BufWriter<io::Stdout>),
    /// A file.
    File(OutputFile),
}

impl Output {
    /// A file if one is named, else standard output.
    pub fn create(path: Option<&Path>, force: bool) -> Result<Output, CliError> {
        Ok(match path {
            Some(path) => {
                check(path, force)?;
                Output::File(OutputFile::create(path, force)?)
            }
            None => Output::Standard(BufWriter::with_capacity(1 << 16, io::stdout())),
        })
    }

    /// Writes what is left, and gives a file its name.
    pub fn finish(self) -> Result<(), CliError> {
        match self {
            Output::Standard(mut out) => Ok(out.flush()?),
            Output::File(file) => Ok(file.finish()?),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::File(file) => file.flush(),
        }
    }
}
