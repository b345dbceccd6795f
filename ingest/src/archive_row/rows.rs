//! Games as an archive in the gameroom's format: rows, made of events.

use std::io::{self, Write};

use annals_events::{GameEvent, Micros};

use super::{RowError, Transcript, push_game, push_header};

/// Rows of an archive, made from games.
pub struct Rows {
    first_id: u64,
    mode: &'static str,
    row: Vec<u8>,
    transcript: Transcript,
}

impl Rows {
    /// Rows whose first game has this number, and whose column `mode` has this text.
    pub fn new(first_id: u64, mode: &'static str) -> Rows {
        Rows { first_id, mode, row: Vec::new(), transcript: Transcript::default() }
    }

    /// The header line.
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

/// An archive that is being written, game after game.
pub struct Archive<W> {
    out: W,
    rows: Rows,
    games: u64,
}

/// A game was not written.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The format cannot express it.
    #[error(transparent)]
    Row(#[from] RowError),
    /// The system refuses.
    #[error("the archive cannot be written")]
    Write(#[from] io::Error),
}

impl<W: Write> Archive<W> {
    /// Writes the header line. The games get numbers from `first_id` on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(mut out: W, first_id: u64, mode: &'static str) -> io::Result<Archive<W>> {
        let mut rows = Rows::new(first_id, mode);
        out.write_all(rows.header())?;
        Ok(Archive { out, rows, games: 0 })
    }

    /// Writes the next game.
    ///
    /// # Errors
    /// When the format cannot express it, or it cannot be written.
    pub fn add(&mut self, events: &[(Micros, GameEvent<'static>)]) -> Result<(), ArchiveError> {
        self.out.write_all(self.rows.of(self.games, events)?)?;
        self.games += 1;
        Ok(())
    }

    /// The output, and how many games were written.
    pub fn finish(self) -> (W, u64) {
        (self.out, self.games)
    }
}

/// A game that was played by a real clock, as far as the format can express it: in whole seconds, and without the text of its
/// ending.
#[must_use]
pub fn rounded(events: &[(Micros, GameEvent<'static>)]) -> Vec<(Micros, GameEvent<'static>)> {
    let round = |(at, event): &(Micros, GameEvent<'static>)| {
        let mut event = event.clone();
        if let GameEvent::Ended(ended) = &mut event {
            ended.stated = None;
        }
        (at - at.rem_euclid(1_000_000), event)
    };
    events.iter().map(round).collect()
}
