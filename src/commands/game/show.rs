//! `annals game show`: one game, with its record, board, clocks and moves.

use std::process::ExitCode;

use annals_analytics::game_view::{GameView, Moment};
use annals_analytics::views::{boards_document, game_document, moment_document};
use annals_rules::TurnChoice;

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
        annals game show 669192 --all-boards\n  \
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

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let named = NamedGame::read(&args.game, &args.moment, home)?;
    let reads = match &named {
        NamedGame::Dataset { reads, .. } => Some(reads.clone()),
        _ => None,
    };
    let game = named.view()?;
    match args.turn {
        None if args.all_boards => args.form.write(&game, || boards_document(&game)),
        None => args.form.write(&game, || game_document(&game)),
        Some(label) => {
            let moment = game.at(label)?;
            let document = moment_document(&game, &moment);
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
