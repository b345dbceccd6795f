//! The games of an archive file as timed events, for an import into the log. Every row is accounted for: a game,
//! perhaps with flags, or rejected with a reason.
//!
//! The log needs a time for every event. If the source lacks it, it is the earliest by which the event had happened:
//! the next stated time (in the files of 2002, without server log, the game's end), or after the last stated time, that
//! one. Such events have the note [`TimeNote::Unknown`]. Times that run backwards are kept; the importer raises them.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use annals_events::{GameEvent, Micros, TimeNote};
use sha2::{Digest as _, Sha256};

use crate::flags::Flags;
use crate::game_record::{TimedEvent, flags_of};
use crate::playthrough::{MAX_TURNS, Playthrough};
use crate::row::Row;
use crate::row_events::{RowEvents, events};
use crate::source::{Block, Blocks, Piece, Progress, RowRef, RowStatus, SourceFile};

/// A row without start, end and log times.
pub const NO_TIME: &str = "no_time";

/// A row with more than [`MAX_EVENTS`] events.
pub const TOO_MANY_EVENTS: &str = "too_many_events";

/// Twice the turns played, for rejected and retracted ones.
pub const MAX_EVENTS: usize = 2 * MAX_TURNS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed<'e> {
    /// When it happened, or had happened: microseconds since the Unix epoch, UTC.
    pub at: Micros,
    /// Why the source does not state that time.
    pub note: Option<TimeNote>,
    pub event: &'e GameEvent<'e>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ArchiveGame<'e> {
    /// In the gameroom.
    pub id: u64,
    /// The file, or `outer.tgz!member.txt`.
    pub source: &'e str,
    /// From 1; the header is line 1.
    pub line: u64,
    pub flags: Flags,
    /// The first is `Started`, the last `Ended`.
    pub events: Vec<Placed<'e>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused<'e> {
    pub source: &'e str,
    /// None for a source without archive text.
    pub line: Option<u64>,
    /// Stable, in `snake_case`.
    pub code: &'static str,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Found<'e> {
    Game(ArchiveGame<'e>),
    Refused(Refused<'e>),
    /// A game that was not requested.
    LeftOut {
        id: u64,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub rows: u64,
    pub games: u64,
    /// Rows with a flag.
    pub flagged: u64,
    /// Rejected rows.
    pub refused: u64,
    /// Games not requested.
    pub left_out: u64,
    /// Sources without archive text, or truncated.
    pub bad_sources: u64,
}

/// Reads an archive file (packed or not) and calls `each` with every wanted game and every rejection, in file order.
/// `seen` has the numbers of earlier games: a repeated number is rejected.
///
/// # Errors
/// Those of `each`; errors of the file itself are [`Refused`].
pub fn archive_games<E>(
    file: &SourceFile,
    seen: &mut HashSet<u64>,
    progress: &Progress,
    wanted: impl Fn(u64) -> bool,
    mut each: impl FnMut(Found<'_>) -> Result<(), E>,
) -> Result<Counts, E> {
    let mut counts = Counts::default();
    let mut played = Playthrough::default();
    let files = std::slice::from_ref(file);
    for piece in Blocks::new(files, |id| !seen.insert(id)).with_progress(progress.clone()) {
        match piece {
            Piece::Block(block) => {
                let mut row_events = RowEvents::default();
                for row in &block.rows {
                    counts.rows += 1;
                    let found =
                        read(&block, row, &wanted, &mut row_events, &mut played, &mut counts, &mut each);
                    found?;
                }
            }
            // An import reads archives, and rejects other texts as a whole.
            Piece::Games(_) => {}
            Piece::End(end) => {
                if let Some(why) = end.incomplete {
                    counts.bad_sources += 1;
                    let (source, code) = (end.source.name.as_str(), "incomplete_source");
                    let reason = format!("it could not be read to its end: {why}");
                    each(Found::Refused(Refused { source, line: None, code, reason }))?;
                }
            }
            Piece::Rejected(rejected) => {
                counts.bad_sources += 1;
                let (source, reason) = (rejected.source.name.as_str(), rejected.reason);
                let (code, reason) = (reason.code(), reason.to_string());
                each(Found::Refused(Refused { source, line: None, code, reason }))?;
            }
        }
    }
    Ok(counts)
}

/// SHA-256 of a file as `sha256:…`, and its length in bytes.
///
/// # Errors
/// If it cannot be read.
pub fn file_digest(path: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                sha.update(&buffer[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((written(&sha.finalize()), bytes))
}

/// The same of a text in parts.
#[derive(Debug, Clone, Default)]
pub struct RunningDigest {
    sha: Sha256,
    bytes: u64,
}

impl RunningDigest {
    pub fn update(&mut self, part: &[u8]) {
        self.sha.update(part);
        self.bytes += part.len() as u64;
    }

    /// Of all parts, with their length in bytes.
    #[must_use]
    pub fn finish(self) -> (String, u64) {
        (written(&self.sha.finalize()), self.bytes)
    }
}

/// SHA-256 as `sha256:…`.
#[must_use]
pub fn text_digest(text: &str) -> String {
    written(&Sha256::digest(text.as_bytes()))
}

fn written(digest: &[u8]) -> String {
    format!("sha256:{}", hex::encode(digest))
}

fn read<'b, E>(
    block: &'b Block,
    at: &'b RowRef,
    wanted: &impl Fn(u64) -> bool,
    row_events: &mut RowEvents<'b>,
    played: &mut Playthrough,
    counts: &mut Counts,
    each: &mut impl FnMut(Found<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let source = block.source.name.as_str();
    let mut refuse = |counts: &mut Counts, code, reason| {
        counts.refused += 1;
        each(Found::Refused(Refused { source, line: Some(at.line), code, reason }))
    };
    let id = match &at.status {
        RowStatus::New { id } => *id,
        RowStatus::Duplicate { id } => {
            return refuse(counts, "duplicate", format!("a row of game {id} came before"));
        }
        RowStatus::Rejected(reason) => return refuse(counts, reason.code(), reason.to_string()),
    };
    if !wanted(id) {
        counts.left_out += 1;
        return each(Found::LeftOut { id });
    }
    let row = Row::read(&block.columns, block.row_text(at));
    events(&row, row_events);
    if row_events.events.len() > MAX_EVENTS {
        let found = row_events.events.len();
        let reason =
            format!("game {id} makes {found} events, and a log accepts at most {MAX_EVENTS} of one game");
        return refuse(counts, TOO_MANY_EVENTS, reason);
    }
    let Some(events) = placed(&row_events.events) else {
        let reason = format!("game {id} states no time at all, so it has no place in a log");
        return refuse(counts, NO_TIME, reason);
    };
    played.play(&row_events.events);
    let noticed = row.flags.union(row_events.flags);
    let flags = flags_of(noticed, &row.header, row_events.unfinished.as_ref(), played);
    counts.games += 1;
    counts.flagged += u64::from(!flags.is_empty());
    each(Found::Game(ArchiveGame { id, source, line: at.line, flags, events }))
}

/// Gives every event a time; none if no event has one.
fn placed<'e>(events: &'e [TimedEvent<'e>]) -> Option<Vec<Placed<'e>>> {
    let mut next = events.iter().filter_map(|(at, _)| *at).next_back()?;
    let mut placed: Vec<Placed<'e>> = Vec::with_capacity(events.len());
    for (at, event) in events.iter().rev() {
        next = at.unwrap_or(next);
        let note = if at.is_none() { Some(TimeNote::Unknown) } else { None };
        placed.push(Placed { at: next, note, event });
    }
    placed.reverse();
    Some(placed)
}

#[cfg(test)]
mod tests {
    use annals_events::{Side, TurnTaken};

    use super::*;

    fn times(given: &[Option<i64>]) -> Option<Vec<(i64, bool)>> {
        let turn = |at: &Option<i64>| (*at, GameEvent::TurnTaken(TurnTaken::plain(2, Side::Gold, "Ee2n")));
        let events: Vec<TimedEvent<'static>> = given.iter().map(turn).collect();
        placed(&events).map(|all| all.iter().map(|one| (one.at, one.note.is_some())).collect())
    }

    #[test]
    fn a_time_that_is_missing_is_the_earliest_by_which_it_surely_happened() {
        let stated = |at| (at, false);
        let unknown = |at| (at, true);
        assert_eq!(
            times(&[Some(1), None, None, Some(9)]),
            Some(vec![stated(1), unknown(9), unknown(9), stated(9)])
        );
        assert_eq!(times(&[Some(1), Some(4), None]), Some(vec![stated(1), stated(4), unknown(4)]));
        assert_eq!(times(&[None, Some(4)]), Some(vec![unknown(4), stated(4)]));
        assert_eq!(times(&[None, None]), None);
    }
}
