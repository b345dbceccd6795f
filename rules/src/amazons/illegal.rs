//! Why a move is illegal: one variant per rule, with squares and obstacles.

use annals_events::Side;

use super::board::Content;
use super::moves::MoveTextError;
use super::position_text::PositionTextError;
use super::size::Size;
use super::square::Square;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The queen's path.
    Queen,
    /// The block's path.
    Block,
}

/// Why a move, or a start position, is illegal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    #[error("not a move: {0}")]
    Text(#[from] MoveTextError),
    #[error("not a position to start from: {0}")]
    Start(#[from] PositionTextError),
    /// A square off the board.
    #[error("{square} is not on this board of {size}, which goes from a1 to {}", .size.last())]
    OffBoard { square: Square, size: Size },
    /// No queen of the mover is at the start of the move.
    #[error("{} has no queen on {square}: {}", colour(*.side), instead(*.found))]
    NoQueen {
        /// The start of the move.
        square: Square,
        side: Side,
        /// What is there.
        found: Option<Content>,
    },
    /// Queen or block does not leave its square.
    #[error("{}", stays(*.part, *.square))]
    NotMoved {
        /// Which half of the move.
        part: Part,
        square: Square,
    },
    /// The two squares have no common rank, file or diagonal.
    #[error("{} from {from} to {to}: the two share no rank, file or diagonal", goes(*.part))]
    NotALine {
        part: Part,
        /// The start.
        from: Square,
        /// The target.
        to: Square,
    },
    /// An obstacle on the path or target.
    #[error("{} from {from} to {to}: {}{}", goes(*.part), stands(*.at, *.by), only_vacated(*.part, *.by))]
    Obstructed {
        part: Part,
        /// The start.
        from: Square,
        /// The target.
        to: Square,
        /// The first occupied square.
        at: Square,
        by: Content,
    },
}

impl Illegal {
    /// Stable, as stored in datasets.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Illegal::Text(_) => "unreadable_turn",
            Illegal::Start(_) => "bad_position",
            Illegal::OffBoard { .. } => "off_board",
            Illegal::NoQueen { .. } => "no_such_piece",
            Illegal::NotMoved { part: Part::Queen, .. } => "queen_not_moved",
            Illegal::NotMoved { part: Part::Block, .. } => "block_on_queen",
            Illegal::NotALine { part: Part::Queen, .. } => "queen_off_line",
            Illegal::NotALine { part: Part::Block, .. } => "block_off_line",
            Illegal::Obstructed { part: Part::Queen, .. } => "queen_obstructed",
            Illegal::Obstructed { part: Part::Block, .. } => "block_obstructed",
        }
    }
}

/// The events' Gold is White, Silver is Black.
pub(super) const fn colour(side: Side) -> &'static str {
    match side {
        Side::Gold => "White",
        Side::Silver => "Black",
    }
}

fn instead(found: Option<Content>) -> String {
    match found {
        None => "it is vacant".to_owned(),
        Some(Content::Block) => "it is blocked".to_owned(),
        Some(Content::Queen(side)) => format!("a queen of {} stands there", colour(side)),
    }
}

fn stays(part: Part, square: Square) -> String {
    match part {
        Part::Queen => format!("the queen on {square} stays where it is, but a queen must move"),
        Part::Block => format!("the block falls on {square}, where the queen has just landed"),
    }
}

const fn goes(part: Part) -> &'static str {
    match part {
        Part::Queen => "the queen cannot move",
        Part::Block => "the block cannot be shot",
    }
}

fn stands(at: Square, by: Content) -> String {
    match by {
        Content::Block => format!("{at} is blocked"),
        Content::Queen(side) => format!("a queen of {} stands on {at}", colour(side)),
    }
}

const fn only_vacated(part: Part, by: Content) -> &'static str {
    match (part, by) {
        (Part::Block, Content::Queen(_)) => "; only the square that the queen has just left is free",
        _ => "",
    }
}
