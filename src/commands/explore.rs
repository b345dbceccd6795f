//! `annals explore`: what was played from a position.

use std::process::ExitCode;

use annals_analytics::Session;
use annals_analytics::explore::{Start, explore, read_setup};
use annals_analytics::game_view::GameView;
use annals_analytics::output::Style;
use annals_analytics::search::read_position;
use annals_analytics::views::{ROWS_SHOWN, explored_sheet};
use annals_events::Side;

use super::games::{side, text_or_file};
use super::query::{json, open_usual, print, sheet_style};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// Show what was played from a position, how often, and with what result.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what was played from a position, how often, and with what result.\n\n\
        The position is a board text, a turn of a stored game, or gold's setup (then silver's answers are shown); without \
        any, gold's setups are shown. A position and its mirror image are one: what was played in a mirrored one is \
        mirrored back. Turns that lead to the same position are one choice, shown in the words used most. The rating \
        is the mean of those who played it.",
    after_help = "Examples:\n  annals explore\n  \
        annals explore --setup \"Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Rh2\"\n  \
        annals explore --game 669192 --turn 3w\n  annals explore --position @board.txt --to-move g --json"
)]
pub struct Args {
    /// Gold's setup: sixteen placements, or a board text; @FILE reads it from a file.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["game", "position"])]
    setup: Option<String>,

    /// A stored game.
    #[arg(long, value_name = "ID", requires = "turn", conflicts_with = "position")]
    game: Option<u64>,

    /// The turn of the game before which the position stood.
    #[arg(long, value_name = "LABEL", requires = "game")]
    turn: Option<String>,

    /// A board text with the side to move, or @FILE that holds one.
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,

    /// Who is to move in the position: g or s.
    #[arg(long, value_name = "SIDE", value_parser = side, requires = "position")]
    to_move: Option<Side>,

    /// The most choices shown; 0 for all. 15 on a terminal, else all.
    #[arg(long, value_name = "N")]
    choices: Option<usize>,

    /// Print JSON, with all choices.
    #[arg(long)]
    json: bool,

    /// Tell on standard error what was read.
    #[arg(long)]
    explain: bool,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_usual(home)?;
    let start = args.start(&session)?;
    let (explored, reads) = explore(&session, &start)?;
    let style = sheet_style();
    print(&if args.json {
        json(&explored)?
    } else {
        explored_sheet(&explored, most(args.choices, style, ROWS_SHOWN)).render(style)
    })?;
    if args.explain {
        talk(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn start(&self, session: &Session) -> Result<Start, CliError> {
        if let Some(setup) = &self.setup {
            return Ok(Start::AfterGoldSetup(read_setup(&text_or_file(setup)?)?));
        }
        if let Some(text) = &self.position {
            return Ok(Start::Position(read_position(&text_or_file(text)?, self.to_move)?));
        }
        let (Some(id), Some(label)) = (self.game, &self.turn) else { return Ok(Start::Empty) };
        let moment = GameView::read(session, id)?.0.at(label)?;
        Ok(if moment.before.is_none() { Start::Empty } else { Start::Position(moment.position()?) })
    }
}

/// How many rows are shown: what is asked for (0 is all); else so many on a terminal, and all in a pipe.
pub fn most(given: Option<usize>, style: Style, on_a_terminal: usize) -> Option<usize> {
    match (given, style) {
        (Some(0), _) | (None, Style::Plain) => None,
        (Some(rows), _) => Some(rows),
        (None, Style::Terminal(_)) => Some(on_a_terminal),
    }
}
