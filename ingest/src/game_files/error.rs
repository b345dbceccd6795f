//! Why a game of a file cannot be read or written.

use annals_events::{GameKind, Side};
use annals_rules::amazons::{BoardError, MoveTextError, PositionTextError, Size, SizeError, Square};

/// A game of a file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: line {line}{}: {problem}", in_words(*.turn))]
pub struct GameFileError {
    pub file: String,
    /// From 1.
    pub line: u64,
    /// None before the first move.
    pub turn: Option<(u32, Side)>,
    /// Of the game's beginning.
    pub byte_offset: u64,
    pub byte_len: u64,
    pub problem: Problem,
}

fn in_words(turn: Option<(u32, Side)>) -> String {
    turn.map_or_else(String::new, |(number, side)| format!(", move {number} of {}", colour(side)))
}

/// White or Black.
pub(super) const fn colour(side: Side) -> &'static str {
    match side {
        Side::Gold => "White",
        Side::Silver => "Black",
    }
}

/// What is wrong with a game of a file, why, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("there is no game in it: {what}; name a file of games, or the other format")]
    NoGame { what: &'static str },
    #[error("the file has more than {most} {what}, and the rest from here on was not read; divide the file")]
    TooMany { what: &'static str, most: usize },
    #[error(
        "the file is a record of {name} ({stated}), and only the Amazons, GM[18], can be read from SGF; leave the game out, \
         or write GM[18] if it is one of the Amazons"
    )]
    OtherGame { stated: String, name: String },
    #[error("{found:?} is no size of a board, so no square can be placed; write {example}")]
    Size { found: String, example: &'static str },
    #[error("{0}; correct the size")]
    NoBoard(#[from] SizeError),
    /// The start position is not stated, and this size has no default.
    #[error("the board has {size}, and only on 10x10 is it known where the queens stand; {todo}")]
    NoStart { size: Size, todo: &'static str },
    #[error("the position at the start is none: {0}; correct it")]
    Position(#[from] PositionTextError),
    #[error("the position at the start cannot be set up: {0}; correct it")]
    Setup(#[from] BoardError),
    #[error(
        "the position has a board of {found}, but the size is stated as {stated}; one of the two is wrong"
    )]
    OtherSize { found: Size, stated: Size },
    #[error(
        "{square} is not on the board of {size} (a1 to {}): the moves are of another size of board than the file states, or \
         the move is mistyped; correct one of them",
        .size.last()
    )]
    OffBoard { square: Square, size: Size },
    #[error(
        "the point {found} is not on the board of {size}: the file is of another size of board than it states, or the point \
         is mistyped; correct one of them"
    )]
    PointOffBoard { found: String, size: Size },
    /// Not a point.
    #[error(
        "{found:?} is no point; a point is two letters, column and row from the top left, as in dj, or a square, as in d1"
    )]
    Point { found: String },
    #[error("{0}; without it no later move can be placed, so correct it")]
    Move(#[from] MoveTextError),
    /// Not a move.
    #[error(
        "{found:?} is no move; a move is three points, from, to and arrow, as in djddgd, or is written d1-d7(g7); without it \
         no later move can be placed, so correct it"
    )]
    SgfMove { found: String },
    #[error(
        "a node holds {found} moves, so which of them was played is not said; give each move a node of its own"
    )]
    MovesInOneNode { found: usize },
    #[error(
        "{property} changes the board after a move has been played, which no record of a game can hold; put what is set up \
         before the first move, or make it a game of its own"
    )]
    LateSetup { property: String },
    #[error(
        "the move is labelled {found}, but {expected} comes next; moves are missing or stand twice, or the number is wrong"
    )]
    MoveNumber { found: String, expected: String },
    /// An unknown word in the list.
    #[error(
        "{found:?} is no move and no other word of a move list; a move is written d1-d7(g7) or d1-d7/g7, and a comment stands \
         after # or in braces"
    )]
    Word { found: String },
    #[error("{key}: {found:?} cannot be read; write {example}")]
    Header { key: &'static str, found: String, example: &'static str },
    #[error("{key} stands twice, and says two things; leave one of them out")]
    HeaderTwice { key: &'static str },
    /// No move is left to retract.
    #[error(
        "a move is taken back before the first was made; a move is missing before it, or the word is too much"
    )]
    NothingToRetract,
}

impl Problem {
    /// Stable.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Problem::NoGame { .. } => "no_game",
            Problem::TooMany { .. } => "too_many",
            Problem::OtherGame { .. } => "other_game",
            Problem::Size { .. } => "bad_size",
            Problem::NoBoard(_) => "no_board",
            Problem::NoStart { .. } => "no_start",
            Problem::Position(_) => "bad_position",
            Problem::Setup(_) => "bad_setup",
            Problem::OtherSize { .. } => "other_size",
            Problem::OffBoard { .. } | Problem::PointOffBoard { .. } => "off_board",
            Problem::Point { .. } => "bad_point",
            Problem::Move(_) | Problem::SgfMove { .. } => "bad_move",
            Problem::MovesInOneNode { .. } => "moves_in_one_node",
            Problem::LateSetup { .. } => "late_setup",
            Problem::MoveNumber { .. } => "move_number",
            Problem::Word { .. } => "bad_word",
            Problem::Header { .. } => "bad_header",
            Problem::HeaderTwice { .. } => "header_twice",
            Problem::NothingToRetract => "nothing_to_retract",
        }
    }
}

/// The first characters, for an error.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    #[error("the record does not begin with the start of a game, so there is nothing to write")]
    NotStarted,
    /// The formats do not support this game.
    #[error(
        "it is a game of {found}, and SGF and the move list are files of the Amazons; `annals log export` writes the events of \
         any game"
    )]
    OtherGame { found: GameKind },
    #[error("the game starts from what is no position: {0}; correct its start in the log first")]
    Position(#[from] PositionTextError),
    #[error("move {number} of {} cannot be written: {source}; correct it in the log first", colour(*.side))]
    Move { number: u32, side: Side, source: MoveTextError },
    #[error(
        "move {number} of {} names {square}, which a board of {size} does not have; correct it in the log first",
        colour(*.side)
    )]
    OffBoard { number: u32, side: Side, square: Square, size: Size },
    /// A turn that does not follow the previous one.
    #[error(
        "move {number} of {} stands where move {} of {} comes next, and a list of moves can only say what follows; write SGF, \
         or correct it in the log first",
        colour(*.side),
        .expected.0,
        colour(.expected.1)
    )]
    OutOfOrder {
        number: u32,
        side: Side,
        /// The label of the next move.
        expected: (u32, Side),
    },
    #[error("SGF has letters for 52 ranks, and the board has {size}; write the move list, which has numbers")]
    TooLong { size: Size },
}
