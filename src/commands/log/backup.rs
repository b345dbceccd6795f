//! `annals log backup`: a sealed, verified copy.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::output::{write_json, write_text};
use crate::terminal::{counted, grouped};

/// Make a sealed, verified copy.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Make a sealed copy of the log while other programs append to it. The copy is one read-only file, with \
        an anchor (NAME.anchor for NAME.db, FILE.anchor for each other name) and FILE.sha256, a digest of all its bytes.\n\n\
        The copy is verified before FILE appears, and FILE appears last: where FILE exists, the backup is complete. If the \
        command is killed, run it again: it deletes what is left of the first try. No existing file is replaced.",
    after_help = "Examples:\n  annals log backup /backups/annals-2026-11-21.db\n  \
        annals log verify /backups/annals-2026-11-21.db          the copy itself\n  \
        annals log verify --backup /backups/annals-2026-11-21.db the log, held against the copy"
)]
pub struct Args {
    /// The file to be made; nothing is ever written over.
    file: PathBuf,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let sealed = log_file::open_at(&home.log())?.backup(&args.file)?;
    if args.json {
        write_json(&json!({
            "path": sealed.path, "bytes": sealed.bytes, "sha256": sealed.digest, "head": sealed.head,
            "receipt": sealed.head.to_string(),
        }))?;
    } else {
        write_text(&format!(
            "{}: {}, {} bytes, verified and sealed\nsha256  {}\n{}\n",
            sealed.path.display(),
            counted(sealed.head.seq, "event"),
            grouped(sealed.bytes),
            sealed.digest,
            sealed.head
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
