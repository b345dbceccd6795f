//! `annals log export`: events as JSON lines, as `annals log import` reads them.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::{StreamName, canonical};
use annals_replay::{ExportError, export};
use annals_store::Log;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::output::{standard_output, talk};
use crate::output_file::{ForceArgs, OutputFile};
use crate::terminal::counted;

/// Write events as JSON lines
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write events as JSON lines\n\n\
        One envelope a line, as canonical JSON, in the order of the log. `annals log import` reads the lines \
        into another log, which gives them new positions and hashes and keeps everything else.",
    after_help = "Examples:\n  \
        annals log export > everything.jsonl\n  \
        annals log export tournament/wcc-2015 -o wcc-2015.jsonl\n  \
        annals log export | jq -r 'select(.type == \"game.ended\") | .payload'"
)]
pub struct Args {
    /// Streams [default: all]
    #[arg(value_name = "STREAM")]
    streams: Vec<String>,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open_whole(home)?;
    let mut streams = Vec::new();
    for text in &args.streams {
        streams.push(log_file::stream(&log, text)?);
    }
    let Some(path) = &args.output else {
        write(&log, &streams, &mut standard_output())?;
        talk(format_args!("note: {}", log_file::verified(&log)?));
        return Ok(ExitCode::SUCCESS);
    };
    let mut out = OutputFile::create(path, args.force.force)?;
    let events = write(&log, &streams, &mut out)?;
    out.finish()?;
    talk(format_args!(
        "note: {} in {}; {}",
        counted(events, "event"),
        path.display(),
        log_file::verified(&log)?
    ));
    Ok(ExitCode::SUCCESS)
}

fn write(log: &Log, streams: &[StreamName], out: &mut impl Write) -> Result<u64, CliError> {
    let stream = match streams {
        [] => None,
        [one] => Some(one),
        several => return write_several(log, several, out),
    };
    Ok(export(log, stream, out)?)
}

/// Several streams, their events in the order of the log.
fn write_several(log: &Log, streams: &[StreamName], out: &mut impl Write) -> Result<u64, CliError> {
    let mut written = 0;
    for event in log.events(1..=u64::MAX) {
        let event = event?;
        if streams.contains(&event.stream) {
            let line = canonical::to_string(&event)?;
            writeln!(out, "{line}")?;
            written += 1;
        }
    }
    out.flush().map_err(ExportError::from)?;
    Ok(written)
}
