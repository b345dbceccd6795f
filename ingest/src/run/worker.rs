//! Work on a block: reads rows, plays games, collects table rows, and encodes the large tables as row groups. The
//! writer decides what depends on other blocks, such as duplicates.

use arrow::array::RecordBatch;

use annals_rules::arimaa::Generator;

use super::error::IngestError;
use super::filed::Compared;
use super::of_files;
use super::record;
use super::same_game::digest_of_events;
use super::stored_games::{StoredGames, StoredRecord};
use super::unknown::Unknown;
use crate::archive_row::{ArchiveText, FallenTurn, StoredGame, StoredTurn, Transcript, not_given_back};
use crate::flags::{Flag, Flags};
use crate::game_files::GameFile;
use crate::game_record::{GameRecord, Header, Provenance, TimedEvent, flags_of};
use crate::playthrough::Playthrough;
use crate::row::Row;
use crate::row_events::{RowEvents, events};
use crate::source::{Block, FoundGame, FoundGames, GameStatus, RejectReason, RowRef, RowStatus};
use crate::tables::{GameRows, RejectedTurnRows, Rows, ServerLogRows, TurnRows};
use crate::write::{Encoder, RowGroup, WriteError};

pub struct Encoders {
    pub(super) turns: Encoder<TurnRows>,
    pub(super) server_log: Encoder<ServerLogRows>,
    pub(super) games: Encoder<GameRows>,
    pub(super) rejected_turns: Encoder<RejectedTurnRows>,
}

impl Encoders {
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

/// A row that is not a stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// In the source's text.
    pub byte_offset: u64,
    pub line: u64,
    pub bytes: u64,
    /// None for a row too long to keep.
    pub digest: Option<[u8; 16]>,
    pub why: Why,
}

/// Why a row is not a stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// An earlier game has its number.
    Duplicate {
        id: u64,
        /// The digest of its events, if one of the two is logged.
        events: Option<[u8; 16]>,
    },
    /// A logged game that is stored from a file.
    InFile {
        id: u64,
        /// The first difference; none if equal.
        difference: Option<String>,
    },
    Unreadable(RejectReason),
    /// The game file has no readable game here.
    NoGame {
        /// Stable.
        code: &'static str,
        reason: String,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub rows: u64,
    pub accepted: u64,
    pub flagged: u64,
    pub turns: u64,
    /// Games by flag, in the order of [`Flag::ALL`].
    pub flags: Vec<u64>,
    /// Games that state that they were generated.
    pub generated: u64,
    pub unknown: Unknown,
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

pub struct BlockDone {
    /// With their years.
    pub turns: Vec<(i16, RowGroup)>,
    pub server_log: Vec<RowGroup>,
    pub games: Option<RecordBatch>,
    pub rejected_turns: Option<RecordBatch>,
    /// Numbers and records.
    pub stored: Vec<(u64, StoredRecord)>,
    /// In file order.
    pub rejected: Vec<RejectedRow>,
    pub tally: Tally,
}

impl BlockDone {
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

struct Gathered<'e> {
    encoders: &'e Encoders,
    counter: Option<Generator>,
    turns: Vec<(i16, TurnRows)>,
    server_log: ServerLogRows,
    games: GameRows,
    rejected_turns: RejectedTurnRows,
}

pub struct Worker<'e> {
    stored: &'e StoredGames,
    played: Playthrough,
    transcript: Transcript,
    gathered: Gathered<'e>,
}

impl<'e> Worker<'e> {
    /// `counts`: count steps and turns of every position.
    #[must_use]
    pub fn new(encoders: &'e Encoders, stored: &'e StoredGames, counts: bool) -> Worker<'e> {
        let gathered = Gathered {
            encoders,
            counter: counts.then(Generator::new),
            turns: Vec::new(),
            server_log: ServerLogRows::default(),
            games: GameRows::default(),
            rejected_turns: RejectedTurnRows::default(),
        };
        Worker { stored, played: Playthrough::default(), transcript: Transcript::default(), gathered }
    }

    /// # Errors
    /// If rows cannot be encoded, which is an error in the program.
    pub fn work(&mut self, block: &Block) -> Result<BlockDone, IngestError> {
        let mut done = BlockDone::empty(Tally { rows: block.rows.len() as u64, ..Tally::default() });
        // By number, so that page and row group ranges separate games.
        let mut new: Vec<(u64, &RowRef)> = Vec::with_capacity(block.rows.len());
        let mut row_events = RowEvents::default();
        for row in &block.rows {
            match &row.status {
                RowStatus::New { id } => new.push((*id, row)),
                RowStatus::Duplicate { id } => {
                    let events = match self.is_of_log(*id)? {
                        true => {
                            events(&Row::read(&block.columns, block.row_text(row)), &mut row_events);
                            Some(digest_of_events(&row_events.events))
                        }
                        false => None,
                    };
                    done.rejected.push(rejected(block, row, Why::Duplicate { id: *id, events }));
                }
                RowStatus::Rejected(reason) => {
                    done.rejected.push(rejected(block, row, Why::Unreadable((**reason).clone())));
                }
            }
        }
        new.sort_by_key(|(id, _)| *id);
        for (_, row) in new {
            self.row(block, row, &mut row_events, &mut done)?;
        }
        self.gathered.finish(&mut done)?;
        Ok(done)
    }

    fn is_of_log(&self, id: u64) -> Result<bool, IngestError> {
        Ok(self.stored.record(id)?.is_some_and(|record| record.of_log))
    }

    fn row<'b>(
        &mut self,
        block: &'b Block,
        at: &RowRef,
        row_events: &mut RowEvents<'b>,
        done: &mut BlockDone,
    ) -> Result<(), IngestError> {
        let row = Row::read(&block.columns, block.row_text(at));
        events(&row, row_events);
        let provenance = Provenance {
            source: &block.source.name,
            byte_offset: at.byte_offset,
            line: at.line,
            digest: block.row_digest(at),
            stream: None,
        };
        self.played.play(&row_events.events);
        let turns = StoredTurn::standing(&row_events.events, &self.played);
        let fallen = FallenTurn::of(&row_events.events, &self.played);
        let text = &ArchiveText::default();
        let (id, header, log) = (row.id, &row.header, row_events.log.as_slice());
        let stored = StoredGame { id, header, turns: &turns, fallen: &fallen, log, text, over: true };
        let archive = not_given_back(&row, stored, &mut self.transcript);
        let noticed = row.flags.union(row_events.flags);
        done.tally.unknown.note(&row, &row_events.log, noticed);
        let record = GameRecord {
            id,
            header,
            events: &row_events.events,
            turns: &turns,
            log,
            played: &self.played,
            flags: flags_of(noticed, &row.header, row_events.unfinished.as_ref(), &self.played),
            notes: &[],
            archive: &archive,
            provenance,
        };
        self.gathered.add(&record, done)
    }

    /// Stores games of a game file.
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
                GameStatus::Duplicate { id, game } => {
                    let events = self.is_of_log(id)?.then(|| digest_of_events(&game.events));
                    Why::Duplicate { id, events }
                }
                GameStatus::Rejected { code, reason } => Why::NoGame { code, reason },
            };
            done.rejected.push(RejectedRow { byte_offset, line, bytes, digest: Some(digest), why });
        }
        new.sort_by_key(|(id, ..)| *id);
        for (id, digest, game) in new {
            let provenance = Provenance {
                source: &found.source.name,
                byte_offset: game.byte_offset,
                line: game.line,
                digest,
                stream: None,
            };
            self.events(id, &game.events, Some(&game), provenance, &mut done)?;
        }
        self.gathered.finish(&mut done)?;
        Ok(done)
    }

    /// Stores a game given by its events, with its game file if any.
    pub(super) fn events(
        &mut self,
        id: u64,
        events: &[TimedEvent<'_>],
        file: Option<&GameFile>,
        provenance: Provenance<'_>,
        done: &mut BlockDone,
    ) -> Result<(), IngestError> {
        self.played.play(events);
        let header = Header::of_events(events);
        let notes = file.map_or_else(Vec::new, |file| of_files::notes(file, events, &self.played));
        let record = GameRecord {
            id,
            header: &header,
            events,
            turns: &StoredTurn::standing(events, &self.played),
            log: &[],
            played: &self.played,
            flags: flags_of(file.map(of_files::flags).unwrap_or_default(), &header, None, &self.played),
            notes: &notes,
            archive: &ArchiveText::default(),
            provenance,
        };
        self.gathered.add(&record, done)
    }

    /// What can be compared with a stored game.
    pub(super) fn compared(&mut self, events: &[TimedEvent<'_>]) -> Compared {
        Compared::of(events, &mut self.played)
    }

    pub(super) fn finish(&mut self, done: &mut BlockDone) -> Result<(), IngestError> {
        self.gathered.finish(done)
    }
}

impl Gathered<'_> {
    fn add(&mut self, record: &GameRecord<'_, '_>, done: &mut BlockDone) -> Result<(), IngestError> {
        record::game(&mut self.games, record);
        let (encoders, year) = (self.encoders, record.year());
        let at = self.turns.iter().position(|(y, _)| *y == year).unwrap_or_else(|| {
            self.turns.push((year, TurnRows::default()));
            self.turns.len() - 1
        });
        // A game is never split between row groups.
        let turns = &mut self.turns[at].1;
        record::turns(turns, record, self.counter.as_mut());
        if turns.len() >= TurnRows::SPEC.row_group_rows {
            done.turns.extend(encoders.turns.encode(turns)?.map(|group| (year, group)));
        }
        record::rejected_turns(&mut self.rejected_turns, record);
        record::server_log(&mut self.server_log, record);
        if self.server_log.len() >= ServerLogRows::SPEC.row_group_rows {
            done.server_log.extend(encoders.server_log.encode(&mut self.server_log)?);
        }

        let (digest, of_log) = (record.provenance.digest, record.provenance.stream.is_some());
        done.stored.push((record.id, StoredRecord { digest, of_log }));
        done.tally.turns += record.played.standing().len() as u64;
        done.tally.count(record.flags);
        done.tally.generated += u64::from(record.header.is_generated());
        Ok(())
    }

    fn finish(&mut self, done: &mut BlockDone) -> Result<(), IngestError> {
        for (year, rows) in &mut self.turns {
            done.turns.extend(self.encoders.turns.encode(rows)?.map(|group| (*year, group)));
        }
        done.server_log.extend(self.encoders.server_log.encode(&mut self.server_log)?);
        done.games = self.encoders.games.batch(&mut self.games)?;
        done.rejected_turns = self.encoders.rejected_turns.batch(&mut self.rejected_turns)?;
        // The next block may have other years: frees unused buffers.
        self.turns.retain(|(year, _)| done.turns.iter().any(|(used, _)| used == year));
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
