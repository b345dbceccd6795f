//! `annals engine aei`: our engine, for any controller that speaks AEI.

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

/// Play as an engine of the protocol AEI, on standard input and output.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play as an engine of the protocol AEI, on standard input and output.\n\n\
        Any controller can play it: it sets up, chooses turns under the controller's clock, ponders, and stops when it is \
        told to. The limits given here hold for every turn beside the clock; without limit and clock it looks at \
        20,000 positions a turn. The controller may set the options hash, depth, nodes, seed and evaluator. With a \
        limit of depth or nodes, no clock and the same seed it plays the same turns everywhere. It ends with `quit` \
        or the end of its input.\n\n\
        With --game amazons it plays the Amazons by the same messages; docs/aei.md has a whole session.",
    after_help = "Examples:\n  annals engine aei --nodes 100000\n  \
        annals engine aei --depth 8 --setup random --seed 7\n  \
        annals engine aei --game amazons --nodes 15000\n  \
        annals engine aei --settings material,nodes=5000,noise-turns=4,noise-per-mille=300"
)]
pub struct Args {
    /// The game that is played: arimaa or amazons.
    #[arg(long, value_name = "GAME", default_value = "arimaa")]
    game: GameKind,

    /// Settings of the player, KEY=VALUE joined by commas; the options below say the same one by one.
    #[arg(long, value_name = "SETTINGS")]
    settings: Option<String>,

    /// The evaluator, by name.
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,

    /// Look at no more than so many positions a turn.
    #[arg(long, value_name = "N")]
    nodes: Option<String>,

    /// Look no more than so many steps ahead (a turn is up to four), or moves in the Amazons.
    #[arg(long, value_name = "STEPS")]
    depth: Option<String>,

    /// Think no longer than so many seconds a turn.
    #[arg(long, value_name = "SECONDS")]
    time: Option<String>,

    /// The table of positions, in MiB.
    #[arg(long, value_name = "MIB")]
    hash: Option<String>,

    /// Setup and noise follow from it.
    #[arg(long, value_name = "N")]
    seed: Option<String>,

    /// How it sets up: fixed, varied by the seed, or at random.
    #[arg(long, value_name = "HOW")]
    setup: Option<String>,
}

impl Args {
    /// What the options say, as settings in words: so they are read as settings are everywhere.
    fn in_words(&self) -> String {
        let options = [
            ("evaluator", &self.evaluator),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
            ("time", &self.time),
            ("hash", &self.hash),
            ("seed", &self.seed),
            ("setup", &self.setup),
        ];
        let said = options.iter().filter_map(|(key, value)| Some(format!("{key}={}", value.as_ref()?)));
        self.settings.iter().cloned().chain(said).collect::<Vec<_>>().join(",")
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
    // The limits that are not said are the clock's, and without one the usual ones.
    let mut usual = S::default();
    *usual.limits_mut() = Limits::default();
    let settings =
        settings_text::read(&args.in_words(), usual).hint("annals engine aei --help tells the settings")?;
    let served = serve(io::stdin(), io::stdout(), &settings, registry)?;
    Ok(match served {
        Served::Quit | Served::EndOfInput => ExitCode::SUCCESS,
        Served::NoMessage | Served::NobodyListens => ExitCode::from(1),
    })
}
