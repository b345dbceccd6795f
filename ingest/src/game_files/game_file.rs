use annals_events::GameEvent;

use super::flag::FileFlag;

/// The most games read of one file; the rest is rejected as one.
pub const MAX_GAMES: usize = 20_000;

/// The most nodes, properties and values read of one SGF file; the rest is rejected as one.
pub const MAX_PARTS: usize = 1_500_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFile {
    /// The stated events: start, turns (retracted ones included), end. Only the start may have a time.
    pub events: Vec<(Option<i64>, GameEvent<'static>)>,
    /// The line of each event, from 1.
    pub turn_lines: Vec<u64>,
    /// The time of the start is the end of the stated day, month or year: the earliest by which the game had begun.
    pub only_date: bool,
    /// The game's first line, from 1.
    pub line: u64,
    /// Of the game's beginning.
    pub byte_offset: u64,
    pub byte_len: u64,
    /// In file order.
    pub flags: Vec<FileFlag>,
}
