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
    long_about = "Make a sealed copy of the log while it goes on: one read-only file, an anchor of its own, and \
        FILE.sha256 over all its bytes. The copy is verified before it gets its name, so a backup that exists is a good \
        one.",
    after_help = "Examples:\n  annals log backup /backups/annals-2026-11-21.db\n  \
        annals log verify /backups/annals-2026-11-21.db          the copy itself\n  \
        annals log verify --backup /backups/annals-2026-11-21.db the log, held against the copy"
)]
pub struct Args {
    /// The file to be made; nothing is ever written over.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
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
