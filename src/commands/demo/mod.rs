//! `annals demo`: plays a whole event into an empty directory, and examines its log.

mod follow_up;
mod progress;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_demo::{Played, Progress as _};

use self::progress::{Progress, say};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;
use crate::program::Program;
use crate::terminal::grouped;

/// Play a whole championship or Olympiad in an empty directory
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play a whole championship or Olympiad in an empty directory\n\n\
        Every player is a setting of the built-in engine. The championship has a qualifier, technical rulings \
        and a floating quadruple elimination. The Olympiad has seven programs and five rounds of Swiss.\n\n\
        The log is then verified, audited, replayed at three points in time, stored as Parquet and queried. \
        Nothing is downloaded or written outside the directory.\n\n\
        The same seed gives the same event on every machine; the last line prints the head of its log.",
    after_long_help = "Examples:\n  annals demo\n  annals demo -o /tmp/cup --seed 2\n  annals demo olympiad"
)]
pub struct Args {
    /// Event to play
    #[arg(value_name = "EVENT", value_enum, default_value_t = Event::Championship)]
    event: Event,

    /// Empty directory for the event [default: annals-demo or annals-olympiad]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Seed; the same seed gives the same event
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Search nodes per turn of the middle of the field
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(8..=1_000_000))]
    nodes: Option<u64>,

    /// Serve the event as web pages afterwards, until Ctrl-C
    #[cfg(feature = "server")]
    #[arg(long)]
    serve: bool,
}

/// Which event is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Event {
    /// Arimaa: World Computer Championship, rules of 2015
    Championship,
    /// Amazons: Computer Olympiad, rules of 2000
    Olympiad,
}

impl From<Event> for annals_demo::Event {
    fn from(event: Event) -> annals_demo::Event {
        match event {
            Event::Championship => annals_demo::Event::Championship,
            Event::Olympiad => annals_demo::Event::Olympiad,
        }
    }
}

/// Runs the command.
pub fn run(args: Args, program: &Program) -> Result<ExitCode, CliError> {
    let folder = args.output.unwrap_or_else(|| {
        PathBuf::from(match args.event {
            Event::Championship => "annals-demo",
            Event::Olympiad => "annals-olympiad",
        })
    });
    let log = Home::new(folder.clone()).log();
    #[cfg(feature = "server")]
    let serves = args.serve;
    let Args { event, seed, nodes, .. } = args;
    let options = annals_demo::Options { event: event.into(), folder: &folder, log: &log, seed, nodes };
    let progress = Progress::new();
    let played = annals_demo::demonstrate(&options, &progress);
    progress.rest();
    let Played { head, events, follow_up } = played?;
    say(&format!("The log holds {} events.", grouped(events)))?;
    progress.begin("asking");
    let shown = folder.display().to_string();
    let status = follow_up::ask(&follow_up.questions, &shown, program)?;
    progress.rest();
    if status != ExitCode::SUCCESS {
        return Ok(status);
    }
    follow_up::suggest(&follow_up, &shown, program)?;
    diagnostic(format_args!("note: {}", progress.times()));
    say(&format!("\nThe head of the log, the same for the same seed:\n{head}"))?;
    #[cfg(feature = "server")]
    if serves {
        return super::serve::run(super::serve::Args::default(), &Home::new(folder));
    }
    Ok(ExitCode::SUCCESS)
}
