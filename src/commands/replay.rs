//! `annals replay`: the state of a game, a tournament, the people or the whole log at any point in time.

use std::process::ExitCode;

use annals_events::StreamName;
use annals_replay::subject::Subject;
use annals_replay::view::GameView;
use annals_replay::{Cut, View};
use annals_report::Document;
#[cfg(all(feature = "sql", feature = "charts"))]
use annals_rules::AnyPosition;
use annals_rules::TurnChoice;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::named_game::NamedGame;

/// Show a game, tournament or log at any point in time
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show a game, tournament or log at any point in time\n\n\
        --as-of shows what was true at a point in time, as known today. --known-at shows what was recorded by \
        then. Both together show what was recorded by one point about another. Of a game under way, --as-of \
        shows both clocks at that second. JSON has times in microseconds since 1970 and clocks in seconds. \
        docs/reference/games.md lists the ways to name a game.",
    after_long_help = "Examples:\n  \
        annals replay game/arimaa-669192 --as-of 2026-02-05T09:40:00Z\n  \
        annals replay tournament/wcc-2015 --as-of round:5 --tz EST\n  \
        annals replay wcc-2015 --known-at 2015-03-08 --json | jq .standings\n  \
        annals replay \"wcc-2015 r3.1\" --turn 12g\n  \
        annals replay people\n  \
        annals replay log --as-of seq:1000"
)]
pub struct Args {
    /// Stream, its name, a game, `log`, or `people`
    #[arg(value_name = "STREAM")]
    subject: String,

    /// Turn before which a game is shown [default: the end]
    #[arg(long, value_name = "TURN")]
    turn: Option<TurnChoice>,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let zone = args.moment.zone.zone()?;
    let view = view(&args, home)?;
    let document = pictured(&args.form, &view, view.document(&zone))?;
    args.form.write_in(&view, &zone, || document)?;
    Ok(ExitCode::SUCCESS)
}

/// The document, in HTML with a picture of the board of a game.
#[cfg(all(feature = "sql", feature = "charts"))]
fn pictured(form: &DocumentArgs, view: &View, document: Document) -> Result<Document, CliError> {
    crate::board_pictures::with_boards(form, document, || {
        let View::Game(game) = view else { return Ok(Vec::new()) };
        let Some(board) = &game.board else { return Ok(Vec::new()) };
        let position = AnyPosition::read(&board.position, None, game.game)?;
        let mut drawn = annals_analytics::charts::diagrams::of_position(&position);
        if game.ending.is_some() {
            drawn.caption = "The end".to_owned();
        }
        Ok(vec![drawn])
    })
}

/// Without charts a board is text.
#[cfg(not(all(feature = "sql", feature = "charts")))]
fn pictured(_: &DocumentArgs, _: &View, document: Document) -> Result<Document, CliError> {
    Ok(document)
}

fn view(args: &Args, home: &Home) -> Result<View, CliError> {
    let text = args.subject.as_str();
    let game = match text.starts_with('@') || text == "-" || text.parse::<u64>().is_ok() {
        true => NamedGame::read(text, &args.moment, home)?,
        false => {
            let log = log_file::open(home)?;
            let at = |tournament: &StreamName| args.moment.cut(&log, Some(tournament)).map(|(cut, _)| cut);
            let subject = Subject::at(&log, text, at)?;
            let (cut, _) = args.moment.cut(&log, subject.stream())?;
            match (args.turn, subject) {
                (None, subject) => return Ok(subject.view(&log, &cut)?),
                (Some(_), Subject::Stream(stream)) => NamedGame::Log { log, stream, cut },
                (Some(turn), _) => {
                    return Err(CliError::new(format!("`{text}` is not a game, so it has no turn {turn}")));
                }
            }
        }
    };
    let cut = match &game {
        NamedGame::Log { cut, .. } => *cut,
        _ => Cut::NOW,
    };
    Ok(View::Game(Box::new(GameView::of(game.name(), &game.replay(args.turn)?, &cut))))
}
