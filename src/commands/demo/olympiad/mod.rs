//! The Amazons event of the Computer Olympiad by the rules of 2000: seven programs, five rounds of Swiss, encounters of two
//! games. An operator's slip is retracted, a connection is lost and ruled on, a program does not come, and a resigned game
//! gets its territory from the director.

mod afterwards;
mod bout;
mod cast;
mod course;
mod director;
mod files;

use std::path::Path;

use self::bout::Bout;
use self::cast::Cast;
use self::course::Instants;
use crate::commands::demo::Played;
use crate::commands::demo::desk::{self, Desk};
use crate::commands::demo::table::MINUTE;
use crate::commands::demo::talk::Progress;
use crate::commands::demo::tour::Tour;
use crate::errors::CliError;

/// The folder that it is played in where no other is named.
pub const FOLDER: &str = "annals-olympiad";

/// The tournament.
const OLYMPIAD: &str = "olympiad";

/// So many positions a turn that the whole event takes half a minute.
const NODES: u64 = 2_000;

/// What came of an Olympiad.
struct Olympiad {
    instants: Instants,
    played: Played,
}

/// Plays the Olympiad, and writes its game files into the folder; gives what is known of it then, and what can be asked of it.
pub fn demonstrate(
    log: &Path,
    folder: &Path,
    seed: u64,
    nodes: Option<u64>,
    progress: &mut Progress,
) -> Result<(Played, Tour), CliError> {
    let cast = Cast::context(nodes.unwrap_or(NODES))?;
    let Olympiad { instants, played } = play(log, seed, &cast, bout::engine, progress)?;
    let written = progress.part("game files", |_| files::write_all(log, &folder.join("games")))?;
    progress.rest();
    crate::commands::demo::talk::say(format!(
        "{written} game files are in {}.",
        folder.join("games").display()
    ))?;
    Ok((played, afterwards::tour(&instants)))
}

/// Plays a whole Olympiad into a new log.
fn play(
    log: &Path,
    seed: u64,
    cast: &Cast,
    bout: Bout,
    progress: &mut Progress,
) -> Result<Olympiad, CliError> {
    let note = format!("a demonstration, played by `annals demo olympiad --seed {seed}`");
    let players = cast.programs.iter().map(|program| program.id.as_str());
    let begins = desk::time(director::LOG_BEGINS)?;
    let mut desk = Desk::create(log, (seed, note), OLYMPIAD, players, begins)?;
    let desk = &mut desk;
    progress.part("registration", |talk| director::open(desk, cast, talk))?;
    let instants = progress.part("rounds", |talk| {
        let instants = course::play(desk, cast, seed, bout, talk)?;
        desk.close(desk.now() + 30 * MINUTE, talk)?;
        Ok(instants)
    })?;
    Ok(Olympiad { instants, played: Played::of(desk)? })
}

#[cfg(test)]
mod tests;
