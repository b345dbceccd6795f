//! The boards of the tournament of a page whose games are in the log: a game that a director did not enter has no page.

use std::cell::OnceCell;

use annals_events::BoardId;
use annals_replay::Cut;
use annals_replay::queries::TournamentAt;
use annals_replay::subject::{GamesOfBoards, find_tournament, games_of_boards, has_begun};

use super::moment;
use crate::Failure;
use crate::app::Context;

/// Read when the first link to a board is made.
pub struct BoardGames<'c> {
    context: &'c Context<'c>,
    found: OnceCell<Option<(GamesOfBoards, Cut)>>,
}

impl<'c> BoardGames<'c> {
    pub fn new(context: &'c Context<'_>) -> BoardGames<'c> {
        BoardGames { context, found: OnceCell::new() }
    }

    /// Whether the log has a game of a board that had begun at the page's point in time.
    pub fn has(&self, tournament: &str, board: &str) -> bool {
        let Ok(board) = board.parse::<BoardId>() else { return false };
        let Some((games, cut)) = self.found.get_or_init(|| self.read(tournament).ok()) else { return false };
        let Some(attempts) = games.get(&board) else { return false };
        *cut == Cut::NOW
            || self
                .context
                .log()
                .is_ok_and(|log| attempts.values().any(|game| has_begun(&log, game, cut).unwrap_or(false)))
    }

    fn read(&self, tournament: &str) -> Result<(GamesOfBoards, Cut), Failure> {
        let log = self.context.log()?;
        let stream = find_tournament(&log, tournament)?;
        let (cut, _) = moment::cut(self.context, &log, Some(&stream))?;
        let held = self.context.app.tournament(&log, &stream)?;
        let at = TournamentAt::held(&log, &held.events, &cut)?;
        Ok((games_of_boards(&log, &stream, at.tournament())?, cut))
    }
}
