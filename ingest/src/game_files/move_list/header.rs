//! The header lines of a move list: `Key: value`, each once per game.

use super::word::says_what_happened;

/// Known keys. The result may also follow the moves.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header<'t> {
    /// If known.
    pub key: Option<Key>,
    pub word: &'t str,
    pub value: &'t str,
}

impl<'t> Header<'t> {
    /// One or a few words and a colon. Statements on the game (`Black resigns: …`) are not headers.
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
