//! `annals log prove`: a proof for a reader without the log and this program.

use std::process::ExitCode;

use annals_store::Head;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::output::write_json;

/// Print a proof for an event or for an earlier receipt
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print a proof for an event or for an earlier receipt\n\n\
        The JSON proof shows that event SEQ is in the log, with every field; with --since, that the log begins \
        with everything that a receipt covers. tools/check_proof.py, a page of Python, checks it without the \
        log.",
    after_long_help = "Examples:\n  \
        annals log prove 812 > proof.json\n  \
        python3 tools/check_proof.py proof.json \"$(annals log head)\"\n  \
        annals log prove --since \"$(head -1 receipts.txt)\" > later.json\n  \
        python3 tools/check_proof.py later.json @receipts.txt \"$(annals log head)\""
)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub struct Args {
    /// Event
    #[arg(value_name = "SEQ", group = "what")]
    seq: Option<u64>,

    /// Earlier receipt: the line itself, or @FILE
    #[arg(long, value_name = "RECEIPT", group = "what")]
    since: Option<String>,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open_whole(home)?;
    match (args.seq, args.since) {
        (Some(seq), _) => write_json(&log.prove_inclusion(seq)?)?,
        (None, since) => {
            let receipts = receipts(&since.unwrap_or_default())?;
            let [receipt, ..] = receipts.as_slice() else {
                return Err(CliError::new("expected a receipt, found none"));
            };
            write_json(&log.prove_consistency(receipt)?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The receipts that an argument names: the line itself, or all lines of the file behind `@`.
pub fn receipts(argument: &str) -> Result<Vec<Head>, CliError> {
    let Some(path) = argument.strip_prefix('@') else { return Ok(vec![argument.parse()?]) };
    let text =
        annals_ingest::input_file::text(path).cannot(format_args!("cannot read the receipts in {path}"))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let receipts: Vec<Head> = lines.map(|line| line.parse::<Head>().at(path)).collect::<Result<_, _>>()?;
    if receipts.is_empty() {
        return Err(CliError::new(format!("{path}: expected a receipt, found none"))
            .hint("`annals log head` prints one"));
    }
    Ok(receipts)
}
