//! `annals tournament qualifier benchmarks` and `qualifying-game`: the stable of benchmark players, and the games against it.

use annals_events::tournament::{Benchmark, BenchmarksDeclared, QualifyingGamePlayed};
use annals_events::{GameId, Side, Termination, TournamentEvent};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{Request, one, word};
use crate::errors::CliError;

/// Declare the benchmark players of the qualifier
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Declare the benchmark players of the qualifier\n\n\
        A second declaration replaces the first.",
    after_help = "Example:\n  annals tournament qualifier benchmarks wcc-2015 bot_a bot_b bot_c bot_d"
)]
pub struct BenchmarksArgs {
    /// Benchmark players, by identity
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

/// Record a game of the qualifier
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record a game of the qualifier\n\n\
        Records every game; `annals tournament qualifier rank` computes which of them count.",
    after_help = "Example:\n  \
        annals tournament qualifier add-game wcc-2015 sharp bot_a --side gold \\\n    \
        --winner gold --termination goal --started-at 2015-01-04T20:00Z \\\n    \
        --ended-at 2015-01-04T21:10Z"
)]
pub struct QualifyingGameArgs {
    /// Player of the qualifier
    player: String,

    /// Benchmark player
    benchmark: String,

    /// Side of the player
    #[arg(long, value_name = "SIDE", value_parser = word::<Side>)]
    side: Side,

    /// Start of the game
    #[arg(long, value_name = "TIME")]
    started_at: String,

    /// End of the game
    #[arg(long, value_name = "TIME")]
    ended_at: String,

    /// Side that won [default: none]
    #[arg(long, value_name = "SIDE", value_parser = word::<Side>)]
    winner: Option<Side>,

    /// How the game ended
    #[arg(long, value_name = "WORD", value_parser = word::<Termination>)]
    termination: Option<Termination>,

    /// The game was unrated
    #[arg(long)]
    unrated: bool,

    /// Number of the game in the archive
    #[arg(long, value_name = "N")]
    number: Option<u64>,

    /// Game of the log
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
