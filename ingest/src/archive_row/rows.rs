//! Games as rows of an archive.

use super::{RowError, Transcript, push_game, push_header};
use annals_events::{GameEvent, Micros};

pub struct Rows {
    first_id: u64,
    mode: &'static str,
    row: Vec<u8>,
    transcript: Transcript,
}

impl Rows {
    /// `first_id` is the number of the first game, `mode` the column of that name.
    pub fn new(first_id: u64, mode: &'static str) -> Rows {
        Rows { first_id, mode, row: Vec::new(), transcript: Transcript::default() }
    }

    pub fn header(&mut self) -> &[u8] {
        self.row.clear();
        push_header(&mut self.row);
        &self.row
    }

    /// The row of the game with this index from 0.
    ///
    /// # Errors
    /// As [`push_game`].
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
