//! The header lines of a move list: `Key: value`, each once per game.

use super::key::Key;
use super::word::says_what_happened;

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
