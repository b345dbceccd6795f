//! Game files: one game of the Amazons, or several, as programs and people hand them in and ask for them: SGF (FF[4],
//! GM[18]) and the plain list of moves. Both are read into events and written from events. `docs/game-files.md` tells
//! what stands in them.

use annals_events::GameEvent;

/// Which kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The Smart Game Format, FF[4], with the Amazons as its game 18.
    Sgf,
    /// The plain list of moves under a few header lines.
    MoveList,
}

/// One thing about a game that its file says and its events do not, or says in an odd way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFlag {
    /// A short word that never changes its meaning.
    pub code: &'static str,
    /// The line of the file, from 1.
    pub line: u64,
    /// The number of the move at which it stands; none before the first.
    pub turn: Option<u32>,
    /// What it is, in words.
    pub what: String,
}

/// One game of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFile {
    /// What happened, as the file says it: the start, the turns, the end where one is stated.
    pub events: Vec<(Option<i64>, GameEvent<'static>)>,
    /// The line on which each of the events stands, from 1.
    pub turn_lines: Vec<u64>,
    /// The line on which the game begins, from 1.
    pub line: u64,
    /// Where in the file the game begins.
    pub byte_offset: u64,
    /// How many bytes it has.
    pub byte_len: u64,
    /// What was noticed on the way.
    pub flags: Vec<FileFlag>,
}

/// Why a game of a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: line {line}: {what}: {why}; {todo}")]
pub struct GameFileError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The number of the move at which it stands; none before the first.
    pub turn: Option<u32>,
    /// Where the game begins in the file.
    pub byte_offset: u64,
    /// How many bytes it has.
    pub byte_len: u64,
    /// A short word that never changes its meaning.
    pub code: &'static str,
    /// What is wrong.
    pub what: String,
    /// Why it matters.
    pub why: String,
    /// What to do.
    pub todo: String,
}

/// Why a game cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the game has no start")]
pub struct WriteError;

impl Format {
    /// From the name of a file.
    #[must_use]
    pub fn of_name(_name: &str) -> Option<Format> {
        None
    }

    /// From how a file begins.
    #[must_use]
    pub fn of_text(_start: &[u8]) -> Option<Format> {
        None
    }
}

/// Reads all games of a file, in order.
#[must_use]
pub fn read(_format: Format, _file: &str, _text: &[u8]) -> Vec<Result<GameFile, GameFileError>> {
    Vec::new()
}

/// Writes one game.
///
/// # Errors
/// When the events tell of no game that the format can hold.
pub fn write(_format: Format, _events: &[(Option<i64>, GameEvent<'_>)]) -> Result<String, WriteError> {
    Err(WriteError)
}
