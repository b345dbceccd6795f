//! `annals tournament benchmarks` and `qualifying-game`: the stable of benchmark players, and the games against it.

use std::process::ExitCode;

use annals_events::tournament::{Benchmark, BenchmarksDeclared, QualifyingGamePlayed};
use annals_events::{GameId, Side, Termination, TournamentEvent};

use super::director::{DirectorArgs, word};
use crate::errors::CliError;
use crate::home::Home;

/// Declare the stable of benchmark players.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Declare the stable of benchmark players against whom programs qualify. A second declaration takes the \
        place of the first.",
    after_help = "Example:\n  annals tournament benchmarks wcc-2015 bot_a bot_b bot_c bot_d"
)]
pub struct BenchmarksArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The benchmark players, by identity.
    #[arg(value_name = "PLAYER", required = true)]
    stable: Vec<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `benchmarks`.
pub fn benchmarks(args: BenchmarksArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let people = work.people()?;
    let mut stable = Vec::new();
    for text in &args.stable {
        let player = work.identity(text)?;
        let name = people.identity(&player).map_or_else(|| player.to_string(), |found| found.name.clone());
        stable.push(Benchmark { player, name, account: None });
    }
    work.record(TournamentEvent::BenchmarksDeclared(BenchmarksDeclared { stable }))
}

/// Record a game of the qualifier.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record a game of the qualifier, counting or not: what counts is worked out when the order is published.",
    after_help = "Example:\n  annals tournament qualifying-game wcc-2015 sharp bot_a --side gold --winner gold \\\n    \
        --started-at 2015-01-04T20:00Z --ended-at 2015-01-04T21:10Z --termination goal --number 327001"
)]
pub struct QualifyingGameArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player who wants to qualify.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// The benchmark player.
    #[arg(value_name = "BENCHMARK")]
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

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `qualifying-game`.
pub fn qualifying_game(args: QualifyingGameArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let benchmark = match work.state()?.benchmarks.as_ref().and_then(|declared| {
        let named = |one: &&Benchmark| one.player.as_str() == args.benchmark || one.name == args.benchmark;
        declared.stable.iter().find(named).map(|one| one.player.clone())
    }) {
        Some(benchmark) => benchmark,
        None => work.player(&args.benchmark)?,
    };
    let event = TournamentEvent::QualifyingGamePlayed(QualifyingGamePlayed {
        player: work.player(&args.player)?,
        benchmark,
        side: args.side,
        rated: !args.unrated,
        started_at: work.time(&args.started_at)?,
        ended_at: work.time(&args.ended_at)?,
        winner: args.winner,
        termination: args.termination,
        number: args.number,
        game: args.game,
    });
    work.record(event)
}
