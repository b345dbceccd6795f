//! `annals log bundle`: one file of evidence about a game or a tournament.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::{PROGRAM, StreamName};
use annals_replay::{Cut, Finding, view_at};
use annals_store::{BUNDLE, Bundle, prove_streams, with_its_games};
use serde::Serialize;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::output::{talk, write_text};
use crate::output_file::{ForceArgs, OutputFile};
use crate::terminal::counted;

/// Write a file of evidence about a game or tournament
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a file of evidence about a game or tournament\n\n\
        The JSON file has all events (of a tournament also those of its games), a proof for each, the head of \
        the log, and the findings of the audit. tools/check_bundle.py, a page of Python, checks it with the \
        receipt of that head, without the log.",
    after_help = "Examples:\n  \
        annals log bundle tournament/wcc-2015 -o wcc-2015.json\n  \
        python3 tools/check_bundle.py wcc-2015.json \"$(annals log head)\""
)]
pub struct Args {
    /// Stream, or its name
    stream: String,

    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    force: ForceArgs,
}

/// What the audit says of one stream.
#[derive(Serialize)]
struct BundleVerdict {
    stream: StreamName,
    findings: Vec<Finding>,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let mut out = OutputFile::create(&args.output, args.force.force)?;
    let log = log_file::open_whole(home)?;
    let about = log_file::stream(&log, &args.stream)?;
    let streams = with_its_games(&log, &about)?;
    let (head, whole, events) = prove_streams(&log, &streams)?;
    let cut = Cut::at_seq(head.seq);
    let mut verdicts = Vec::new();
    for stream in &streams {
        let findings = view_at(&log, stream, &cut)?.findings().to_vec();
        verdicts.push(BundleVerdict { stream: stream.clone(), findings });
    }
    let (found, proven) = (verdicts.iter().map(|v| v.findings.len() as u64).sum(), events.len() as u64);
    let bundle = Bundle { format: BUNDLE, about, program: PROGRAM, head, streams: whole, events, verdicts };

    let file = &args.output;
    let cannot = format_args!("cannot write {}", file.display());
    serde_json::to_writer(&mut out, &bundle).map_err(std::io::Error::from).cannot(cannot)?;
    out.write_all(b"\n").cannot(cannot)?;
    out.finish()?;
    talk(format_args!(
        "note: {}: {} of {} with proofs, {}",
        file.display(),
        counted(proven, "event"),
        counted(streams.len() as u64, "stream"),
        counted(found, "finding")
    ));
    talk(format_args!("note: {}", log_file::verified(&log)?));
    write_text(&format!("{head}\n"))?;
    Ok(ExitCode::SUCCESS)
}
