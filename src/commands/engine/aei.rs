//! `annals engine aei`: the engine, for any AEI controller.

use std::io;
use std::process::ExitCode;

use annals_engine::aei::{Served, serve};
use annals_engine::search::Limits;
use annals_engine::seated::Seated;
use annals_engine::{amazons, player, settings_text};
use annals_events::GameKind;

use crate::errors::{CliError, InWords as _};
use crate::evaluators;
use crate::home::Home;
use crate::values::one_of;

/// Run the engine with the AEI protocol
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run the engine with the AEI protocol\n\n\
        Reads messages of a controller on standard input and answers on standard output. The limits hold for \
        every turn, as well as the controller's clock; without either a turn has 20,000 nodes. It ends at `quit` \
        or at the end of its input.\n\n\
        With a limit of depth or nodes, no clock and the same seed it plays the same turns on every machine. \
        docs/reference/aei.md describes the messages for both games.",
    after_long_help = "Examples:\n  \
        annals engine aei --nodes 100000\n  \
        annals engine aei --depth 8 --setup random --seed 7\n  \
        annals engine aei --game amazons --nodes 15000\n  \
        annals engine aei --settings material,nodes=5000,noise-turns=4"
)]
pub struct Args {
    /// Kind of game
    #[arg(long, value_name = "GAME", default_value = "arimaa", value_parser = one_of(GameKind::ALL, GameKind::word))]
    game: GameKind,

    /// Settings of the player: KEY=VALUE, separated by commas
    #[arg(long, value_name = "SETTINGS")]
    settings: Option<String>,

    /// Evaluator, by name
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,

    /// Maximum search nodes per turn
    #[arg(long, value_name = "N")]
    nodes: Option<String>,

    /// Maximum search depth, in steps (Arimaa) or moves (Amazons)
    #[arg(long, value_name = "STEPS")]
    depth: Option<String>,

    /// Maximum search time per turn, in seconds
    #[arg(long, value_name = "SECONDS")]
    time: Option<String>,

    /// Size of the hash table, in MiB
    #[arg(long, value_name = "MIB")]
    hash: Option<String>,

    /// Seed of setup and noise
    #[arg(long, value_name = "N")]
    seed: Option<String>,

    /// Setup of the pieces
    #[arg(long, value_name = "STYLE", value_parser = ["fixed", "varied", "random"])]
    setup: Option<String>,
}

impl Args {
    /// The options as the text of settings.
    fn text(&self) -> String {
        let options = settings_text::write([
            ("evaluator", self.evaluator.clone()),
            ("nodes", self.nodes.clone()),
            ("depth", self.depth.clone()),
            ("time", self.time.clone()),
            ("hash", self.hash.clone()),
            ("seed", self.seed.clone()),
            ("setup", self.setup.clone()),
        ]);
        let texts = self.settings.iter().cloned().chain([options]);
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(",")
    }
}

pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    match args.game {
        GameKind::Arimaa => {
            let texts = [args.settings.as_deref(), args.evaluator.as_deref()];
            let registry = evaluators::registry(texts.into_iter().flatten())?;
            play::<player::Settings>(&args, &registry)
        }
        GameKind::Amazons => play::<amazons::Settings>(&args, &amazons::Registry::standard()),
    }
}

fn play<S: Seated>(args: &Args, registry: &S::Registry) -> Result<ExitCode, CliError> {
    // Limits that are not given are the clock's, and without one the default ones.
    let mut default = S::default();
    *default.common().limits = Limits::default();
    let settings =
        settings_text::read(&args.text(), default).hint("annals engine aei --help lists the settings")?;
    let served = serve(io::stdin(), io::stdout(), &settings, registry)?;
    Ok(match served {
        Served::Quit | Served::EndOfInput => ExitCode::SUCCESS,
        Served::NoMessage | Served::NobodyListens => ExitCode::from(1),
    })
}
