//! `annals tournament game move`: a turn typed live, or all turns of a game from a file.

use annals_events::{BoardId, StreamName};
use annals_replay::handler::{DirectorSession, Step, game_played, play};
use std::path::PathBuf;

use super::director::{Request, pairing};
use crate::errors::{CliError, InWords as _};
use crate::output::diagnostic;

/// Play a turn in the game of a pairing, or a file of turns
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play a turn in the game of a pairing, or a file of turns\n\n\
        A turn that violates the rules is rejected. When the board shows the end, or the game reaches its limit, \
        the game ends; `annals tournament game result` records its result. A file has lines such as `1g Ra1 \
        ...`, `takeback` and `12s resigns`.",
    after_help = "Examples:\n  annals tournament game move wcc-2015 r1.1 \"Ee2n Ee3n\" --used 40\n  \
        annals tournament game move wcc-2015 r1.1 --from game327001.txt"
)]
pub struct Args {
    /// Pairing
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// Turn, with or without its label
    #[arg(value_name = "TURN", required_unless_present = "from", conflicts_with = "from")]
    turn: Option<String>,

    /// File of turns, one a line with its label
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Seconds used for the turn
    #[arg(long, value_name = "SECONDS", conflicts_with = "from")]
    used: Option<u32>,
}

impl Request for Args {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let state = work.state()?;
        let pairing = self.pairing;
        let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
        let board = board.ok_or_else(|| {
            CliError::new(format!("{pairing} was never paired, or was revoked"))
                .hint(format!("`annals tournament round list {}` lists the pairings", work.name))
        })?;
        let Some((attempt, game)) = board.games.iter().next_back() else {
            return Err(CliError::new(format!("no game of {pairing} has begun"))
                .hint(format!("`annals tournament game start {} {pairing}` begins it", work.name)));
        };
        let text = match (&self.from, &self.turn) {
            (Some(file), _) => annals_ingest::input_file::text(file)
                .cannot(format_args!("cannot read the turns in {}", file.display()))?,
            (None, turn) => turn.clone().unwrap_or_default(),
        };
        let stream: StreamName = format!("game/{game}").parse()?;
        let aside = board.set_aside.iter().rev().find(|aside| aside.fact.attempt < *attempt);
        let carried = aside.and_then(|aside| aside.fact.ply);
        let played = play(&work.log, &stream, &text, self.used, carried, (work.at, work.now))?;
        if let Some((winner, termination)) = played.ended {
            let kind = game_played(&state);
            let who =
                winner.map_or("no player wins".to_owned(), |side| format!("{} wins", side.name_in(kind)));
            diagnostic(format_args!("note: the game is over: {who} by {termination}"));
        }
        Ok(played.drafts.into_iter().map(Step::from).collect())
    }
}
