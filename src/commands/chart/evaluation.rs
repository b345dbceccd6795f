//! `annals chart evaluation`: what each position of one game is worth.

use std::process::ExitCode;
use std::sync::Arc;

use annals_analytics::charts::blunders::Judging;
use annals_analytics::charts::clock::{Clock, clock};
use annals_analytics::charts::evaluation::evaluation;
use annals_analytics::charts::played_game::PlayedGame;
use annals_analytics::charts::{Lower, Stacked, of_dataset, of_log};
use annals_analytics::game_view::GameView;
use annals_engine::evaluation::Evaluator;
use annals_replay::game_at;

use super::{PictureArgs, quoted, with_verdict};
use crate::commands::query::open_usual;
use crate::errors::CliError;
use crate::evaluators;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;

/// Draw the evaluation of each position of a game
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the evaluation of each position of a game\n\n\
        Evaluations are from Gold's view. Letters at the edges are captured pieces: above Silver's, below \
        Gold's. A line marks the end of the game.\n\n\
        Rings mark turns with an evaluation loss of at least --blunder rabbits. The first evaluator searches the \
        position after the turn and after the best turn.\n\n\
        A game of the log can be drawn as of any point in time. docs/charts.md describes the chart.",
    after_help = "Examples:\n  \
        annals chart evaluation 669192 -o game.svg\n  \
        annals chart evaluation 669192 --evaluator material --blunder off -o game.png\n  \
        annals chart evaluation 669192 --evaluator net:conv6.safetensors -o net.svg\n  \
        annals chart evaluation \"wcc-2015 r1.1\" --as-of 2015-03-01T18:30 -o game.svg"
)]
pub struct Args {
    /// Game: archive number, stream or `cup r3.1`
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

/// From how many rabbits on a turn is ringed; never where there is none.
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
    let evaluators = evaluators(&args.evaluators)?;
    let judging = args.blunder.0.map(|least| Judging { least, nodes: args.nodes });
    let command = words(&args);
    let (game, source) = match args.game.parse::<u64>() {
        Ok(id) => {
            let MomentArgs { as_of, known_at, .. } = &args.moment;
            if as_of.is_some() || known_at.is_some() {
                return Err(CliError::new(format!(
                    "the dataset holds game {id} as a whole, not as it was at a point in time"
                ))
                .hint(format!("games of the log have a past: game/arimaa-{id}")));
            }
            let session = open_usual(home)?;
            let (view, _) = GameView::read(&session, id)?;
            (PlayedGame::of_dataset(&view)?, of_dataset(&session, &command))
        }
        Err(_) => {
            let log = log_file::open(home)?;
            let stream = log_file::stream(&log, &args.game)?;
            let (cut, _) = args.moment.cut(&log, Some(&stream))?;
            let replay = game_at(&log, &stream, &cut)?;
            (PlayedGame::of_log(&stream, &replay)?, with_verdict(&log, of_log(&log, &cut, &command)?)?)
        }
    };
    let below = below(&game, args.clock)?;
    let chart = evaluation(&game, &evaluators, judging, source)?;
    match below {
        Some(lower) => args.picture.write(&Stacked { chart, lower }),
        None => args.picture.write(&chart),
    }
}

/// The clock, where it is asked for or the record has it.
fn below(game: &PlayedGame, shown: Option<ClockShown>) -> Result<Option<Lower>, CliError> {
    Ok(match shown {
        Some(ClockShown::Off) => None,
        Some(ClockShown::Used) => Some(clock(game, Clock::Used)?),
        Some(ClockShown::Reserve) => Some(clock(game, Clock::Reserve)?),
        None => clock(game, Clock::Used).ok(),
    })
}

/// The command as it is typed, with all that makes the chart what it is.
fn words(args: &Args) -> String {
    let mut words = format!("annals chart evaluation {}", quoted(&args.game));
    for name in &args.evaluators {
        words.push_str(&format!(" --evaluator {}", quoted(name)));
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
    words
}

/// The evaluators of the names, each once; all where none is named.
fn evaluators(names: &[String]) -> Result<Vec<Arc<dyn Evaluator>>, CliError> {
    let registry = evaluators::registry(names.iter().map(String::as_str))?;
    let mut found: Vec<Arc<dyn Evaluator>> = Vec::new();
    for name in names {
        let evaluator = registry.get(name).map_err(|error| {
            let list = "`annals engine evaluate --list` describes each; net:FILE is a network";
            let known = registry.iter().map(|evaluator| evaluator.name());
            CliError::from_error(&error).did_you_mean(name, known, list)
        })?;
        if !found.iter().any(|known| known.name() == evaluator.name()) {
            found.push(evaluator);
        }
    }
    if names.is_empty() {
        found.extend(registry.iter().cloned());
    }
    Ok(found)
}
