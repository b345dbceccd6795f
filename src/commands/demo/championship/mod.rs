//! A whole championship of programs by the rules of 2015: a qualifier against benchmark bots, and a floating quadruple
//! elimination in which a game is halted and another is played again.

mod afterwards;
mod bout;
mod cast;
mod director;
mod final_rounds;
mod qualifier;

use std::path::Path;

use self::bout::Bout;
use self::cast::Cast;
use self::final_rounds::Instants;
use crate::commands::demo::Played;
use crate::commands::demo::desk::{self, Desk};
use crate::commands::demo::talk::Progress;
use crate::commands::demo::tour::Tour;
use crate::errors::CliError;

/// The folder that it is played in where no other is named.
pub const FOLDER: &str = "annals-demo";

/// The tournament.
const CUP: &str = "cup";

/// So many positions a turn that a whole championship takes its two minutes.
const NODES: u64 = 2_000;

/// What came of a championship.
struct Championship {
    instants: Instants,
    played: Played,
}

/// Plays the championship; gives what is known of it then, and what can be asked of it.
pub fn demonstrate(
    log: &Path,
    folder: &str,
    seed: u64,
    nodes: Option<u64>,
    progress: &mut Progress,
) -> Result<(Played, Tour), CliError> {
    let cast = Cast::context(nodes.unwrap_or(NODES))?;
    let Championship { instants, played } = play(log, seed, &cast, bout::engine, progress)?;
    Ok((played, afterwards::tour(folder, &instants)))
}

/// Plays a whole championship into a new log.
fn play(
    log: &Path,
    seed: u64,
    cast: &Cast,
    bout: Bout,
    progress: &mut Progress,
) -> Result<Championship, CliError> {
    let note = format!("a demonstration, played by `annals demo --seed {seed}`");
    let players = cast.entrants.iter().chain(&cast.benchmarks).map(|bot| bot.id.as_str());
    let begins = desk::time(director::LOG_BEGINS)?;
    let mut desk = Desk::create(log, (seed, note), CUP, players, begins)?;
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
    Ok(Championship { instants, played: Played::of(desk)? })
}

#[cfg(test)]
mod tests;
