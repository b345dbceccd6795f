//! What an event did to a game, where it was legal; and why a game has no clock.

use annals_events::Side;

use super::contract::{Outcome, Played, Rules};
use super::ending::EndingCheck;
use crate::clock::TimeControlError;

/// What an event did to the game.
#[derive(Debug, Clone, PartialEq)]
pub enum Applied<I> {
    Started,
    /// A turn was added; it is the last of [`Game::plies`](super::Game::plies).
    TurnTaken,
    /// The position stands; this is what our own rules say of the refused turn.
    TurnRejected(RejectionCheck<I>),
    /// The last turn, which had this number and side, is gone.
    TurnRetracted {
        number: u32,
        /// Who had taken it.
        side: Side,
    },
    /// The reserves were set.
    ClockSet,
    /// Play is halted.
    Halted,
    /// Play goes on.
    Resumed {
        /// How many plies were undone.
        undone: usize,
    },
    /// The game is over; this is what the board says of the stated ending.
    Ended(EndingCheck),
    /// The game counts as not played.
    Annulled,
    /// The game is rated from now on, or unrated.
    RatedChanged,
}

/// [`Applied`] for a game of certain rules.
pub type AppliedOf<R> = Applied<<R as Rules>::Illegal>;

/// A turn that the server refused, before our own rules.
#[derive(Debug, Clone, PartialEq)]
pub enum RejectionCheck<I> {
    /// Illegal here too, for this reason.
    Illegal(I),
    /// Legal by our rules, also strictly: the server refused it for another reason, or wrongly.
    Legal(Played),
    /// Not the turn of that side, or not with that number.
    OutOfTurn,
    /// The board had decided the game, so that no turn was legal.
    Decided(Outcome),
}

/// Why a game has no clock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoClock {
    #[error("the game has not started, so it has no clock yet")]
    NotStarted,
    /// No time control is stated.
    #[error("the record states no time control, so there is no clock to check")]
    NoTimeControl,
    /// The stated time control cannot be read.
    #[error("the time control cannot be read, so there is no clock to check: {0}")]
    BadTimeControl(TimeControlError),
    /// Time was used that the record does not state.
    #[error(
        "the record does not state the time used for every turn, so a reserve is unknown until it shows one again"
    )]
    TimeUnknown,
}
