//! `annals chart evaluation`: the evaluation of each position of one game.

use std::process::ExitCode;

use annals_analytics::charts::blunders::Judging;
use annals_analytics::charts::clock::{Clock, clock};
use annals_analytics::charts::evaluation::evaluation;
use annals_analytics::charts::played_game::PlayedGame;
use annals_analytics::charts::{Lower, Stacked, of_dataset, of_file};
use annals_report::shell_word;

use super::picture::{PictureArgs, note_file, note_stored, note_stream, source_of_log};
use crate::errors::CliError;
use crate::evaluators;
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::NamedGame;

/// Draw the evaluation of each position of a game
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the evaluation of each position of a game\n\n\
        Evaluations are from Gold's view. Letters at the edges are captured pieces: above Silver's, below \
        Gold's. A line marks the end of the game.\n\n\
        Rings mark turns with an evaluation loss of at least --blunder rabbits. The first evaluator searches the \
        position after the turn and after the best turn.\n\n\
        A game of the log can be drawn as of any point in time. docs/reference/charts.md describes the chart, docs/reference/games.md \
        the ways to name a game.",
    after_long_help = "Examples:\n  \
        annals chart evaluation 669192 -o game.svg\n  \
        annals chart evaluation 669192 --evaluator material --blunder off -o game.png\n  \
        annals chart evaluation 669192 --evaluator net:conv6.safetensors -o net.svg\n  \
        annals chart evaluation \"wcc-2015 r1.1\" --as-of 2015-03-01T18:30 -o game.svg"
)]
pub struct Args {
    /// Game: number, stream, `cup r3.1`, @FILE or `-`
    game: String,

    /// Evaluator, or net:FILE for a network; may be repeated [default: all built-in]
    #[arg(long = "evaluator", value_name = "EVALUATOR")]
    evaluators: Vec<String>,

    /// Smallest evaluation loss that is marked, in rabbits; `off` marks none
    #[arg(long, value_name = "RABBITS", default_value = "3", value_parser = least, allow_hyphen_values = true)]
    blunder: Least,

    /// Search nodes for each turn that is checked
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    nodes: u64,

    /// Clock in the lower chart [default: used, where recorded]
    #[arg(long, value_enum)]
    clock: Option<ClockShown>,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

/// The clock of the lower chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ClockShown {
    /// Time of each turn
    Used,
    /// Reserve of the mover after each turn
    Reserve,
    /// No clock
    Off,
}

/// The evaluation loss, in rabbits, from which a turn is ringed; none rings no turn.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Least(Option<f64>);

fn least(text: &str) -> Result<Least, String> {
    if text == "off" {
        return Ok(Least(None));
    }
    match text.parse::<f64>() {
        Ok(rabbits) if rabbits > 0.0 && rabbits <= 20.0 => Ok(Least(Some(rabbits))),
        _ => Err("expected a number of rabbits above 0 and up to 20, or `off`".to_owned()),
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    let registry = evaluators::registry(args.evaluators.iter().map(String::as_str))?;
    let evaluators = evaluators::chosen(&registry, &args.evaluators)?;
    let judging = args.blunder.0.map(|least| Judging { least, nodes: args.nodes });
    let command = words(&args);
    let named = NamedGame::read(&args.game, &args.moment, home)?;
    let (name, source) = match &named {
        NamedGame::Dataset { session, game, .. } => {
            note_stored(session, game);
            (format!("Game {}", game.name), of_dataset(session, &command))
        }
        NamedGame::Log { log, stream, cut } => {
            note_stream(log, stream, cut)?;
            (named.name(), source_of_log(log, cut, &command)?)
        }
        NamedGame::File(file) => {
            note_file(&file.name);
            (named.name(), of_file(&file.name, &command))
        }
    };
    let game = PlayedGame::of(name, &named.replay(None)?)?;
    let below = below(&game, args.clock)?;
    let chart = evaluation(&game, &evaluators, judging, source)?;
    match below {
        Some(lower) => args.picture.write(&Stacked { chart, lower }),
        None => args.picture.write(&chart),
    }
}

/// The clock that the option names; by default the time of each turn, if the record has it.
fn below(game: &PlayedGame, shown: Option<ClockShown>) -> Result<Option<Lower>, CliError> {
    Ok(match shown {
        Some(ClockShown::Off) => None,
        Some(ClockShown::Used) => Some(clock(game, Clock::Used)?),
        Some(ClockShown::Reserve) => Some(clock(game, Clock::Reserve)?),
        None => clock(game, Clock::Used).ok(),
    })
}

/// The command line that draws the same chart.
fn words(args: &Args) -> String {
    let mut words = format!("annals chart evaluation {}", shell_word(&args.game));
    for name in &args.evaluators {
        words.push_str(&format!(" --evaluator {}", shell_word(name)));
    }
    match args.blunder.0 {
        Some(rabbits) => words.push_str(&format!(" --blunder {rabbits} --nodes {}", args.nodes)),
        None => words.push_str(" --blunder off"),
    }
    match args.clock {
        Some(ClockShown::Used) | None => {}
        Some(ClockShown::Reserve) => words.push_str(" --clock reserve"),
        Some(ClockShown::Off) => words.push_str(" --clock off"),
    }
    words + &args.moment.words()
}
