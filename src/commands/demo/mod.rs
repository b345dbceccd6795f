//! `annals demo`: a whole championship by the rules of 2015, played from scratch by our own engine in an empty folder, and
//! everything that can be asked of its log afterwards. Nothing of the log comes from the machine's clock or from chance: the same
//! seed gives the same log, to the last byte.

mod afterwards;
mod bout;
mod cast;
mod desk;
mod director;
mod final_rounds;
mod qualifier;
mod talk;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_store::Head;

use self::bout::Bout;
use self::cast::Cast;
use self::desk::Desk;
use self::final_rounds::Instants;
use self::talk::{Progress, say};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// A championship from scratch, in an empty folder.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "A championship from scratch, in an empty folder: six benchmark bots and twelve entrants, all of them settings \
        of our own engine, register, qualify, meet trouble, and play a floating quadruple elimination to its champion. Then \
        the log is verified and audited, replayed to three instants, stored as Parquet, queried, rated and charted.\n\n\
        Nothing is downloaded, nothing is asked, and nothing is written outside the folder. The same seed gives the same \
        championship on every machine: the last line names the head of the log by which it is known.",
    after_help = "Examples:\n  annals demo\n  annals demo --folder /tmp/cup --seed 2"
)]
pub struct Args {
    /// The folder for the championship, apart from any home with real games; it is made where it is missing.
    #[arg(long, value_name = "DIR", default_value = "annals-demo")]
    folder: PathBuf,

    /// The same seed gives the same championship.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many positions the middle of the field looks at for each turn: with fewer it is played faster, and worse.
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = clap::value_parser!(u64).range(8..=1_000_000))]
    nodes: u64,
}

/// So many positions a turn that a whole championship takes its two minutes.
const NODES: u64 = 2_000;

/// Runs the command.
pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    let Args { folder, seed, nodes } = args;
    must_be_empty(&folder)?;
    fs::create_dir_all(&folder)
        .map_err(|e| CliError::new(format!("cannot make the folder {}: {e}", folder.display())))?;
    let home = Home::new(folder.clone());
    let mut progress = Progress::new();
    let championship = play(&home.log(), seed, &Cast::around(nodes)?, bout::engine, &mut progress);
    progress.rest();
    let Championship { instants, head, events } = championship?;
    say(format!("The log holds {} events.", crate::terminal::grouped(events)))?;
    let folder = folder.display().to_string();
    let status = progress.part("asking", |_| afterwards::ask(&folder, &instants))?;
    progress.rest();
    if status != ExitCode::SUCCESS {
        return Ok(status);
    }
    afterwards::next(&folder, &instants)?;
    talk(format_args!("annals: {}", progress.times()));
    say(format!("\nThe head of the log, the same for the same seed:\n{head}"))?;
    Ok(ExitCode::SUCCESS)
}

/// What came of a championship.
struct Championship {
    instants: Instants,
    head: Head,
    events: u64,
}

/// Plays a whole championship into a new log.
fn play(
    log: &Path,
    seed: u64,
    cast: &Cast,
    bout: Bout,
    progress: &mut Progress,
) -> Result<Championship, CliError> {
    let mut desk = Desk::create(log, seed, desk::time(director::LOG_BEGINS)?)?;
    let desk = &mut desk;
    progress.part("registration", |talk| director::open(desk, cast, talk))?;
    let sequences = progress.part("qualifier", |talk| qualifier::play(cast, seed, bout, talk))?;
    progress.part("recording", |talk| {
        let ignored = qualifier::record(desk, cast, &sequences)?;
        let games: usize = sequences.iter().map(Vec::len).sum();
        talk.say(format!("{games} qualifying games, with all their turns and clocks."))?;
        for (game, why) in [
            (ignored.unrated, "is unrated, and does not count"),
            (ignored.wrong_colour, "is played with the wrong colour, and does not count"),
            (ignored.surplus, "is one more than count against a benchmark"),
        ] {
            if let Some(game) = game {
                talk.say(format!("  {game} {why}"))?;
            }
        }
        director::field(desk, cast, talk)
    })?;
    let instants = progress.part("final", |talk| {
        let instants = final_rounds::play(desk, cast, seed, bout, talk)?;
        director::close(desk, talk)?;
        Ok(instants)
    })?;
    let head = desk.log.acknowledged().ok_or_else(|| CliError::new("the log acknowledges nothing"))?;
    Ok(Championship { instants, head, events: desk.log.last_seq()? })
}

/// Only an empty folder is played into: a championship is not mixed with anything else.
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
        "{} is not empty, it holds `{name}`: a made-up championship is not mixed with anything else",
        folder.display()
    ))
    .hint("name an empty folder, or one that is not there yet: --folder DIR. What an earlier demonstration left, whole or \
           interrupted, can be deleted"))
}

#[cfg(test)]
mod tests;
