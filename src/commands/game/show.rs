//! `annals game`: one game, with its record, board, clocks and moves.

use std::process::ExitCode;

use annals_analytics::export::{Export, export};
use annals_analytics::game_view::{GameView, Moment};
use annals_analytics::views::{game_document, moment_document};

use super::list::export_parser;
use crate::commands::query::{open_usual, print_answer};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// Show one game: header, board, clocks, moves
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show one game: header, board, clocks, moves\n\n\
        Shows the record, the board after the last turn, and every turn with its clock. With --turn it shows the \
        position before that turn, what was played, and the clocks before and after.",
    after_help = "Examples:\n  \
        annals game show 669192\n  \
        annals game show 669192 --turn 12w\n  \
        annals game show 669192 --export moves\n  \
        annals game show 669192 --json | jq '.turns[] | [.label, .steps]'"
)]
pub struct Args {
    /// Game number of the archive
    id: u64,

    /// Turn before which the board is shown: 12w, 12g, 12s or 12b
    #[arg(long, value_name = "LABEL")]
    turn: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write the game itself: its archive row, or header lines and moves
    #[arg(long, value_name = "FORM", value_parser = export_parser(), conflicts_with_all = ["turn", "json"])]
    export: Option<Export>,

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

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_usual(home)?;
    let (game, reads) = GameView::read(&session, args.id)?;
    if let Some(form) = args.export {
        let mut out = std::io::stdout().lock();
        export(&session, &[args.id], form, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    match &args.turn {
        None => print_answer(args.json, &game, || game_document(&game)),
        Some(label) => {
            let moment = game.at(label)?;
            let document = moment_document(&game, &moment);
            // The record without its turns: the one asked for stands in `moment`.
            let game = GameView { turns: Vec::new(), ..game };
            print_answer(args.json, &AtTurn { game, moment }, || document)
        }
    }?;
    if args.explain {
        talk(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}
