//! `annals log prove`: a proof for somebody who has neither the log nor this program.

use std::process::ExitCode;

use annals_store::Head;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::output::write_json;

/// Print a proof that an event is in the log, or that it extends what a receipt saw.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print a proof as JSON: that event SEQ, with every field, is in the log as it stands; or, with --since, that \
        the log as it stands begins with everything that a receipt saw. The proof can be checked without the log and \
        without this program: tools/check_proof.py does it on one page of Python.",
    after_help = "Examples:\n  annals log prove 812 > proof.json\n  \
        python3 tools/check_proof.py proof.json \"$(annals log head)\"\n  \
        annals log prove --since \"$(head -1 receipts.txt)\" > extension.json\n  \
        python3 tools/check_proof.py extension.json \"$(head -1 receipts.txt)\" \"$(annals log head)\""
)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub struct Args {
    /// The event.
    #[arg(value_name = "SEQ", group = "what")]
    seq: Option<u64>,

    /// The earlier receipt: the line itself, or @FILE, whose first line is taken.
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
                return Err(CliError::new("there is no receipt in that file"));
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
    let receipts: Vec<Head> =
        lines.map(|line| line.parse::<Head>().cannot(format_args!("{path}"))).collect::<Result<_, _>>()?;
    if receipts.is_empty() {
        return Err(CliError::new(format!("{path} holds no receipt, so nothing could be held against it"))
            .hint("`annals log head` prints one"));
    }
    Ok(receipts)
}
