//! `annals chart evaluation`: what each position of one game is worth.

use std::process::ExitCode;
use std::sync::Arc;

use annals_analytics::charts::evaluation::{PlayedGame, evaluation};
use annals_analytics::charts::{of_dataset, of_log};
use annals_analytics::game_view::GameView;
use annals_engine::evaluation::{Evaluator, Registry};
use annals_replay::game_at;

use super::PictureArgs;
use crate::commands::query::open_usual;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::suggest::nearest;

/// Draw what each position of a game is worth, turn by turn, from Gold's view.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw what each position of a game is worth, turn by turn, from Gold's view, by one evaluator or several. Letters \
        at the edges are pieces lost: above by Silver, below by Gold. Where the board decides the game, the line goes to the \
        edge.\n\nA number is a game of the dataset; anything else is a stream of the log, which can be looked at as it was at any \
        point in time.",
    after_help = "Examples:\n  annals chart evaluation 669192 -o game.svg\n  \
        annals chart evaluation 669192 --evaluator material -o game.png --data game.csv\n  \
        annals chart evaluation game/wcc-2015.r1.1 --as-of 2015-03-01T18:30 -o game.svg"
)]
pub struct Args {
    /// The game: the gameroom's number, or a stream of the log (`game/wcc-2015.r1.1`, or its name alone).
    #[arg(value_name = "GAME")]
    game: String,

    /// By which evaluators; all where none is named. May be given several times.
    #[arg(long = "evaluator", value_name = "NAME")]
    evaluators: Vec<String>,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let evaluators = evaluators(&args.evaluators)?;
    let command = format!("annals chart evaluation {}", args.game);
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
            (PlayedGame::of_log(&stream, &replay)?, of_log(&log, &cut, &command)?)
        }
    };
    args.picture.write(&evaluation(&game, &evaluators, source)?)
}

/// The evaluators of the names, each once; all where none is named.
fn evaluators(names: &[String]) -> Result<Vec<Arc<dyn Evaluator>>, CliError> {
    let registry = Registry::standard();
    let mut found: Vec<Arc<dyn Evaluator>> = Vec::new();
    for name in names {
        let evaluator = registry.get(name).map_err(|error| {
            let near = nearest(name, registry.iter().map(|evaluator| evaluator.name()));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            let error = CliError::from_error(&error);
            hint.into_iter().fold(error, CliError::hint)
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
