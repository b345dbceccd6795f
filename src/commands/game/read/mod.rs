//! `annals game read`: a game on the whole terminal, turn by turn and step by step.

mod frames;
mod reader;
mod screen;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::time::Duration;

use annals_report::shell_word;
use annals_rules::TurnChoice;
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::event::{self, Event};
use ratatui_crossterm::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui_crossterm::crossterm::{cursor, execute};

use self::reader::Reader;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::interrupt;
use crate::moments::MomentArgs;
use crate::named_game::NamedGame;

/// Read a game in the terminal, turn by turn
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Read a game in the terminal, turn by turn\n\n\
        Shows the board, both clocks, the steps of the turn with their captures, and the turns. In Arimaa the \
        built-in evaluator evaluates the position. docs/reference/games.md lists the ways to name a game.\n\n  \
        Right, Left          next turn, turn before\n  \
        Down, Up             next step, step before\n  \
        Page Down, Page Up   ten turns on, ten turns back\n  \
        Home, End            first position, last position\n  \
        f                    flip the board\n  \
        q, Esc, Ctrl-C       end",
    after_long_help = "Examples:\n  \
        annals game read 669192\n  \
        annals game read 669192 --turn 12w\n  \
        annals game read \"wcc-2015 r3.1\" --as-of 2015-03-15\n  \
        annals game read @final.sgf"
)]
pub struct Args {
    /// Game: number, stream, `cup r3.1` or @FILE
    game: String,

    /// Turn before which reading begins: last, 12, 12w, 12g, 12s or 12b
    #[arg(long, value_name = "TURN")]
    turn: Option<TurnChoice>,

    /// Draw the first rank at the top
    #[arg(long)]
    flip: bool,

    #[command(flatten)]
    moment: MomentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let refused = |why: &str| {
        Err(CliError::new(format!("the reader needs a terminal, and {why}"))
            .hint(format!("annals game show {} --all-boards", shell_word(&args.game))))
    };
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return refused("standard input or output is not one");
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return refused("TERM is `dumb`: the cursor of the terminal cannot be moved");
    }
    if args.game == "-" {
        return refused("standard input has the game");
    }
    let named = NamedGame::read(&args.game, &args.moment, home)?;
    let replay = named.replay(None)?;
    let mut reader = Reader::new(named.view()?, &replay, args.flip);
    if let Some(turn) = args.turn {
        reader.go_to(turn)?;
    }
    read(&mut reader).cannot("cannot use the terminal")?;
    Ok(ExitCode::SUCCESS)
}

/// Shows the game and handles keys until one ends it.
fn read(reader: &mut Reader) -> io::Result<()> {
    let _screen = WholeScreen::enter()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    loop {
        terminal.draw(|frame| screen::draw(reader, frame))?;
        // A new size arrives as an event too, and leads to another drawing.
        while !event::poll(Duration::from_secs(3600))? {}
        if let Event::Key(key) = event::read()?
            && !reader.press(key)
        {
            return Ok(());
        }
    }
}

/// The terminal while this program has all of it; on drop it is as it was before.
struct WholeScreen;

impl WholeScreen {
    fn enter() -> io::Result<WholeScreen> {
        interrupt::before_the_end(leave)?;
        enable_raw_mode()?;
        let screen = WholeScreen;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for WholeScreen {
    fn drop(&mut self) {
        leave();
    }
}

fn leave() {
    // A terminal that is gone needs nothing.
    let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}
