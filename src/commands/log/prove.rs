//! `annals log prove`: a proof for a reader without the log and this program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_store::tlog::checkpoint::SignedCheckpoint;
use annals_store::{ClockSetting, Head, Log};

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::output::{write_json, write_text};

/// Print a proof for an event or for an earlier receipt
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print a proof for an event or for an earlier receipt\n\n\
        The JSON proof shows that event SEQ is in the log, with every field; with --since, that the log begins \
        with everything that a receipt covers. tools/check_proof.py, a page of Python, checks it without the \
        log.\n\n\
        The other formats are those of C2SP, under a checkpoint that the key of the log signs. `tlog-proof` is for an \
        event, and `tlog-witness` is a request to a witness.",
    after_long_help = "Examples:\n  \
        annals log prove 812 > proof.json\n  \
        python3 tools/check_proof.py proof.json \"$(annals log head)\"\n  \
        annals log prove --since \"$(head -1 receipts.txt)\" > later.json\n  \
        python3 tools/check_proof.py later.json @receipts.txt \"$(annals log head)\"\n  \
        annals log prove 812 --format tlog-proof --checkpoint cosigned.txt\n  \
        annals log prove --since 0 --format tlog-witness > request.txt"
)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub struct Args {
    /// Event
    #[arg(value_name = "SEQ", group = "what")]
    seq: Option<u64>,

    /// Earlier receipt: the line itself, @FILE, or a number of events for a witness
    #[arg(long, value_name = "RECEIPT", group = "what")]
    since: Option<String>,

    /// Format of the proof
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Checkpoint of this log for a tlog-proof [default: a new one]
    #[arg(long, value_name = "FILE", conflicts_with = "since")]
    checkpoint: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Json,
    TlogProof,
    TlogWitness,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    match (args.format, args.seq, &args.since) {
        (Format::Json, ..) if args.checkpoint.is_some() => {
            return Err(CliError::new("a JSON proof is under a receipt, and not under a checkpoint")
                .hint("add `--format tlog-proof`"));
        }
        (Format::Json, Some(seq), _) => write_json(&log_file::open_whole(home)?.prove_inclusion(seq)?)?,
        (Format::Json, None, since) => {
            let log = log_file::open_whole(home)?;
            let kept = receipts(since.as_deref().unwrap_or_default())?;
            let old = match (kept.receipts.as_slice(), kept.checkpoints.as_slice()) {
                ([receipt, ..], _) => *receipt,
                ([], [checkpoint, ..]) => log.head_of(&checkpoint.checkpoint)?,
                ([], []) => return Err(CliError::new("expected a receipt, found none")),
            };
            write_json(&log.prove_consistency(&old)?)?;
        }
        (Format::TlogProof, Some(seq), _) => {
            let (log, checkpoint) = match &args.checkpoint {
                Some(path) => (log_file::open_whole(home)?, checkpoint_in(path)?),
                None => {
                    let mut log = log_file::open_existing(home, ClockSetting::LastEvent)?.log;
                    let checkpoint = log.sign_checkpoint()?;
                    (log, checkpoint)
                }
            };
            write_text(&log.prove_inclusion_in(seq, &checkpoint)?.to_string())?;
        }
        (Format::TlogWitness, _, Some(since)) => {
            let mut log = log_file::open_existing(home, ClockSetting::LastEvent)?.log;
            let old = match since.parse::<u64>() {
                Ok(old) => old,
                Err(_) => events_since(&log, &receipts(since)?)?,
            };
            write_text(&log.request_cosignature(old)?.to_string())?;
        }
        (Format::TlogProof, None, _) => {
            return Err(CliError::new("a tlog-proof is for an event, and none is named")
                .hint("annals log prove SEQ --format tlog-proof"));
        }
        (Format::TlogWitness, _, None) => {
            return Err(CliError::new("a request to a witness needs the size that it cosigned last")
                .hint("annals log prove --since 0 --format tlog-witness"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The events that an earlier receipt or checkpoint of this log covers.
fn events_since(log: &Log, kept: &Kept) -> Result<u64, CliError> {
    if let Some(receipt) = kept.receipts.first() {
        return Ok(log.prove_consistency(receipt)?.old.seq);
    }
    let first = kept.checkpoints.first().ok_or_else(|| CliError::new("expected a receipt, found none"))?;
    Ok(log.head_of(&first.checkpoint)?.seq)
}

fn checkpoint_in(path: &Path) -> Result<SignedCheckpoint, CliError> {
    let shown = path.display();
    let text = annals_ingest::input_file::text(path).cannot(format_args!("cannot read {shown}"))?;
    text.parse().cannot(format_args!("cannot read {shown}"))
}

/// Receipts in either format.
pub struct Kept {
    pub receipts: Vec<Head>,
    pub checkpoints: Vec<SignedCheckpoint>,
}

/// The receipts that an argument names: the line itself, or those of the file behind `@`, which has a receipt on each line, or is a
/// checkpoint.
pub fn receipts(argument: &str) -> Result<Kept, CliError> {
    let Some(path) = argument.strip_prefix('@') else {
        return Ok(Kept { receipts: vec![argument.parse()?], checkpoints: Vec::new() });
    };
    let text =
        annals_ingest::input_file::text(path).cannot(format_args!("cannot read the receipts in {path}"))?;
    if text.contains("\n\n\u{2014} ") {
        return Ok(Kept { receipts: Vec::new(), checkpoints: vec![text.parse().at(path)?] });
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let receipts: Vec<Head> = lines.map(|line| line.parse::<Head>().at(path)).collect::<Result<_, _>>()?;
    if receipts.is_empty() {
        return Err(CliError::new(format!("{path}: expected a receipt, found none"))
            .hint("`annals log head` prints one"));
    }
    Ok(Kept { receipts, checkpoints: Vec::new() })
}
