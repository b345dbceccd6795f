//! The header lines of a move list: `Key: value`, each at most once in a game.

use super::word::says_what_happened;

/// The keys that mean something. The result may also stand behind the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    White,
    Black,
    WhiteRating,
    BlackRating,
    Event,
    Site,
    Date,
    Rated,
    Board,
    Position,
    Time,
    Result,
}

impl Key {
    pub const ALL: [Key; 12] = [
        Key::White,
        Key::Black,
        Key::WhiteRating,
        Key::BlackRating,
        Key::Event,
        Key::Site,
        Key::Date,
        Key::Rated,
        Key::Board,
        Key::Position,
        Key::Time,
        Key::Result,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            Key::White => "White",
            Key::Black => "Black",
            Key::WhiteRating => "White rating",
            Key::BlackRating => "Black rating",
            Key::Event => "Event",
            Key::Site => "Site",
            Key::Date => "Date",
            Key::Rated => "Rated",
            Key::Board => "Board",
            Key::Position => "Position",
            Key::Time => "Time",
            Key::Result => "Result",
        }
    }
}

/// A line that is a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header<'t> {
    /// The key, where it means something.
    pub key: Option<Key>,
    pub word: &'t str,
    pub value: &'t str,
}

impl<'t> Header<'t> {
    /// A line that begins with a word, or a few, and a colon. What says how a game went on (`Black resigns: …`) is none.
    pub fn of(line: &'t str) -> Option<Header<'t>> {
        let (word, value) = line.split_once(':')?;
        let word = word.trim();
        let is_key = word.len() <= 30
            && word.starts_with(|sign: char| sign.is_ascii_alphabetic())
            && word.chars().all(|sign| sign.is_ascii_alphabetic() || sign == ' ' || sign == '-');
        if !is_key || says_what_happened(line) {
            return None;
        }
        let key = Key::ALL.into_iter().find(|key| key.word().eq_ignore_ascii_case(word));
        Some(Header { key, word, value: value.trim() })
    }
}
