//! `annals chart board`: a position, a turn or a whole game as boards.

use std::process::ExitCode;

use annals_analytics::charts::diagrams::{of_game, of_moment, of_position};
use annals_analytics::charts::{of_dataset, of_file};
use annals_analytics::game_view::GameView;
use annals_charts::{Board, Diagram, animation};
use annals_events::{GameKind, Side};
use annals_report::shell_word;
use annals_rules::TurnChoice;

use super::picture::{PictureArgs, note_file, note_stored, note_stream, source_of_log};
use crate::errors::CliError;
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::{Named, NamedGame};

/// Draw a position, a turn or a whole game
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw a position, a turn or a whole game\n\n\
        A position is one board. A game is a sheet with a board for every turn; --turn draws one turn, and \
        --from and --to a part of the game. Arrows are the steps of a turn, crosses are captures.\n\n\
        --animate writes a PNG that shows one turn after the other. docs/reference/games.md lists the ways to name a game or \
        a position.",
    after_long_help = "Examples:\n  \
        annals chart board 669192 --turn 12w -o turn.svg\n  \
        annals chart board 669192 --turn last -o end.png\n  \
        annals chart board \"cup r1.1\" --from 20w --to 24b --across 4 -o strip.svg\n  \
        annals chart board 669192 --animate 800 -o game.png"
)]
pub struct Args {
    /// Game or position: number, stream, `cup r3.1`, @FILE, `-`, or its text
    #[arg(value_name = "GAME")]
    what: String,

    /// Turn to draw: last, 12, 12w, 12g, 12s or 12b
    #[arg(long, value_name = "TURN", conflicts_with_all = ["from", "to", "animate"])]
    turn: Option<TurnChoice>,

    /// First turn to draw
    #[arg(long, value_name = "TURN")]
    from: Option<TurnChoice>,

    /// Last turn to draw
    #[arg(long, value_name = "TURN")]
    to: Option<TurnChoice>,

    /// Boards in a row [default: as many as fit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=50))]
    across: Option<u16>,

    /// Draw the first rank at the top
    #[arg(long)]
    flip: bool,

    /// Milliseconds for each turn of an animated PNG
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=60_000))]
    animate: Option<u16>,

    /// Side to move of a position without one
    #[arg(long)]
    side: Option<Side>,

    /// Game of a position that could be of several
    #[arg(long, value_name = "GAME")]
    game: Option<GameKind>,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    if args.animate.is_some() && !args.picture.is_png() {
        return Err(CliError::new("an animated picture is a PNG").hint("name a file that ends in .png"));
    }
    let command = args.command();
    let (title, boards, source) = match Named::read(&args.what, args.side, args.game, &args.moment, home)? {
        Named::Position(position) => {
            ("Position".to_owned(), vec![of_position(&position)], of_file("a position", &command))
        }
        Named::Game(game) => {
            let source = match &game {
                NamedGame::Dataset { session, game, .. } => {
                    note_stored(session, game);
                    of_dataset(session, &command)
                }
                NamedGame::Log { log, stream, cut } => {
                    note_stream(log, stream, cut)?;
                    source_of_log(log, cut, &command)?
                }
                NamedGame::File(file) => {
                    note_file(&file.name);
                    of_file(&file.name, &command)
                }
            };
            let view = game.view()?;
            (title(&view), args.boards(&view)?, source)
        }
    };
    let across = usize::from(args.across.unwrap_or(0));
    let sheet = |boards| Diagram {
        title: title.clone(),
        subtitle: String::new(),
        boards,
        across,
        flipped: args.flip,
        source: source.clone(),
    };
    match args.animate {
        None => args.picture.write(&sheet(boards)),
        Some(milliseconds) => {
            let frames: Vec<Diagram> = boards.iter().map(|board| sheet(vec![board.clone()])).collect();
            args.picture.write_as(&sheet(boards), &animation(&frames, milliseconds)?)
        }
    }
}

/// The players.
fn title(game: &GameView) -> String {
    format!("Game {}: {} against {}", game.name, game.gold.name, game.silver.name)
}

impl Args {
    /// The turns of a game that are drawn.
    fn boards(&self, game: &GameView) -> Result<Vec<Board>, CliError> {
        if let Some(turn) = self.turn {
            return Ok(vec![of_moment(game, &game.at(turn)?)?]);
        }
        let boards = of_game(game)?;
        let ply = |turn: TurnChoice| game.place(turn);
        let from = self.from.map_or(Ok(0), ply)?;
        let to = self.to.map_or(Ok(boards.len() - 1), ply)?;
        if to < from {
            return Err(CliError::new("--to is a turn before --from"));
        }
        Ok(boards.into_iter().skip(from).take(to - from + 1).collect())
    }

    /// The command as it is typed.
    fn command(&self) -> String {
        let mut words = format!("annals chart board {}", shell_word(&self.what));
        for (name, turn) in [("turn", self.turn), ("from", self.from), ("to", self.to)] {
            if let Some(turn) = turn {
                words.push_str(&format!(" --{name} {turn}"));
            }
        }
        let side = self.side.map(|side| side.to_string());
        let game = self.game.map(|game| game.to_string());
        let [across, animate] = [self.across, self.animate].map(|number| number.map(|n| n.to_string()));
        for (name, value) in [("across", across), ("animate", animate), ("side", side), ("game", game)] {
            if let Some(value) = value {
                words.push_str(&format!(" --{name} {value}"));
            }
        }
        words.push_str(if self.flip { " --flip" } else { "" });
        words + &self.moment.words()
    }
}
