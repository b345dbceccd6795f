//! `annals game explore`: what was played from a position.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use annals_analytics::explore::{Start, explore, read_setup};
use annals_analytics::game_view::GameView;
use annals_analytics::views::{ROWS_SHOWN, explored_document};
use annals_analytics::{AnyPosition, Session};
use annals_events::{GameKind, Side};
use annals_rules::amazons::Position;

use super::list::{side, text_or_file};
use crate::commands::query::{open_usual, print_answer};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// Show what was played from a position, with results
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what was played from a position, with results\n\n\
        The position is a board text, a turn of a stored game, or Gold's setup, for which Silver's answers are \
        shown. Without any, Gold's setups are shown.\n\n\
        A position and its mirror image are one; in the Amazons all images are one. Turns that lead to the same \
        position are one line. The rating is the mean rating of the players.",
    after_help = "Examples:\n  \
        annals game explore\n  \
        annals game explore --setup @setup.txt\n  \
        annals game explore --game 669192 --turn 3w\n  \
        annals game explore --position @board.txt --side gold --json\n  \
        annals game explore --game amazons"
)]
pub struct Args {
    /// Gold's setup: sixteen placements, a board text, or @FILE
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["game", "position"])]
    setup: Option<String>,

    /// Stored game with --turn, or `amazons` for the start of that game
    #[arg(long, value_name = "ID|GAME", value_parser = from_where, conflicts_with = "position")]
    game: Option<FromWhere>,

    /// Turn of the game before which the position occurred
    #[arg(long, value_name = "LABEL", requires = "game")]
    turn: Option<String>,

    /// Board text with the side to move, or @FILE
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,

    /// Side to move in the position
    #[arg(long, value_name = "SIDE", value_parser = side, requires = "position")]
    to_move: Option<Side>,

    /// Maximum number of turns listed; 0 lists all [default: 15 on a terminal]
    #[arg(long, value_name = "N")]
    choices: Option<usize>,

    /// Print JSON, with all turns
    #[arg(long)]
    json: bool,

    /// Print what was read to standard error
    #[arg(long)]
    explain: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_usual(home)?;
    let start = args.start(&session)?;
    let (explored, reads) = explore(&session, &start)?;
    print_answer(args.json, &explored, || explored_document(&explored, most(args.choices, ROWS_SHOWN)))?;
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
            return Ok(AnyPosition::read(&text_or_file(text)?, self.to_move)?.into());
        }
        let (id, label) = match (self.game, &self.turn) {
            (None | Some(FromWhere::Start(GameKind::Arimaa)), _) => return Ok(Start::Empty),
            (Some(FromWhere::Start(GameKind::Amazons)), _) => return Ok(Start::Amazons(Position::start())),
            (Some(FromWhere::Game(id)), Some(label)) => (id, label),
            (Some(FromWhere::Game(id)), None) => {
                return Err(CliError::new(format!("which position of game {id}?"))
                    .hint(format!("name a turn: `annals game explore --game {id} --turn 3w`")));
            }
        };
        let (game, _) = GameView::read(session, id)?;
        let moment = game.at(label)?;
        let setups = game.game == GameKind::Arimaa.word() && game.start.is_none();
        Ok(if moment.before.is_none() && setups { Start::Empty } else { moment.position()?.into() })
    }
}

/// Where the exploring starts.
#[derive(Debug, Clone, Copy)]
enum FromWhere {
    /// At a turn of this game.
    Game(u64),
    /// At the start of any game of this kind.
    Start(GameKind),
}

fn from_where(text: &str) -> Result<FromWhere, String> {
    match text.parse() {
        Ok(id) => Ok(FromWhere::Game(id)),
        Err(_) => text.parse().map(FromWhere::Start).map_err(|_| {
            format!("`{text}` is neither the number of a game nor one of the words arimaa and amazons")
        }),
    }
}

/// How many rows are shown: what is asked for (0 is all); else so many on a terminal, and all in a pipe.
pub fn most(given: Option<usize>, on_a_terminal: usize) -> Option<usize> {
    match given {
        Some(rows) => Some(rows).filter(|rows| *rows > 0),
        None => io::stdout().is_terminal().then_some(on_a_terminal),
    }
}
