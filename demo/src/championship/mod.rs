//! A whole computer championship by the rules of 2015: a qualifier against benchmark bots, and a floating quadruple
//! elimination with a halted and a replayed game.

mod administration;
mod final_rounds;
mod follow_up;
mod matches;
mod participants;
mod qualifier;

use std::path::Path;

use self::administration::CUP;
use self::final_rounds::Instants;
use self::matches::PlayMatch;
use self::participants::Participants;
use crate::director::{self, Director};
use crate::{DemoError, Options, Played, Progress};

/// Default positions per turn: a championship takes two minutes.
const NODES: u64 = 2_000;

pub fn demonstrate(options: &Options<'_>, progress: &dyn Progress) -> Result<Played, DemoError> {
    let participants = Participants::with_nodes(options.nodes.unwrap_or(NODES))?;
    let (director, instants) = play(options.log, options.seed, &participants, matches::engine, progress)?;
    director.played(follow_up::follow_up(options.folder, &instants))
}

/// Into a new log.
fn play(
    log: &Path,
    seed: u64,
    participants: &Participants,
    play_match: PlayMatch,
    progress: &dyn Progress,
) -> Result<(Director, Instants), DemoError> {
    let note = format!("a demonstration, played by `annals demo --seed {seed}`");
    let players = participants.entrants.iter().chain(&participants.benchmarks).map(|bot| bot.id.as_str());
    let begins = director::time(administration::LOG_BEGINS)?;
    let mut director = Director::create(log, (seed, note), CUP, players, begins)?;
    progress.begin("registration");
    administration::open(&mut director, participants, progress)?;
    progress.begin("qualifier");
    let sequences = qualifier::play(participants, seed, play_match, progress)?;
    progress.begin("recording");
    let ignored = qualifier::record(&mut director, participants, &sequences)?;
    let games: usize = sequences.iter().map(Vec::len).sum();
    progress.say(&format!("{games} qualifying games, with all their turns and clocks."))?;
    for (game, why) in [
        (ignored.unrated, "is unrated, and does not count"),
        (ignored.wrong_colour, "is played with the wrong colour, and does not count"),
        (ignored.surplus, "is one more than count against a benchmark"),
    ] {
        if let Some(game) = game {
            progress.say(&format!("  {game} {why}"))?;
        }
    }
    administration::field(&mut director, participants, progress)?;
    progress.begin("final");
    let instants = final_rounds::play(&mut director, participants, seed, play_match, progress)?;
    administration::close(&mut director, progress)?;
    Ok((director, instants))
}

#[cfg(test)]
mod tests;
