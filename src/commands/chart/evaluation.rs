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

/// Draw what each position of a game is worth, turn by turn, from Gold's view.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw what each position of a game is worth, turn by turn, from Gold's view, by one evaluator or several, networks \
        (net:FILE) among them. Letters at the edges are pieces lost: above by Silver, below by Gold. Where the board decides, \
        nothing is worth anything: a line marks the end, with words at the edge of who won.\n\nRings are turns that gave something \
        away: the position after the turn is searched by the first evaluator, and so is the one after the best turn that a \
        search found in its place; between the two lie so many rabbits or more (--blunder). Who is ten rabbits ahead counts as having \
        won.\n\nBelow stands the clock, where the record has one: the time that each turn took, or the mover's reserve.\n\nA number is a \
        game of the dataset; anything else is a stream of the log, which can be looked at as it was at any point in time.",
    after_help = "Examples:\n  annals chart evaluation 669192 -o game.svg\n  \
        annals chart evaluation 669192 --evaluator material --blunder off -o game.png --data game.csv\n  \
        annals chart evaluation 669192 --evaluator net:conv6.safetensors --evaluator annals --blunder 5 -o net.svg\n  \
        annals chart evaluation game/wcc-2015.r1.1 --as-of 2015-03-01T18:30 --clock reserve -o game.svg"
)]
pub struct Args {
    /// The game: the gameroom's number, or a stream of the log (`game/wcc-2015.r1.1`, or its name alone).
    game: String,

    /// By which evaluators, or net:FILE for a network that `annals learn train` wrote; all but networks where none is named. May be
    /// given several times; the first one judges the turns.
    #[arg(long = "evaluator", value_name = "NAME")]
    evaluators: Vec<String>,

    /// Ring turns that gave away so many rabbits or more; `off` rings none.
    #[arg(long, value_name = "RABBITS", default_value = "3", value_parser = least, allow_hyphen_values = true)]
    blunder: Least,

    /// Positions for each search that judges a turn.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    nodes: u64,

    /// What the chart below shows of the clock; the time used where nothing is said and the record has it.
    #[arg(long, value_enum)]
    clock: Option<ClockShown>,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

/// What is shown of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ClockShown {
    /// The time that each turn took.
    Used,
    /// The mover's reserve after each turn.
    Reserve,
    /// Nothing.
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
        _ => Err("write a number of rabbits above 0 and up to 20, or `off`".to_owned()),
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    let evaluators = evaluators(&args.evaluators)?;
    let judging = args.blunder.0.map(|least| Judging { least, nodes: args.nodes });
    let command = words(&args);
    let (game, source) = match args.game.parse::<u64>() {
        Ok(id) => {
            let MomentArgs { as_of, known_at, seq, .. } = &args.moment;
            if as_of.is_some() || known_at.is_some() || seq.is_some() {
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
            let list = "`annals engine evaluate --list` tells what each of them is; net:FILE is a network";
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
