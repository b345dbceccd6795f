//! Games as an archive in the gameroom's format: rows, made of events.

use super::{RowError, Transcript, push_game, push_header};
use annals_events::{GameEvent, Micros};

/// Rows of an archive, made out of games.
pub struct Rows {
    first_id: u64,
    mode: &'static str,
    row: Vec<u8>,
    transcript: Transcript,
}

impl Rows {
    /// Rows whose first game has this number, and whose column `mode` says this.
    #[must_use]
    pub fn new(first_id: u64, mode: &'static str) -> Rows {
        Rows { first_id, mode, row: Vec::new(), transcript: Transcript::default() }
    }

    /// The header line.
    pub fn header(&mut self) -> &[u8] {
        self.row.clear();
        push_header(&mut self.row);
        &self.row
    }

    /// The row of a game by its number, from 0.
    ///
    /// # Errors
    /// When the archive has no words for the game.
    pub fn of(&mut self, game: u64, events: &[(Micros, GameEvent<'static>)]) -> Result<&[u8], RowError> {
        let events: Vec<(Option<Micros>, GameEvent<'_>)> =
            events.iter().map(|(at, event)| (Some(*at), event.clone())).collect();
        self.row.clear();
        push_game(
            &mut self.row,
            &mut self.transcript,
            self.first_id.saturating_add(game),
            self.mode,
            &events,
        )?;
        Ok(&self.row)
    }
}
