//! What a working thread does with a block: reads its rows, plays every game through, gathers the rows of the tables, and
//! encodes the large ones into row groups. What depends on other blocks (whether a duplicate is the same record)
//! is left to the writer.

use arrow::array::RecordBatch;

use annals_events::generated;
use annals_rules::arimaa::Generator;

use super::error::IngestError;
use super::of_files;
use super::record::{self, Place};
use crate::flags::{Flag, Flags};
use crate::playthrough::Playthrough;
use crate::row::Row;
use crate::row_events::{RowEvents, events};
use crate::source::{Block, FoundGame, FoundGames, GameStatus, RejectReason, RowRef, RowStatus};
use crate::tables::{GameRows, RejectedTurnRows, Rows, ServerLogRows, TurnRows};
use crate::write::{Encoder, RowGroup, WriteError};

/// The encoders that all threads share.
pub struct Encoders {
    pub(super) turns: Encoder<TurnRows>,
    pub(super) server_log: Encoder<ServerLogRows>,
    pub(super) games: Encoder<GameRows>,
    pub(super) rejected_turns: Encoder<RejectedTurnRows>,
}

impl Encoders {
    /// The encoders.
    ///
    /// # Errors
    /// As [`Encoder::new`].
    pub fn new() -> Result<Encoders, WriteError> {
        Ok(Encoders {
            turns: Encoder::new()?,
            server_log: Encoder::new()?,
            games: Encoder::new()?,
            rejected_turns: Encoder::new()?,
        })
    }
}

/// A row that is no stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// Offset in the source's text.
    pub byte_offset: u64,
    /// Line.
    pub line: u64,
    /// Length.
    pub bytes: u64,
    /// Digest of its content; none for a row that was too long to keep.
    pub digest: Option<[u8; 16]>,
    /// Why.
    pub why: Why,
}

/// Why a row is no stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// A game of this number came before.
    Duplicate(u64),
    /// It cannot be read.
    Unreadable(RejectReason),
    /// What stands in a game file is no game that can be read.
    NoGame {
        /// Why, as a short stable word.
        code: &'static str,
        /// Why, in a sentence.
        reason: String,
    },
}

/// What became of the games of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows.
    pub rows: u64,
    /// Games without a flag.
    pub accepted: u64,
    /// Games with one.
    pub flagged: u64,
    /// Turns that stand.
    pub turns: u64,
    /// How many games have each flag, in the order of [`Flag::ALL`].
    pub flags: Vec<u64>,
    /// Games that nobody played: those that say so of themselves.
    pub generated: u64,
}

impl Tally {
    fn count(&mut self, flags: Flags) {
        match flags.is_empty() {
            true => self.accepted += 1,
            false => self.flagged += 1,
        }
        self.flags.resize(Flag::ALL.len(), 0);
        for flag in flags.iter() {
            self.flags[flag as usize] += 1;
        }
    }
}

/// A block's rows, encoded.
pub struct BlockDone {
    /// Row groups of `turns`, with their years.
    pub turns: Vec<(i16, RowGroup)>,
    /// Row groups of `server_log`.
    pub server_log: Vec<RowGroup>,
    /// Rows of `games`.
    pub games: Option<RecordBatch>,
    /// Rows of `rejected_turns`.
    pub rejected_turns: Option<RecordBatch>,
    /// Numbers and digests of the games.
    pub stored: Vec<(u64, [u8; 16])>,
    /// Rows that are no games, in file order.
    pub rejected: Vec<RejectedRow>,
    /// What became of the rows.
    pub tally: Tally,
}

impl BlockDone {
    /// Nothing encoded yet.
    pub(super) fn empty(tally: Tally) -> BlockDone {
        BlockDone {
            turns: Vec::new(),
            server_log: Vec::new(),
            games: None,
            rejected_turns: None,
            stored: Vec::new(),
            rejected: Vec::new(),
            tally,
        }
    }
}

/// The state of a working thread.
pub struct Worker<'e> {
    encoders: &'e Encoders,
    played: Playthrough,
    counter: Option<Generator>,
    turns: Vec<(i16, TurnRows)>,
    server_log: ServerLogRows,
    games: GameRows,
    rejected_turns: RejectedTurnRows,
}

impl<'e> Worker<'e> {
    /// A working thread's state; `counts` asks for the counts of steps and turns of every position.
    #[must_use]
    pub fn new(encoders: &'e Encoders, counts: bool) -> Worker<'e> {
        Worker {
            encoders,
            played: Playthrough::default(),
            counter: counts.then(Generator::new),
            turns: Vec::new(),
            server_log: ServerLogRows::default(),
            games: GameRows::default(),
            rejected_turns: RejectedTurnRows::default(),
        }
    }

    /// Does a block.
    ///
    /// # Errors
    /// When rows cannot be encoded, which only a fault of ours can bring about.
    pub fn work(&mut self, block: &Block) -> Result<BlockDone, IngestError> {
        let mut done = BlockDone::empty(Tally { rows: block.rows.len() as u64, ..Tally::default() });
        // Games in the order of their numbers, so that the ranges of pages and row groups tell them apart.
        let mut new: Vec<(u64, &RowRef)> = Vec::with_capacity(block.rows.len());
        for row in &block.rows {
            match &row.status {
                RowStatus::New { id } => new.push((*id, row)),
                RowStatus::Duplicate { id } => {
                    done.rejected.push(rejected(block, row, Why::Duplicate(*id)));
                }
                RowStatus::Rejected(reason) => {
                    done.rejected.push(rejected(block, row, Why::Unreadable((**reason).clone())));
                }
            }
        }
        new.sort_by_key(|(id, _)| *id);
        let mut row_events = RowEvents::default();
        for (_, row) in new {
            self.row(block, row, &mut row_events, &mut done)?;
        }
        self.finish(&mut done)?;
        Ok(done)
    }

    /// Encodes what is gathered.
    pub(super) fn finish(&mut self, done: &mut BlockDone) -> Result<(), IngestError> {
        for (year, rows) in &mut self.turns {
            done.turns.extend(self.encoders.turns.encode(rows)?.map(|group| (*year, group)));
        }
        done.server_log.extend(self.encoders.server_log.encode(&mut self.server_log)?);
        done.games = self.encoders.games.batch(&mut self.games)?;
        done.rejected_turns = self.encoders.rejected_turns.batch(&mut self.rejected_turns)?;
        // The next block may be of other years: room that is not used is given back.
        self.turns.retain(|(year, _)| done.turns.iter().any(|(used, _)| used == year));
        Ok(())
    }

    fn row<'b>(
        &mut self,
        block: &'b Block,
        at: &RowRef,
        row_events: &mut RowEvents<'b>,
        done: &mut BlockDone,
    ) -> Result<(), IngestError> {
        let text = block.row_text(at);
        let row = Row::read(&block.columns, text);
        events(&row, row_events);
        let place = Place {
            source: &block.source.name,
            byte_offset: at.byte_offset,
            line: at.line,
            digest: block.row_digest(at),
            stream: None,
            file: None,
        };
        self.game(&row, row_events, place, done)
    }

    /// Does some games of a game file.
    ///
    /// # Errors
    /// As [`Worker::work`].
    pub fn games(&mut self, found: FoundGames) -> Result<BlockDone, IngestError> {
        let mut done = BlockDone::empty(Tally { rows: found.games.len() as u64, ..Tally::default() });
        let mut new = Vec::with_capacity(found.games.len());
        for FoundGame { byte_offset, line, bytes, digest, status } in found.games {
            let why = match status {
                GameStatus::New { id, game } => {
                    new.push((id, digest, game));
                    continue;
                }
                GameStatus::Duplicate { id } => Why::Duplicate(id),
                GameStatus::Rejected { code, reason } => Why::NoGame { code, reason },
            };
            done.rejected.push(RejectedRow { byte_offset, line, bytes, digest: Some(digest), why });
        }
        new.sort_by_key(|(id, ..)| *id);
        for (id, digest, game) in new {
            let mut game = *game;
            let mut events = RowEvents::default();
            events.events = std::mem::take(&mut game.events);
            events.flags = of_files::flags(&game);
            let place = Place {
                source: &found.source.name,
                byte_offset: game.byte_offset,
                line: game.line,
                digest,
                stream: None,
                file: Some(&game),
            };
            let row = super::logged::row_of(id, &events.events);
            self.game(&row, &events, place, &mut done)?;
        }
        self.finish(&mut done)?;
        Ok(done)
    }

    /// Plays a game through and gathers its rows.
    pub(super) fn game(
        &mut self,
        row: &Row<'_>,
        row_events: &RowEvents<'_>,
        place: Place<'_>,
        done: &mut BlockDone,
    ) -> Result<(), IngestError> {
        self.played.play(&row_events.events);
        let flags = record::game(&mut self.games, row, row_events, &self.played, place);
        let (encoders, year) = (self.encoders, record::year_of(row));
        let at = self.turns.iter().position(|(y, _)| *y == year).unwrap_or_else(|| {
            self.turns.push((year, TurnRows::default()));
            self.turns.len() - 1
        });
        // A game is never divided between row groups: what was played next stands in the next row.
        let turns = &mut self.turns[at].1;
        record::turns(turns, row.id, row_events, &self.played, self.counter.as_mut());
        if turns.len() >= TurnRows::SPEC.row_group_rows {
            done.turns.extend(encoders.turns.encode(turns)?.map(|group| (year, group)));
        }
        record::rejected_turns(&mut self.rejected_turns, row.id, row_events, &self.played);
        record::server_log(&mut self.server_log, row.id, row_events);
        if self.server_log.len() >= ServerLogRows::SPEC.row_group_rows {
            done.server_log.extend(encoders.server_log.encode(&mut self.server_log)?);
        }

        done.stored.push((row.id, place.digest));
        done.tally.turns += self.played.standing().len() as u64;
        done.tally.count(flags);
        let players = [row.gold.name.as_ref(), row.silver.name.as_ref()];
        done.tally.generated += u64::from(generated::is_generated(&row.event, &row.site, players));
        Ok(())
    }
}

fn rejected(block: &Block, row: &RowRef, why: Why) -> RejectedRow {
    let (bytes, whole) = match &why {
        Why::Unreadable(RejectReason::TooLong { bytes }) => (*bytes, false),
        _ => (u64::from(row.len), true),
    };
    let digest = whole.then(|| block.row_digest(row));
    RejectedRow { byte_offset: row.byte_offset, line: row.line, bytes, digest, why }
}
