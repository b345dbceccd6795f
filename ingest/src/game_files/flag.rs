//! What a file says beyond its events, or says in an odd way: kept beside the game, each with its place.

use annals_events::Side;

/// One thing that was noticed about a game of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFlag {
    /// One of [`CODES`].
    pub code: &'static str,
    /// The line of the file, from 1.
    pub line: u64,
    /// The move at which it stands (the last one before it, or the one that it speaks of); none before the first.
    pub turn: Option<(u32, Side)>,
    /// What it is, in words.
    pub what: String,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        $($(#[$doc])* pub(super) const $name: &str = $word;)+

        /// All codes of flags. They never change their meaning; a new observation gets a new word.
        pub const CODES: &[&str] = &[$($word),+];
    };
}

codes! {
    /// The file ends within the game.
    CUT_SHORT = "cut-short",
    /// No result is stated.
    NO_RESULT = "no-result",
    /// What is stated as the result is none that we know.
    UNREADABLE_RESULT = "unreadable-result",
    /// The file states two results.
    RESULT_DISAGREES = "result-disagrees",
    /// The territory that the file states is not what the board shows.
    TERRITORY_DISAGREES = "territory-disagrees",
    /// Other lines of play than what was played were left out.
    VARIATIONS = "variations",
    /// Comments were left out.
    COMMENTS = "comments",
    /// A property or a header that no event has a place for.
    PROPERTY = "property",
    /// A property or a header stands a second time.
    TWICE = "twice",
    /// Signs between the properties, or outside of every game, that mean nothing.
    STRAY_TEXT = "stray-text",
    /// The game is not named, but its moves are those of the Amazons.
    GAME_UNSTATED = "game-unstated",
    /// The moves start from the organisers' position and not from that of SGF.
    USUAL_START = "usual-start",
    /// The date cannot be read.
    UNREADABLE_DATE = "unreadable-date",
    /// The time limit, or the time left after a move, cannot be read.
    UNREADABLE_TIME = "unreadable-time",
    /// Some text is not in the encoding that the file should have.
    NOT_UTF8 = "not-utf8",
    /// The file names an encoding that is not read.
    OTHER_CHARSET = "other-charset",
}
