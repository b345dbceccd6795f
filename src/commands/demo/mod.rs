//! `annals demo`: a whole event, played from scratch by our own engine in an empty folder, and everything that can be asked
//! of its log afterwards. Nothing of the log comes from the machine's clock or from chance: the same seed gives the same
//! log, to the last byte.

mod boards;
mod championship;
mod desk;
mod entry;
mod olympiad;
mod table;
mod talk;
mod tour;
mod under_way;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_store::Head;

use self::desk::Desk;
use self::talk::{Progress, say};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

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

/// What is known of an event when it is over.
struct Played {
    head: Head,
    events: u64,
}

impl Played {
    fn of(desk: &Desk) -> Result<Played, CliError> {
        let head = desk.log.acknowledged().ok_or_else(|| CliError::new("the log acknowledges nothing"))?;
        Ok(Played { head, events: desk.log.last_seq()? })
    }
}

/// Runs the command.
pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    let Args { event, folder, seed, nodes } = args;
    let named = match event {
        Event::Championship => championship::FOLDER,
        Event::Olympiad => olympiad::FOLDER,
    };
    let folder = folder.unwrap_or_else(|| PathBuf::from(named));
    must_be_empty(&folder)?;
    fs::create_dir_all(&folder)
        .map_err(|e| CliError::new(format!("cannot make the folder {}: {e}", folder.display())))?;
    let log = Home::new(folder.clone()).log();
    let mut progress = Progress::new();
    let shown = folder.display().to_string();
    let demonstrated = match event {
        Event::Championship => championship::demonstrate(&log, &shown, seed, nodes, &mut progress),
        Event::Olympiad => olympiad::demonstrate(&log, &folder, seed, nodes, &mut progress),
    };
    progress.rest();
    let (Played { head, events }, tour) = demonstrated?;
    say(format!("The log holds {} events.", crate::terminal::grouped(events)))?;
    let status = progress.part("asking", |_| tour.ask(&shown))?;
    progress.rest();
    if status != ExitCode::SUCCESS {
        return Ok(status);
    }
    tour.next(&shown)?;
    talk(format_args!("annals: {}", progress.times()));
    say(format!("\nThe head of the log, the same for the same seed:\n{head}"))?;
    Ok(ExitCode::SUCCESS)
}

/// Only an empty folder is played into: an event that is made up is not mixed with anything else.
fn must_be_empty(folder: &Path) -> Result<(), CliError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            return Err(CliError::new(format!("cannot look into the folder {}: {error}", folder.display())));
        }
    };
    let mut found = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let Some(name) = found.next().transpose().map_err(|e: std::io::Error| CliError::from(e))? else {
        return Ok(());
    };
    Err(CliError::new(format!(
        "{} is not empty, it holds `{name}`: an event that is made up is not mixed with anything else",
        folder.display()
    ))
    .hint("name an empty folder, or one that is not there yet: --folder DIR. What an earlier demonstration left, whole or \
           interrupted, can be deleted"))
}
