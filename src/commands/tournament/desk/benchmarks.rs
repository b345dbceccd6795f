//! `annals tournament qualifier benchmarks` and `qualifying-game`: the stable of benchmark players, and the games against it.

use annals_events::tournament::{Benchmark, BenchmarksDeclared, QualifyingGamePlayed};
use annals_events::{GameId, Side, Termination, TournamentEvent};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{Request, one, word};
use crate::errors::CliError;

/// Declare the stable of benchmark players.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Declare the stable of benchmark players against whom programs qualify. A second declaration takes the \
        place of the first.",
    after_help = "Example:\n  annals tournament qualifier benchmarks wcc-2015 bot_a bot_b bot_c bot_d"
)]
pub struct BenchmarksArgs {
    /// The benchmark players, by identity.
    #[arg(value_name = "PLAYER", required = true)]
    stable: Vec<String>,
}

impl Request for BenchmarksArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let people = work.people()?;
        let mut stable = Vec::new();
        for text in &self.stable {
            let player = work.identity(text)?;
            let name =
                people.identity(&player).map_or_else(|| player.to_string(), |found| found.name.clone());
            stable.push(Benchmark { player, name, account: None });
        }
        one(TournamentEvent::BenchmarksDeclared(BenchmarksDeclared { stable }))
    }
}

/// Record a game of the qualifier.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record a game of the qualifier, counting or not: what counts is worked out when the order is published.",
    after_help = "Example:\n  annals tournament qualifier add-game wcc-2015 sharp bot_a --side gold --winner gold \\\n    \
        --started-at 2015-01-04T20:00Z --ended-at 2015-01-04T21:10Z --termination goal --number 327001"
)]
pub struct QualifyingGameArgs {
    /// The player who wants to qualify.
    player: String,

    /// The benchmark player.
    benchmark: String,

    /// The side of the player who wants to qualify: gold, silver.
    #[arg(long, value_name = "SIDE", value_parser = word::<Side>)]
    side: Side,

    /// When it started.
    #[arg(long, value_name = "TIME")]
    started_at: String,

    /// When it was over.
    #[arg(long, value_name = "TIME")]
    ended_at: String,

    /// The side that won; nobody where it is not given.
    #[arg(long, value_name = "SIDE", value_parser = word::<Side>)]
    winner: Option<Side>,

    /// How it ended.
    #[arg(long, value_name = "WORD", value_parser = word::<Termination>)]
    termination: Option<Termination>,

    /// It was not rated.
    #[arg(long)]
    unrated: bool,

    /// The gameroom's number of the game.
    #[arg(long, value_name = "N")]
    number: Option<u64>,

    /// The game, where the log holds it.
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
}

impl Request for QualifyingGameArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let benchmark = match work.state()?.benchmarks.as_ref().and_then(|declared| {
            let named =
                |one: &&Benchmark| one.player.as_str() == self.benchmark || one.name == self.benchmark;
            declared.stable.iter().find(named).map(|one| one.player.clone())
        }) {
            Some(benchmark) => benchmark,
            None => work.player(&self.benchmark)?,
        };
        let event = TournamentEvent::QualifyingGamePlayed(QualifyingGamePlayed {
            player: work.player(&self.player)?,
            benchmark,
            side: self.side,
            rated: !self.unrated,
            started_at: work.time(&self.started_at)?,
            ended_at: work.time(&self.ended_at)?,
            winner: self.winner,
            termination: self.termination,
            number: self.number,
            game: self.game,
        });
        one(event)
    }
}
