//! `annals game show`: one game, with its record, board, clocks and moves.

use std::process::ExitCode;

#[cfg(feature = "charts")]
use annals_analytics::charts::diagrams::of_moment;
use annals_analytics::game_view::{GameView, Moment};
use annals_analytics::views::{boards_document, game_document, moment_document};
use annals_report::Document;
use annals_rules::TurnChoice;

#[cfg(feature = "charts")]
use crate::board_pictures::with_boards;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::NamedGame;
use crate::output::diagnostic;

/// Show one game: header, board, clocks, moves
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show one game: header, board, clocks, moves\n\n\
        Shows the record, the board after the last turn, and every turn with its clock. With --turn it shows the \
        position before that turn, what was played, and the clocks before and after. docs/reference/games.md lists the ways \
        to name a game.",
    after_long_help = "Examples:\n  \
        annals game show 669192\n  \
        annals game show 669192 --turn 12w\n  \
        annals game show 669192 --all-boards -o game.html\n  \
        annals game show \"wcc-2015 r3.1\" --as-of 2015-03-15\n  \
        annals game show @final.sgf\n  \
        annals game show 669192 --json | jq '.turns[] | [.label, .steps]'"
)]
pub struct Args {
    /// Game: number, stream, `cup r3.1`, @FILE or `-`
    game: String,

    /// Turn before which the board is shown: last, 12, 12w, 12g, 12s or 12b
    #[arg(long, value_name = "TURN")]
    turn: Option<TurnChoice>,

    /// Show the board before each turn and at the end
    #[arg(long, conflicts_with = "turn")]
    all_boards: bool,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    form: DocumentArgs,

    /// Print what was read to standard error
    #[arg(long)]
    explain: bool,
}

/// The JSON of a game at one turn.
#[derive(serde::Serialize)]
struct AtTurn {
    game: GameView,
    moment: Moment,
}

/// The document, in HTML with pictures of its boards.
#[cfg(feature = "charts")]
fn pictured(
    form: &DocumentArgs,
    document: Document,
    game: &GameView,
    moments: impl IntoIterator<Item = Moment>,
) -> Result<Document, CliError> {
    with_boards(form, document, || {
        let boards: Result<Vec<_>, _> = moments.into_iter().map(|moment| of_moment(game, &moment)).collect();
        Ok(boards?)
    })
}

/// Without charts the boards are texts.
#[cfg(not(feature = "charts"))]
fn pictured(
    _: &DocumentArgs,
    document: Document,
    _: &GameView,
    _: impl IntoIterator<Item = Moment>,
) -> Result<Document, CliError> {
    Ok(document)
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let named = NamedGame::read(&args.game, &args.moment, home)?;
    let reads = match &named {
        NamedGame::Dataset { reads, .. } => Some(reads.clone()),
        _ => None,
    };
    let game = named.view()?;
    let shown = game.clone().in_zone(&args.moment.zone.zone()?);
    match args.turn {
        None if args.all_boards => {
            let document = pictured(&args.form, boards_document(&shown), &game, game.moments())?;
            args.form.write(&game, || document)
        }
        None => {
            let document = pictured(&args.form, game_document(&shown), &game, [game.after_last()])?;
            args.form.write(&game, || document)
        }
        Some(label) => {
            let moment = game.at(label)?;
            let document = pictured(&args.form, moment_document(&shown, &moment), &game, [moment.clone()])?;
            // The turn is in `moment`.
            let game = GameView { turns: Vec::new(), ..game };
            args.form.write(&AtTurn { game, moment }, || document)
        }
    }?;
    if let Some(reads) = reads.filter(|_| args.explain) {
        diagnostic(reads);
    }
    Ok(ExitCode::SUCCESS)
}
