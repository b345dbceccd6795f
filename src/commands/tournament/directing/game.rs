//! `annals tournament game start`, `move`, `result`, `forfeit`: the games of pairings.

use std::path::PathBuf;

use annals_events::{BoardId, GameId, Termination};
use annals_replay::handler::{DirectorSession, NewResult, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, naming, request};
use crate::errors::{CliError, InWords as _};
use crate::output::diagnostic;
use crate::values::one_of;

#[derive(Debug, clap::Subcommand)]
pub enum GameRequest {
    /// Start the game of a pairing
    ///
    /// The first game starts its round. A stream such as `game/wcc-2015.r1.1` is made with the players and the time control.
    /// After a ruling that orders another attempt, the game continues from the position and the clocks of the ruling.
    ///
    /// With `--no-game` the log has no moves, and a result is recorded without them. Without it the moves are entered before a goal.
    #[command(after_long_help = "Examples:\n  \
        annals tournament game start wcc-2015 r1.1\n  \
        annals tournament game start wcc-2015 r1.1 --game arimaa-327001\n  \
        annals tournament game start olympiad-2000 r1.1 --no-game")]
    Start {
        /// Pairing
        pairing: BoardId,

        /// Game of the log to attach
        #[arg(long, conflicts_with = "no_game")]
        game: Option<GameId>,

        /// Do not make a stream for the game
        #[arg(long)]
        no_game: bool,
    },

    /// Play a turn in the game of a pairing, or a file of turns
    ///
    /// A turn that violates the rules is rejected. When the board shows the end, or the game reaches its limit, the game ends;
    /// `annals tournament game result` records its result. A file has lines such as `1g Ra1 ...`, `takeback` and
    /// `12s resigns`.
    #[command(after_long_help = "Examples:\n  \
        annals tournament game move wcc-2015 r1.1 \"Ee2n Ee3n\" --used 40\n  \
        annals tournament game move wcc-2015 r1.1 --from game327001.txt")]
    Move {
        /// Pairing
        pairing: BoardId,

        /// Turn, with or without its label
        #[arg(required_unless_present = "from", conflicts_with = "from")]
        turn: Option<String>,

        /// File of turns, one a line with its label
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,

        /// Seconds used for the turn
        #[arg(long, value_name = "SECONDS", conflicts_with = "from")]
        used: Option<u32>,
    },

    /// Record the result of a pairing
    ///
    /// Without an outcome the result is that of the game. If the game is in the log and has not ended, --termination ends it
    /// too.
    #[command(after_long_help = "Examples:\n  \
        annals tournament game result wcc-2015 r1.1               as the game ended\n  \
        annals tournament game result wcc-2015 r1.1 gold --termination resignation\n  \
        annals tournament game result wcc-2015 r1.1 sharp --termination time\n  \
        annals tournament game result olympiad-2000 r2.1 black --termination immobilization --territory 14")]
    Result {
        /// Pairing
        pairing: BoardId,

        /// gold, silver (white, black), draw, double_loss, or the winner; a ruling gives any other
        #[arg(value_name = "OUTCOME|WINNER")]
        outcome: Option<String>,

        /// How the game ended
        #[arg(long, value_parser = one_of(&Termination::ALL, Termination::word))]
        termination: Option<Termination>,

        /// The winner's squares of territory, if the rulebook counts them
        #[arg(long, value_name = "N")]
        territory: Option<u32>,

        /// Game [default: the last one of the pairing]
        #[arg(long)]
        game: Option<GameId>,
    },

    /// Record that one or both players did not come
    ///
    /// The opponent wins by forfeit, or both lose.
    #[command(after_long_help = "Examples:\n  \
        annals tournament game forfeit wc-2009 r3.2 --absent omar\n  \
        annals tournament game forfeit wc-2009 r3.2 --absent omar --absent fritzlein")]
    Forfeit {
        /// Pairing
        pairing: BoardId,

        /// Player who did not come; twice if neither did
        #[arg(long, value_name = "PLAYER", required = true)]
        absent: Vec<String>,

        /// Time until which the opponent waited
        #[arg(long, value_name = "TIME")]
        waited_until: Option<String>,
    },
}

impl Request for GameRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            GameRequest::Start { pairing, game, no_game } => session
                .start(pairing, game, no_game)
                .map_err(|error| naming(session, &[Command::Start { pairing, game: None }.into()], error)),
            GameRequest::Move { pairing, turn, from, used } => {
                let text = match &from {
                    Some(file) => annals_ingest::input_file::text(file)
                        .cannot(format_args!("cannot read the turns in {}", file.display()))?,
                    None => turn.unwrap_or_default(),
                };
                let (steps, ending) = session.turns(pairing, &text, used)?;
                if let Some(ending) = ending {
                    diagnostic(format_args!("note: the game is over: {ending}"));
                }
                Ok(steps)
            }
            GameRequest::Result { pairing, outcome, termination, territory, game } => {
                Ok(session.result(NewResult { pairing, outcome, termination, game, territory })?)
            }
            GameRequest::Forfeit { pairing, absent, waited_until } => {
                let absent = absent.iter().map(|name| session.player(name)).collect::<Result<_, _>>()?;
                let waited_until = waited_until.map(|text| session.time(&text)).transpose()?;
                request(Command::Forfeit { pairing, absent, waited_until })
            }
        }
    }
}
