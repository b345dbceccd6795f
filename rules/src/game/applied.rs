//! The effect of a legal event; and why a game has no clock.

use annals_events::Side;

use super::contract::{Outcome, Played, Rules};
use super::ending::EndingCheck;
use crate::clock::TimeControlError;

#[derive(Debug, Clone, PartialEq)]
pub enum Applied<I> {
    Started,
    /// It is the last of [`Game::plies`](super::Game::plies).
    TurnTaken,
    /// With the verdict of the rules on it.
    TurnRejected(RejectionCheck<I>),
    /// The last turn, with this number and side, was removed.
    TurnRetracted {
        number: u32,
        side: Side,
    },
    ClockSet,
    Halted,
    Resumed {
        /// Undone plies.
        undone: usize,
    },
    /// With the comparison to the board.
    Ended(EndingCheck),
    Annulled,
    /// Rated from now on, or unrated.
    RatedChanged,
}

pub type AppliedOf<R> = Applied<<R as Rules>::Illegal>;

/// A turn that the server rejected, by the rules here.
#[derive(Debug, Clone, PartialEq)]
pub enum RejectionCheck<I> {
    /// Illegal here, too.
    Illegal(I),
    /// Legal, also strictly: the server rejected it for another reason, or wrongly.
    Legal(Played),
    /// Wrong side or number.
    OutOfTurn,
    /// The board had decided the game.
    Decided(Outcome),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoClock {
    #[error("the game has not started, so it has no clock yet")]
    NotStarted,
    #[error("the record states no time control, so there is no clock to check")]
    NoTimeControl,
    #[error("the time control cannot be read, so there is no clock to check: {0}")]
    BadTimeControl(TimeControlError),
    /// Some turn has no recorded time.
    #[error(
        "the record does not state the time used for every turn, so a reserve is unknown until it shows one again"
    )]
    TimeUnknown,
}
