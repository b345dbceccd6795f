//! `annals log backup`: a sealed, verified copy.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::output::{write_json, write_text};
use crate::terminal::{counted, grouped};

/// Make a sealed and verified copy of the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Make a sealed and verified copy of the log\n\n\
        Other programs can append meanwhile. The copy is one read-only file, with an anchor and FILE.sha256, a \
        digest of its bytes.\n\n\
        FILE appears last: if it exists, the backup is complete. After an interruption run the command again; it \
        deletes what is left of the first try.",
    after_long_help = "Examples:\n  \
        annals log backup /backups/annals-2026-11-21.db\n  \
        annals log verify /backups/annals-2026-11-21.db            the copy\n  \
        annals log verify --backup /backups/annals-2026-11-21.db   the log against it"
)]
pub struct Args {
    /// File to create; no file is overwritten
    file: PathBuf,

    /// Print JSON
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
