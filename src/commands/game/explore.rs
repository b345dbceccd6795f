//! `annals game explore`: what was played from a position.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use annals_analytics::explore::{explore, read_setup};
use annals_analytics::games::only_other;
use annals_analytics::views::{ROWS_SHOWN, explored_document};
use annals_events::{GameKind, Side};
use annals_rules::arimaa::{Board, Position, Turn};
use annals_rules::{AnyPosition, TurnChoice, amazons};

use crate::dataset_session::open_default;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::{Named, without_past};
use crate::output::diagnostic;

/// Show what was played from a position, with results
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what was played from a position, with results\n\n\
        The position is a board text, a turn of a game, or Gold's setup, for which Silver's answers are shown. \
        Without any, Gold's setups are shown. docs/reference/games.md lists the ways to name a position.\n\n\
        A position and its mirror image are one; in the Amazons all images are one. Turns that lead to the same \
        position are one line. The rating is the mean rating of the players who played the turn.\n\n\
        --as-of and --known-at choose the board of a game of the log. All games of the dataset count.",
    after_long_help = "Examples:\n  \
        annals game explore\n  \
        annals game explore @setup.txt\n  \
        annals game explore 669192 --turn 3w\n  \
        annals game explore @board.txt --side gold --json\n  \
        annals game explore --game amazons"
)]
pub struct Args {
    /// Position, game, @FILE, `-`, or Gold's setup [default: the start]
    position: Option<String>,

    /// Turn of the game before which the position occurred [default: the end]
    #[arg(long, value_name = "TURN", requires = "position")]
    turn: Option<TurnChoice>,

    /// Side to move, if the position does not name it
    #[arg(long, value_name = "SIDE", requires = "position")]
    side: Option<Side>,

    /// Kind of game
    #[arg(long, value_name = "GAME")]
    game: Option<GameKind>,

    #[command(flatten)]
    moment: MomentArgs,

    /// Maximum number of turns listed; 0 lists all [default: 15 on a terminal]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    #[command(flatten)]
    form: DocumentArgs,

    /// Print what was read to standard error
    #[arg(long)]
    explain: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let position = args.position(home)?;
    let session = open_default(home)?;
    let (explored, reads) = explore(&session, &position)?;
    args.form.write(&explored, || explored_document(&explored, most(args.limit, ROWS_SHOWN)))?;
    if args.position.is_none()
        && args.game.is_none()
        && let Some(game) = only_other(&session, GameKind::Arimaa)
    {
        diagnostic(format_args!(
            "note: all games of the dataset are of the kind `{game}`: `annals game explore --game {game}`"
        ));
    }
    if args.explain {
        diagnostic(reads);
    }
    Ok(ExitCode::SUCCESS)
}

/// The hint for a point in time of all games.
const LIST: &str = "`annals game list --to 2002-11-30` lists the games that began until then";

impl Args {
    fn position(&self, home: &Home) -> Result<AnyPosition, CliError> {
        let Some(text) = &self.position else {
            without_past("the start", &self.moment, LIST)?;
            return Ok(match self.game.unwrap_or(GameKind::Arimaa) {
                GameKind::Arimaa => AnyPosition::Arimaa(Position::new(Board::EMPTY, Side::Gold)),
                GameKind::Amazons => AnyPosition::Amazons(amazons::Position::start()),
            });
        };
        // A setup is a position of which only the side to move is open.
        if let Some(path) = text.strip_prefix('@')
            && let Some(setup) = annals_ingest::input_file::text(path).ok().and_then(|text| read_setup(&text))
        {
            return without_past("a setup", &self.moment, LIST).map(|()| setup);
        }
        match read_setup(text) {
            Some(setup) => without_past("a setup", &self.moment, LIST).map(|()| setup),
            None => Named::read(text, self.side, self.game, &self.moment, home)
                .map_err(|error| self.with_hint(text, error))?
                .position(self.turn),
        }
    }
}

impl Args {
    /// An error about a position, with what is missing in it.
    fn with_hint(&self, text: &str, error: CliError) -> CliError {
        let with_a_side = AnyPosition::read(text, Some(Side::Gold), self.game).is_ok();
        if self.side.is_none() && with_a_side {
            return error.hint("`--side gold` or `--side silver` names the side to move");
        }
        match Turn::parse(text.trim().as_bytes()) {
            Ok(_) => error.hint("Gold's setup has sixteen placements: `annals game explore \"Ra1 Rb1 …\"`"),
            Err(_) => error,
        }
    }
}

/// The maximum number of rows: the given one (0 is all), else `on_a_terminal` on a terminal, and all in a pipe.
pub fn most(given: Option<usize>, on_a_terminal: usize) -> Option<usize> {
    match given {
        Some(rows) => Some(rows).filter(|rows| *rows > 0),
        None => io::stdout().is_terminal().then_some(on_a_terminal),
    }
}
