//! The Amazons event of the Computer Olympiad by the rules of 2000: seven programs, five rounds of Swiss, encounters of
//! two games. An operator's error is retracted, a lost connection is ruled on, a program is absent, and a resigned game
//! has its territory from the director.

mod follow_up;
mod game_files;
mod matches;
mod participants;
mod registration;
mod rounds;

use std::path::Path;

use self::matches::PlayMatch;
use self::participants::Participants;
use self::registration::OLYMPIAD;
use self::rounds::Instants;
use crate::director::{self, Director};
use crate::game_in_play::MINUTE;
use crate::{DemoError, Options, Played, Progress};

/// Default positions per move: an Olympiad takes half a minute.
const NODES: u64 = 2_000;

/// Also writes the game files.
pub fn demonstrate(options: &Options<'_>, progress: &dyn Progress) -> Result<Played, DemoError> {
    let participants = Participants::with_nodes(options.nodes.unwrap_or(NODES))?;
    let (director, instants) = play(options.log, options.seed, &participants, matches::engine, progress)?;
    let played = director.played(follow_up::follow_up(&instants))?;
    drop(director);
    progress.begin("game files");
    let folder = options.folder.join("games");
    let written = game_files::write_all(options.log, &folder)?;
    progress.say(&format!("{written} game files are in {}.", folder.display()))?;
    Ok(played)
}

/// Into a new log.
fn play(
    log: &Path,
    seed: u64,
    participants: &Participants,
    play_match: PlayMatch,
    progress: &dyn Progress,
) -> Result<(Director, Instants), DemoError> {
    let note = format!("a demonstration, played by `annals demo olympiad --seed {seed}`");
    let players = participants.programs.iter().map(|program| program.id.as_str());
    let begins = director::time(registration::LOG_BEGINS)?;
    let mut director = Director::create(log, (seed, note), OLYMPIAD, players, begins)?;
    progress.begin("registration");
    registration::open(&mut director, participants, progress)?;
    progress.begin("rounds");
    let instants = rounds::play(&mut director, participants, seed, play_match, progress)?;
    let closes = director.now() + 30 * MINUTE;
    director.close(closes, progress)?;
    Ok((director, instants))
}

#[cfg(test)]
mod tests;
