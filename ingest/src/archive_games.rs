//! The games of an archive file one by one, as events with a time each: what an import into the log takes. Every row
//! of the file is accounted for, as in an ingest: it is a game, without or with flags, or it is refused with its reason.
//!
//! The log files an event under a time, so here every event gets one. Where the source lacks it, it is the earliest by
//! which the event surely happened: the next time that the source states behind it (in the files of 2002, which have
//! no server log, the end of the game); behind the last stated time, that one. Such an event bears the note
//! [`TimeNote::Unknown`]. Times that run backwards are given as stated: whoever imports lifts them.

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

/// The reason of a row that states no time at all, neither a start nor an end nor a time in its log.
pub const NO_TIME: &str = "no_time";

/// The code of a row that makes more than [`MAX_EVENTS`] events.
pub const TOO_MANY_EVENTS: &str = "too_many_events";

/// The most events of one game that are put into a log: twice the turns that are played, for those refused and taken back.
pub const MAX_EVENTS: usize = 2 * MAX_TURNS;

/// One event of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed<'e> {
    /// When it happened, or surely had happened: microseconds since the Unix epoch, UTC.
    pub at: Micros,
    /// Why that is not a time that the source states.
    pub note: Option<TimeNote>,
    pub event: &'e GameEvent<'e>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ArchiveGame<'e> {
    /// The gameroom's number of it.
    pub id: u64,
    /// The source that it stands in: the file, or `outer.tgz!member.txt`.
    pub source: &'e str,
    /// Its line there, from 1; the header is line 1.
    pub line: u64,
    /// What is remarkable about it.
    pub flags: Flags,
    /// Its events in order; the first is `Started`, the last is `Ended`.
    pub events: Vec<Placed<'e>>,
}

/// A row, or a whole source, that is no game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused<'e> {
    pub source: &'e str,
    /// The line; none for a source that holds no archive text.
    pub line: Option<u64>,
    /// A short stable word for the reason, in `snake_case`.
    pub code: &'static str,
    pub reason: String,
}

/// What stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Found<'e> {
    Game(ArchiveGame<'e>),
    /// A row or a source that is none.
    Refused(Refused<'e>),
    /// A game that was not asked for.
    LeftOut {
        id: u64,
    },
}

/// What a file held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows that were read.
    pub rows: u64,
    pub games: u64,
    /// Of them with a flag.
    pub flagged: u64,
    /// Rows that are no game.
    pub refused: u64,
    /// Games that were not asked for.
    pub left_out: u64,
    /// Sources without archive text, or broken off.
    pub bad_sources: u64,
}

/// Reads an archive file (packed or not) and calls `each` with every game that is wanted, and with everything that is
/// refused, in the order of the file. `seen` holds the numbers of games that came before, in this file or another: a
/// second row of the same number is refused.
///
/// # Errors
/// What `each` returns; trouble with the file itself is told as [`Refused`].
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
            // Not asked for: an import takes archives, and refuses other texts as a whole.
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

/// The digest and the bytes of files: of one, its own digest; of several, that of their list as `sha256sum` prints it.
///
/// # Errors
/// When a file cannot be read.
pub fn files_digest(files: &[SourceFile]) -> io::Result<(String, u64)> {
    let (mut list, mut all, mut only) = (String::new(), 0, String::new());
    for SourceFile { name, path, .. } in files {
        let cannot = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
        };
        let (digest, bytes) = file_digest(path).map_err(cannot)?;
        list.push_str(&format!("{}  {name}\n", digest.trim_start_matches("sha256:")));
        all += bytes;
        only = digest;
    }
    Ok((if files.len() == 1 { only } else { text_digest(&list) }, all))
}

/// SHA-256 of a file as it lies, as `sha256sum` computes it, in the form `sha256:…`, and its length in bytes.
///
/// # Errors
/// When it cannot be read.
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

/// SHA-256 of a text that comes in parts, in the same form.
#[derive(Debug, Clone, Default)]
pub struct RunningDigest {
    sha: Sha256,
    bytes: u64,
}

impl RunningDigest {
    /// Takes the next part.
    pub fn update(&mut self, part: &[u8]) {
        self.sha.update(part);
        self.bytes += part.len() as u64;
    }

    /// The digest of all parts, and their length in bytes.
    #[must_use]
    pub fn finish(self) -> (String, u64) {
        (written(&self.sha.finalize()), self.bytes)
    }
}

/// SHA-256 of a text, in the same form.
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

/// Gives every event a time; none when no event has one.
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
