//! `annals log bundle`: one file of evidence about a game or a tournament.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use annals_replay::evidence;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::output::{diagnostic, write_text};
use crate::output_file::{ForceArgs, OutputFile};
use crate::terminal::counted;

/// Write a file of evidence about a game or tournament
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a file of evidence about a game or tournament\n\n\
        The JSON file has all events of the stream, one proof for all of them, the head of the log, and what \
        violates the rules by the audit. With --games it has the games of a tournament too. `annals log check-bundle` checks it without the log, and so does \
        tools/check_bundle.py, a page of Python.",
    after_long_help = "Examples:\n  \
        annals log bundle tournament/wcc-2015 -o wcc-2015.json\n  \
        annals log bundle tournament/wcc-2015 --games -o everything.json\n  \
        annals log check-bundle wcc-2015.json --receipt \"$(annals log head)\""
)]
pub struct Args {
    /// Stream, or its name
    stream: String,

    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Include the games of the tournament
    #[arg(long)]
    games: bool,

    #[command(flatten)]
    force: ForceArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let mut out = OutputFile::create(&args.output, args.force.force)?;
    let log = log_file::open_whole(home)?;
    let bundle = evidence(&log, log_file::stream(&log, &args.stream)?, args.games)?;
    let found: usize = bundle.verdicts.iter().map(|verdict| verdict.findings.len()).sum();

    let file = args.output.display();
    let cannot = format!("cannot write {file}");
    serde_json::to_writer(&mut out, &bundle).map_err(std::io::Error::from).cannot(&cannot)?;
    out.write_all(b"\n").cannot(&cannot)?;
    out.finish()?;
    diagnostic(format_args!(
        "note: {file}: {} of {} with their proof, {}",
        counted(bundle.events.len() as u64, "event"),
        counted(bundle.streams.len() as u64, "stream"),
        counted(found as u64, "violation")
    ));
    diagnostic(format_args!("note: {}", log_file::verified(&log)?));
    write_text(&format!("{}\n", bundle.head))?;
    Ok(ExitCode::SUCCESS)
}
