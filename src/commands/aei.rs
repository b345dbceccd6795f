//! `annals aei`: our engine, for any controller that speaks AEI.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use annals_engine::aei::{Served, serve};
use annals_engine::evaluation::Registry;
use annals_engine::player::{Settings, SetupStyle};
use annals_engine::search::Limits;

use crate::errors::CliError;
use crate::home::Home;

/// Play as an engine of the protocol AEI, on standard input and output.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play as an engine of the protocol AEI, on standard input and output.\n\n\
        Any controller can play it: it sets up, chooses turns under the controller's clock, ponders, and stops when it is \
        told to. The limits given here hold for every turn beside the clock; without limit and clock it looks at \
        20,000 positions a turn. The controller may set the options hash, depth, nodes, seed and evaluator. With a \
        limit of depth or nodes, no clock and the same seed it plays the same turns everywhere. It ends with `quit` \
        or the end of its input.",
    after_help = "Examples:\n  annals aei --nodes 100000\n  \
        annals aei --depth 8 --setup random --seed 7"
)]
pub struct Args {
    /// The evaluator, by name.
    #[arg(long, value_name = "NAME", default_value = Registry::DEFAULT)]
    evaluator: String,

    /// Look at no more than so many positions a turn.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Look no more than so many steps ahead (a turn is up to four).
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u16).range(1..))]
    depth: Option<u16>,

    /// Think no longer than so many seconds a turn.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// The table of positions, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_mib,
          value_parser = clap::value_parser!(u32).range(1..=16_384))]
    hash: u32,

    /// Setup and noise follow from it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How it sets up: fixed, varied by the seed, or at random.
    #[arg(long, value_name = "HOW", default_value = "fixed", value_parser = ["fixed", "varied", "random"])]
    setup: String,
}

/// A time in seconds, with or without a fraction.
pub fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!("`{text}` is no time for a turn; write seconds, from 0.001 to 86400")),
    }
}

/// Runs the command.
pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    let settings = Settings {
        evaluator: args.evaluator,
        limits: Limits { depth: args.depth, nodes: args.nodes, time: args.time },
        hash_mib: args.hash,
        setup: match args.setup.as_str() {
            "random" => SetupStyle::Random,
            "varied" => SetupStyle::Varied,
            _ => SetupStyle::Fixed,
        },
        seed: args.seed,
        ..Settings::default()
    };
    let served = serve(io::stdin(), io::stdout(), &settings, &Registry::standard())
        .map_err(|error| CliError::from_error(&error))?;
    Ok(match served {
        Served::Quit | Served::EndOfInput => ExitCode::SUCCESS,
        Served::NoMessage | Served::NobodyListens => ExitCode::from(1),
    })
}
