//! Game files: one game of the Amazons, or several, as programs and people hand them in and ask for them: SGF (`FF[4]`,
//! `GM[18]`) and the plain list of moves. Both are read into events and written from events. What stands in them, and what
//! each of them cannot say, is told in `docs/game-files.md`.
//!
//! Whether the moves are legal is not asked here: the fold of the events says so, and [`GameFile::turn_lines`] tells on
//! which line the move stands that it refuses.
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
mod lines;
mod move_list;
mod record;
mod sgf;
mod time;

use annals_events::GameEvent;

pub use arimaa::write as write_arimaa;
pub use error::{GameFileError, Problem, WriteError};
pub use flag::{CODES, FileFlag};

/// Games of one file that are read; what follows them is rejected as one.
pub const MAX_GAMES: usize = 20_000;

/// Nodes, properties and values of one SGF file that are read; what follows is rejected as one.
pub const MAX_PARTS: usize = 1_500_000;

/// Which kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The Smart Game Format, `FF[4]`, with the Amazons as its game 18.
    Sgf,
    /// The plain list of moves under a few header lines.
    MoveList,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFile {
    /// What happened, as the file says it: the start, the turns (also those that were taken back), the end where one is
    /// stated. Only the start has a time, and only where the file has a date.
    pub events: Vec<(Option<i64>, GameEvent<'static>)>,
    /// The line on which each of the events stands, from 1; as many as there are events.
    pub turn_lines: Vec<u64>,
    /// Whether the time of the start is only the end of the day (or month, or year) that the file states: the earliest by
    /// which the game surely had begun.
    pub only_date: bool,
    /// The line on which the game begins, from 1.
    pub line: u64,
    /// Where in the file the game begins.
    pub byte_offset: u64,
    pub byte_len: u64,
    /// What was noticed on the way, in the order of the file.
    pub flags: Vec<FileFlag>,
}

impl Format {
    /// Both.
    pub const ALL: [Format; 2] = [Format::Sgf, Format::MoveList];

    /// The word on the command line and in the log.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::MoveList => "moves",
        }
    }

    /// From the name of a file: `.sgf` is SGF, `.moves` is a move list. A name that ends in `.txt` says nothing: so do the
    /// archives of the gameroom.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "sgf" => Some(Format::Sgf),
            "moves" => Some(Format::MoveList),
            _ => None,
        }
    }

    /// From how a file begins (some hundred bytes are enough): SGF with `(;`, a move list with one of its header lines or
    /// with a move.
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

/// The time of a start as a file can state it, where the log files the start under `at`: the time itself where it is known;
/// where it is not, the date, if `at` is the end of a day as [`GameFile::only_date`] has it; else nothing.
#[must_use]
pub fn stated_start(at: i64, known: bool) -> Option<i64> {
    (known || dates::is_end_of_day(at)).then_some(at)
}

/// Reads all games of a file, in order. `file` is its name, for what there is to say. Never panics, whatever the bytes; a
/// text without any game gives one error that says so.
#[must_use]
pub fn read(format: Format, file: &str, text: &[u8]) -> Vec<Result<GameFile, GameFileError>> {
    match format {
        Format::Sgf => sgf::read(file, text),
        Format::MoveList => move_list::read(file, text),
    }
}

/// Writes one game, so that [`read`] gives the same events as far as the format can say them.
///
/// # Errors
/// When the events do not begin with a start, are of another game, start from what is no position, or hold a turn that is
/// no move of the board.
pub fn write(format: Format, events: &[(Option<i64>, GameEvent<'_>)]) -> Result<String, WriteError> {
    let record = record::Record::of(events)?;
    match format {
        Format::Sgf => sgf::write(&record),
        Format::MoveList => move_list::write(&record),
    }
}
