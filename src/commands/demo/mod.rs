//! `annals demo`: plays a whole event into an empty folder, and examines its log.

mod follow_up;
mod progress;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_demo::{DemoError, Played, Progress as _};

use self::progress::{Progress, say};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;
use crate::terminal::grouped;

/// A championship, or an Olympiad, from scratch, in an empty folder.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "A whole event from scratch, in an empty folder; every player is a setting of our own engine.\n\n\
        The championship: six benchmark bots and twelve entrants register, qualify, meet trouble, and play a floating \
        quadruple elimination of Arimaa to its champion, by the rules of 2015. The Olympiad: seven programs play five \
        rounds of Swiss of the Amazons, by the rules of 2000, two games an encounter; a move is retracted, a connection is \
        lost, a program does not come.\n\n\
        Then the log is verified and audited, replayed to three instants, stored as Parquet and queried. Nothing is \
        downloaded, nothing is asked, and nothing is written outside the folder. The same seed gives the same event on \
        every machine: the last line names the head of the log by which it is known.",
    after_help = "Examples:\n  annals demo\n  annals demo --folder /tmp/cup --seed 2\n  annals demo olympiad"
)]
pub struct Args {
    /// Which event is played.
    #[arg(value_name = "EVENT", value_enum, default_value_t = Event::Championship)]
    event: Event,

    /// The folder for the event, apart from any home with real games; it is made where it is missing. `annals-demo` where it
    /// is not named, or `annals-olympiad`.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// The same seed gives the same event.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many positions the middle of the field looks at for each turn: with fewer it is played faster, and worse.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(8..=1_000_000))]
    nodes: Option<u64>,
}

/// Which event is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Event {
    /// Arimaa: the World Computer Championship by the rules of 2015.
    Championship,
    /// The Amazons: the Computer Olympiad by the rules of 2000.
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
pub fn run(args: Args) -> Result<ExitCode, CliError> {
    let folder = args.folder.unwrap_or_else(|| {
        PathBuf::from(match args.event {
            Event::Championship => "annals-demo",
            Event::Olympiad => "annals-olympiad",
        })
    });
    let log = Home::new(folder.clone()).log();
    let Args { event, seed, nodes, .. } = args;
    let options = annals_demo::Options { event: event.into(), folder: &folder, log: &log, seed, nodes };
    let progress = Progress::new();
    let played = annals_demo::demonstrate(&options, &progress);
    progress.rest();
    let Played { head, events, follow_up } = played.map_err(explain)?;
    say(&format!("The log holds {} events.", grouped(events)))?;
    progress.begin("asking");
    let shown = folder.display().to_string();
    let status = follow_up::ask(&follow_up.questions, &shown)?;
    progress.rest();
    if status != ExitCode::SUCCESS {
        return Ok(status);
    }
    follow_up::suggest(&follow_up, &shown)?;
    talk(format_args!("note: {}", progress.times()));
    say(&format!("\nThe head of the log, the same for the same seed:\n{head}"))?;
    Ok(ExitCode::SUCCESS)
}

/// The error in words, with what to do next.
fn explain(error: DemoError) -> CliError {
    match error {
        DemoError::NotEmpty(..) => CliError::from(error).hint(
            "name an empty folder, or one that is not there yet: --folder DIR. What an earlier demonstration left, \
             whole or interrupted, can be deleted",
        ),
        DemoError::Output(error) => error.into(),
        DemoError::System(error) => error.into(),
        DemoError::Open(error) => error.into(),
        DemoError::Replay(error) => error.into(),
        DemoError::Begin(error) => error.into(),
        DemoError::Direct(error) => error.into(),
        DemoError::Handler(error) => error.into(),
        error => error.into(),
    }
}
