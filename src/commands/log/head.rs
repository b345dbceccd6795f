//! `annals log head`: the receipt of the present log.

use std::process::ExitCode;

use annals_events::Micros;
use annals_events::log::ClockKind;
use annals_store::Head;
use serde::Serialize;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::output::{write_json, write_text};

/// Print the receipt of the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print the receipt of the log\n\n\
        The receipt has the identity of the log, the number of events, the hash of the last event, and the root \
        of the Merkle tree. Keep it outside: `annals log verify --receipt` and `annals log prove --since` show \
        that a later log still begins with these events.",
    after_long_help = "Examples:\n  \
        annals log head >> receipts.txt\n  \
        annals log head --json | jq .seq"
)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown {
    receipt: String,
    #[serde(flatten)]
    head: Head,
    clock: ClockKind,
    /// When the last event was recorded, microseconds since 1970, UTC.
    recorded_at: Option<Micros>,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open_whole(home)?;
    let head = match log.acknowledged() {
        Some(head) => head,
        None => log.head()?,
    };
    if args.json {
        let recorded_at = log.event(head.seq)?.map(|event| event.recorded_at);
        write_json(&Shown { receipt: head.to_string(), head, clock: log.opened().clock, recorded_at })?;
    } else {
        write_text(&format!("{head}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
