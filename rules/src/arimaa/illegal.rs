//! Why a turn is illegal: one variant per rule, with the word of the turn.

use annals_events::Side;

use super::piece::Piece;
use super::position_text::PositionTextError;
use super::square::Square;
use super::turn_text::{Token, TurnTextError};

/// Why a turn, or a start position, is illegal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    #[error("not a turn: {0}")]
    Text(#[from] TurnTextError),
    #[error("not a position to start from: {0}")]
    Start(#[from] PositionTextError),
    /// `takeback` or `resign`.
    #[error("`{0}` is no turn on the board: it ends or undoes one")]
    NotOnBoard(&'static str),
    /// Without steps.
    #[error("no step was made; a turn has one to four, and may not be passed")]
    Empty,
    /// A step before the side's setup.
    #[error("`{token}` moves a piece, but {side} has yet to set up its pieces")]
    SetupDue { token: Token, side: Side },
    /// A placement after both setups.
    #[error("`{0}` places a piece, but the setup is over; a step also needs a direction (n, e, s or w)")]
    SetupOver(Token),
    /// A placement of the other side's piece.
    #[error("`{token}` places a piece of the other side; {side} sets up its own")]
    SetupSide { token: Token, side: Side },
    /// A placement off the side's two ranks.
    #[error("`{token}` stands outside {side}'s own two ranks, on which it must set up")]
    SetupRank { token: Token, side: Side },
    /// Two pieces on one square.
    #[error("`{0}` places a piece on a square that is already taken")]
    SetupTaken(Token),
    /// Too many pieces of a kind.
    #[error("`{token}` is one {piece} too many; a side has {most}", piece = token.piece(), most = token.piece().most())]
    SetupTooMany { token: Token },
    /// Missing pieces, which only an archive's handicap may have.
    #[error("the setup leaves out {missing} of {side}'s {piece}s; all 16 pieces must be placed")]
    SetupIncomplete {
        side: Side,
        /// The first incomplete kind.
        piece: Piece,
        missing: u32,
    },
    /// The named piece is not on the square.
    #[error("step {step}, `{token}`: {}", stands_there(*token, *found))]
    NoSuchPiece {
        /// From 1.
        step: u8,
        token: Token,
        /// What is there.
        found: Option<(Side, Piece)>,
    },
    #[error("step {step}, `{token}`: there is no square in that direction")]
    OffBoard {
        /// From 1.
        step: u8,
        token: Token,
    },
    /// To an occupied square.
    #[error("step {step}, `{token}`: {to} is taken; a step goes to an empty square")]
    Blocked {
        /// From 1.
        step: u8,
        token: Token,
        /// The target.
        to: Square,
    },
    #[error("step {step}, `{token}`: a rabbit never steps backwards")]
    RabbitBackwards {
        /// From 1.
        step: u8,
        token: Token,
    },
    #[error(
        "step {step}, `{token}`: the piece is frozen (a stronger enemy is next to it and no friend is), so \
         it can neither step nor push nor pull"
    )]
    Frozen {
        /// From 1.
        step: u8,
        token: Token,
    },
    /// No stronger piece can pull or push the enemy piece.
    #[error(
        "step {step}, `{token}`: no stronger piece of {by} is next to that piece to push it, nor has one just \
         left the square to pull it there",
        by = token.side().other()
    )]
    NotDisplaced {
        /// From 1.
        step: u8,
        token: Token,
    },
    /// A moved enemy piece has only frozen stronger pieces next to it.
    #[error("step {step}, `{token}`: every stronger piece of {by} next to that piece is frozen, and a frozen piece \
             can neither push nor pull", by = token.side().other())]
    PusherFrozen {
        /// From 1.
        step: u8,
        token: Token,
    },
    /// The piece that completes a push is not stronger.
    #[error("step {step}, `{token}`: a push is completed by a piece stronger than the pushed {victim}")]
    PusherTooWeak {
        /// From 1.
        step: u8,
        token: Token,
        /// Of the pushed piece.
        victim: Piece,
    },
    /// A push is not completed.
    #[error(
        "the push of the piece from {from} was not completed: a stronger piece must step to {from} at once"
    )]
    PushNotCompleted {
        /// From which the piece was pushed.
        from: Square,
    },
    #[error("`{0}` is the fifth step; a turn has at most four")]
    TooManySteps(Token),
    /// The turn restores the board.
    #[error("the turn leaves the board as it was, which would pass the turn")]
    Unchanged,
    /// The third occurrence of the position.
    #[error("the position with the same side to move would stand for the third time")]
    ThirdRepetition,
    /// A stated capture that did not occur (strict reading).
    #[error("`{0}` states a capture that did not happen there")]
    CaptureMisstated(Token),
    /// A capture not stated (strict reading).
    #[error("`{0}` is missing: the step before it captures that piece")]
    CaptureUnstated(Token),
}

fn stands_there(token: Token, found: Option<(Side, Piece)>) -> String {
    let (side, piece) = (token.side(), token.piece());
    match found {
        Some((other, kind)) => format!("{} holds {other}'s {kind}, not {side}'s {piece}", token.square()),
        None => format!("{} is empty; {side}'s {piece} does not stand there", token.square()),
    }
}

impl Illegal {
    /// Stable, as stored in datasets.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Illegal::Text(_) => "unreadable_turn",
            Illegal::Start(_) => "bad_position",
            Illegal::NotOnBoard(_) => "not_on_board",
            Illegal::Empty => "empty_turn",
            Illegal::SetupDue { .. } => "setup_due",
            Illegal::SetupOver(_) => "setup_over",
            Illegal::SetupSide { .. } => "setup_side",
            Illegal::SetupRank { .. } => "setup_rank",
            Illegal::SetupTaken(_) => "setup_taken",
            Illegal::SetupTooMany { .. } => "setup_too_many",
            Illegal::SetupIncomplete { .. } => "setup_incomplete",
            Illegal::NoSuchPiece { .. } => "no_such_piece",
            Illegal::OffBoard { .. } => "off_board",
            Illegal::Blocked { .. } => "blocked",
            Illegal::RabbitBackwards { .. } => "rabbit_backwards",
            Illegal::Frozen { .. } => "frozen",
            Illegal::NotDisplaced { .. } => "not_displaced",
            Illegal::PusherFrozen { .. } => "pusher_frozen",
            Illegal::PusherTooWeak { .. } => "pusher_too_weak",
            Illegal::PushNotCompleted { .. } => "push_not_completed",
            Illegal::TooManySteps(_) => "too_many_steps",
            Illegal::Unchanged => "position_unchanged",
            Illegal::ThirdRepetition => "third_repetition",
            Illegal::CaptureMisstated(_) => "capture_misstated",
            Illegal::CaptureUnstated(_) => "capture_unstated",
        }
    }
}
