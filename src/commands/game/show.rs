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

/// Show one game: header, board, clocks, moves.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show one game: header, board, clocks, moves.\n\n\
        Without --turn: the record, the board after the last turn, and every turn with its clock. With --turn 12w: the \
        position in which that turn was to be played, what was played, and the clocks before and after. Labels are read \
        in both conventions: 12g or 12w for gold, 12s or 12b for silver.",
    after_help = "Examples:\n  annals game show 669192\n  annals game show 669192 --turn 12w\n  \
        annals game show 669192 --export moves\n  \
        annals game show 669192 --json | jq '.turns[] | [.label, .steps]'"
)]
pub struct Args {
    /// The gameroom's number of the game.
    id: u64,

    /// The turn at which the board is shown.
    #[arg(long, value_name = "LABEL")]
    turn: Option<String>,

    /// Print JSON: the record with all turns, or with --turn the record and the moment.
    #[arg(long)]
    json: bool,

    /// Write the game itself: its row of the gameroom's archive, or header lines and moves.
    #[arg(long, value_name = "FORM", value_parser = export_parser(), conflicts_with_all = ["turn", "json"])]
    export: Option<Export>,

    /// Tell on standard error what was read.
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
