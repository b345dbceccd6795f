//! Files of one or more games of the Amazons: SGF (`FF[4]`, `GM[18]`) and plain move lists, read into events and written
//! from events. See `docs/reference/game-files.md`.
//!
//! The fold of the events checks legality; [`GameFile::turn_lines`] gives the line of each move.
//!
//! ```
//! use annals_ingest::game_files::{Format, read, write};
//!
//! let text = "White: Ada\nBlack: Bela\n\n1. d1-d7(g7) a7-b8/b3\n2. resigns\n";
//! let game = read(Format::MoveList, "final.txt", text.as_bytes()).remove(0).unwrap();
//! assert_eq!((game.events.len(), game.turn_lines.as_slice()), (4, [1, 4, 4, 5].as_slice()));
//! let sgf = write(Format::Sgf, &game.events).unwrap();
//! assert!(sgf.contains(";W[djddgd]\n;B[adbcbh]"));
//! assert_eq!(read(Format::Sgf, "final.sgf", sgf.as_bytes()).remove(0).unwrap().events, game.events);
//! ```

mod arimaa;
mod dates;
mod draft;
mod ending;
mod error;
mod flag;
mod game_file;
mod lines;
mod move_list;
mod record;
mod sgf;
mod time;

use annals_events::{GameEvent, GameKind, Micros, TimeNote};

use crate::archive_row::with_game_of_events;
use crate::game_number::game_number;

pub use arimaa::write as write_arimaa;
pub use error::{GameFileError, Problem, WriteError};
pub use flag::{CODES, FileFlag};
pub use game_file::{GameFile, MAX_GAMES, MAX_PARTS};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Smart Game Format, `FF[4]`, `GM[18]`.
    Sgf,
    /// A plain list of moves after header lines.
    MoveList,
}

impl Format {
    pub const ALL: [Format; 2] = [Format::Sgf, Format::MoveList];

    /// On the command line and in the log.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::MoveList => "moves",
        }
    }

    /// `.sgf` is SGF, `.moves` a move list; `.txt` is ambiguous, since the gameroom's archives use it.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "sgf" => Some(Format::Sgf),
            "moves" => Some(Format::MoveList),
            _ => None,
        }
    }

    /// From the first hundred bytes: SGF begins with `(;`, a move list with a header line or a move.
    #[must_use]
    pub fn of_text(start: &[u8]) -> Option<Format> {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        if let Some(rest) = start.strip_prefix(b"(")
            && rest.trim_ascii_start().first() == Some(&b';')
        {
            return Some(Format::Sgf);
        }
        move_list::looks_like_one(start).then_some(Format::MoveList)
    }
}

/// The start as a file states it, if the log has it at `at`: the time if known; else the date, if `at` is the end of a
/// day ([`GameFile::only_date`]); else none.
#[must_use]
pub fn stated_start(at: i64, known: bool) -> Option<i64> {
    (known || dates::is_end_of_day(at)).then_some(at)
}

/// The time of an event as its source states it.
#[must_use]
pub fn stated_time(at: Micros, note: Option<TimeNote>) -> Option<Micros> {
    match note {
        Some(TimeNote::Lifted { stated_at }) => Some(stated_at),
        Some(TimeNote::Unknown) => stated_start(at, false),
        // A day would be more than the source states.
        Some(TimeNote::Stated(_)) => None,
        None => Some(at),
    }
}

/// A game of the log as its moves: of Arimaa with the header lines of its archive.
///
/// # Errors
/// As [`write()`](fn@write).
pub fn moves(name: &str, events: &[(Option<Micros>, GameEvent<'_>)]) -> Result<String, WriteError> {
    match events.first() {
        Some((_, GameEvent::Started(started))) if started.game == GameKind::Arimaa => {
            Ok(with_game_of_events(game_number(name, events), events, write_arimaa))
        }
        _ => write(Format::MoveList, events),
    }
}

/// Reads all games of a file, in order; `file` is its name for messages. Never panics. A text without a game gives one
/// error.
#[must_use]
pub fn read(format: Format, file: &str, text: &[u8]) -> Vec<Result<GameFile, GameFileError>> {
    match format {
        Format::Sgf => sgf::read(file, text),
        Format::MoveList => move_list::read(file, text),
    }
}

/// Writes one game, so that [`read`] gives the same events as far as the format can express them.
///
/// # Errors
/// If the events do not begin with a start, are of another game, or have an invalid start or move.
pub fn write(format: Format, events: &[(Option<i64>, GameEvent<'_>)]) -> Result<String, WriteError> {
    let record = record::Record::of(events)?;
    match format {
        Format::Sgf => sgf::write(&record),
        Format::MoveList => move_list::write(&record),
    }
}
