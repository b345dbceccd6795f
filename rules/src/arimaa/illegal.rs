//! Why a turn is not legal: one kind for each rule, each naming the word of the turn and the rule that it breaks.

use annals_events::Side;

use super::piece::Piece;
use super::position_text::PositionTextError;
use super::square::Square;
use super::turn_text::{Token, TurnTextError};

/// Why a turn, or the position that a game starts from, is not legal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The text is no turn.
    #[error("not a turn: {0}")]
    Text(#[from] TurnTextError),
    /// The text of the starting position is no position.
    #[error("not a position to start from: {0}")]
    Start(#[from] PositionTextError),
    /// `takeback` or `resign`, which move no piece.
    #[error("`{0}` is no turn on the board: it ends or undoes one")]
    NotOnBoard(&'static str),
    /// No step at all.
    #[error("no step was made; a turn has one to four, and may not be passed")]
    Empty,
    /// A step while the side has not set up yet.
    #[error("`{token}` moves a piece, but {side} has yet to set up its pieces")]
    SetupDue { token: Token, side: Side },
    /// A placement after both sides have set up.
    #[error("`{0}` places a piece, but the setup is over; a step also needs a direction (n, e, s or w)")]
    SetupOver(Token),
    /// A setup places the other side's piece.
    #[error("`{token}` places a piece of the other side; {side} sets up its own")]
    SetupSide { token: Token, side: Side },
    /// A setup places a piece off the side's own two ranks.
    #[error("`{token}` stands outside {side}'s own two ranks, on which it must set up")]
    SetupRank { token: Token, side: Side },
    /// A setup places two pieces on one square.
    #[error("`{0}` places a piece on a square that is already taken")]
    SetupTaken(Token),
    /// A setup places more pieces of a kind than there are.
    #[error("`{token}` is one {piece} too many; a side has {most}", piece = token.piece(), most = token.piece().most())]
    SetupTooMany { token: Token },
    /// A setup leaves pieces out, which only a handicap in an archive may.
    #[error("the setup leaves out {missing} of {side}'s {piece}s; all 16 pieces must be placed")]
    SetupIncomplete {
        /// Who set up.
        side: Side,
        /// The first kind that is not complete.
        piece: Piece,
        missing: u32,
    },
    /// The piece that the step names does not stand there.
    #[error("step {step}, `{token}`: {}", stands_there(*token, *found))]
    NoSuchPiece {
        /// Which step, from 1.
        step: u8,
        token: Token,
        /// What stands there instead.
        found: Option<(Side, Piece)>,
    },
    /// The step leaves the board.
    #[error("step {step}, `{token}`: there is no square in that direction")]
    OffBoard {
        /// Which step, from 1.
        step: u8,
        token: Token,
    },
    /// The step goes to a square that is taken.
    #[error("step {step}, `{token}`: {to} is taken; a step goes to an empty square")]
    Blocked {
        /// Which step, from 1.
        step: u8,
        token: Token,
        /// Where it goes.
        to: Square,
    },
    /// A rabbit steps backwards of its own accord.
    #[error("step {step}, `{token}`: a rabbit never steps backwards")]
    RabbitBackwards {
        /// Which step, from 1.
        step: u8,
        token: Token,
    },
    /// The piece is frozen.
    #[error(
        "step {step}, `{token}`: the piece is frozen (a stronger enemy is next to it and no friend is), so \
         it can neither step nor push nor pull"
    )]
    Frozen {
        /// Which step, from 1.
        step: u8,
        token: Token,
    },
    /// An enemy piece is moved that nothing could have pulled or be about to push.
    #[error(
        "step {step}, `{token}`: no stronger piece of {by} is next to that piece to push it, nor has one just \
         left the square to pull it there",
        by = token.side().other()
    )]
    NotDisplaced {
        /// Which step, from 1.
        step: u8,
        token: Token,
    },
    /// An enemy piece is moved beside which all stronger pieces are frozen.
    #[error("step {step}, `{token}`: every stronger piece of {by} next to that piece is frozen, and a frozen piece \
             can neither push nor pull", by = token.side().other())]
    PusherFrozen {
        /// Which step, from 1.
        step: u8,
        token: Token,
    },
    /// The piece that enters the square of a pushed piece is not stronger than it.
    #[error("step {step}, `{token}`: a push is completed by a piece stronger than the pushed {victim}")]
    PusherTooWeak {
        /// Which step, from 1.
        step: u8,
        token: Token,
        /// The kind of the pushed piece.
        victim: Piece,
    },
    /// A push was begun, and the next step does not complete it.
    #[error(
        "the push of the piece from {from} was not completed: a stronger piece must step to {from} at once"
    )]
    PushNotCompleted {
        /// The square that the pushed piece left.
        from: Square,
    },
    /// A fifth step.
    #[error("`{0}` is the fifth step; a turn has at most four")]
    TooManySteps(Token),
    /// The board after the turn is that before it.
    #[error("the turn leaves the board as it was, which would pass the turn")]
    Unchanged,
    /// The position would stand for the third time.
    #[error("the position with the same side to move would stand for the third time")]
    ThirdRepetition,
    /// A capture was stated that did not happen (in strict reading only).
    #[error("`{0}` states a capture that did not happen there")]
    CaptureMisstated(Token),
    /// A capture was not stated (in strict reading only).
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
    /// A short stable word for the kind of error, as stored in datasets.
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
