//! What a file has beyond its events, or in an odd form, each with its position.

use annals_events::Side;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFlag {
    /// One of [`CODES`].
    pub code: &'static str,
    /// From 1.
    pub line: u64,
    /// The move that it concerns, or the last before it; none before the first.
    pub turn: Option<(u32, Side)>,
    pub what: String,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        $($(#[$doc])* pub(super) const $name: &str = $word;)+

        /// They never change their meaning; new ones get new codes.
        pub const CODES: &[&str] = &[$($word),+];
    };
}

codes! {
    /// The file ends within the game.
    CUT_SHORT = "cut-short",
    /// No result is stated.
    NO_RESULT = "no-result",
    /// The stated result is unknown.
    UNREADABLE_RESULT = "unreadable-result",
    /// The file states two results.
    RESULT_DISAGREES = "result-disagrees",
    /// The stated territory is not that of the board.
    TERRITORY_DISAGREES = "territory-disagrees",
    /// Variations were omitted.
    VARIATIONS = "variations",
    /// Comments were omitted.
    COMMENTS = "comments",
    /// A property or header without an event.
    PROPERTY = "property",
    /// A repeated property or header.
    TWICE = "twice",
    /// Meaningless characters between properties or outside games.
    STRAY_TEXT = "stray-text",
    /// The game is not named, but its moves are those of the Amazons.
    GAME_UNSTATED = "game-unstated",
    /// The moves start from the organisers' position instead of SGF's.
    USUAL_START = "usual-start",
    /// The date cannot be read.
    UNREADABLE_DATE = "unreadable-date",
    /// The time limit, or the time left after a move, cannot be read.
    UNREADABLE_TIME = "unreadable-time",
    /// Some text is not in the stated encoding.
    NOT_UTF8 = "not-utf8",
    /// An unsupported encoding.
    OTHER_CHARSET = "other-charset",
}
