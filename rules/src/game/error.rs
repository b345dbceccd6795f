//! Why an event is illegal: one variant per rule of the fold, with evidence. Errors of the game's own rules are in
//! [`GameError::IllegalTurn`].

use annals_events::{GameKind, Side, Termination};

use super::contract::{Outcome, Rules};
use crate::GameViolation;
use crate::clock::{FlagFall, TimeControlError};

pub type GameErrorOf<R> = GameError<<R as Rules>::Illegal>;

/// The game is unchanged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GameError<I: std::error::Error + 'static> {
    /// Before the start.
    #[error(
        "`{event}` before the game started; the first event of a game is `started`, so it is missing or late"
    )]
    NotStarted { event: &'static str },
    /// A second start.
    #[error(
        "`started` for the second time, after {plies} plies; two games are mixed up, or an event stands twice"
    )]
    StartedTwice { plies: usize },
    #[error("a game of {found}, but it is being read by the rules of {expected}; read it by its own rules")]
    OtherGame { found: GameKind, expected: GameKind },
    #[error("the game cannot start from the stated position: {illegal}; correct the position in `started`")]
    StartPosition {
        /// Stable.
        code: &'static str,
        #[source]
        illegal: I,
    },
    /// In strict mode; otherwise the game has no clock.
    #[error("the game has no usable time control, so no clock can be checked: {0}")]
    TimeControl(#[from] TimeControlError),
    /// Before the event that it follows (strict mode).
    #[error(
        "`{event}` at {at} µs happened before the event it follows, at {last} µs (since 1970, UTC); \
         an event may not come before its cause, so one of the two times is wrong"
    )]
    BeforeItsCause {
        event: &'static str,
        /// In microseconds since the Unix epoch.
        at: i64,
        /// Of the event before.
        last: i64,
    },
    /// Nothing may follow.
    #[error("`{event}` after the game was annulled; nothing can follow in it")]
    Annulled { event: &'static str },
    /// After the end.
    #[error(
        "`{event}` after the game ended after {plies} plies; only `annulled` and `rated_changed` may follow"
    )]
    Ended { event: &'static str, plies: usize },
    #[error("`{event}` while play is halted after {plies} plies; `resumed` must come first")]
    Halted { event: &'static str, plies: usize },
    /// Resumed without a halt (strict mode).
    #[error("`resumed` from ply {from_ply}, but play is not halted; `halted` must come first")]
    NotHalted {
        /// The plies to be kept.
        from_ply: u32,
    },
    /// After a decision on the board (strict mode).
    #[error(
        "turn {number} of {side}, but the board has decided the game: {}; only its end can follow",
        describe(Some(.outcome))
    )]
    DecidedOnBoard { number: u32, side: Side, outcome: Outcome },
    #[error(
        "turn {number} by {found}, but {expected} is to move; a turn is missing before it, or stands twice"
    )]
    WrongSide { number: u32, expected: Side, found: Side },
    #[error("turn {found} of {side}, but its turn {expected} comes next; turns are missing, or stand twice")]
    WrongNumber { side: Side, expected: u32, found: u32 },
    #[error("turn {number} of {side} is illegal: {illegal} (in `{steps}`)")]
    IllegalTurn {
        number: u32,
        side: Side,
        /// The first 200 characters.
        steps: String,
        /// Stable: `push_not_completed`.
        code: &'static str,
        #[source]
        illegal: I,
    },
    #[error("a turn was taken back, but no completed turn is left; a `turn_taken` is missing before it")]
    NothingToRetract,
    #[error("`resumed` from ply {from_ply}, but only {plies} plies were played; name one of them")]
    NoSuchPly {
        /// The plies to be kept.
        from_ply: u32,
        plies: usize,
    },
    /// Reserves in a game without a clock.
    #[error(
        "`{event}` sets reserves, but the game has no readable time control; state one in `started`, or leave the reserves out"
    )]
    NoClock { event: &'static str },
    /// More time than the side had (strict mode).
    #[error(
        "turn {number} of {side} came after {used} s, {}; the game was lost on time before it",
        flag_words(.flag)
    )]
    OutOfTime { number: u32, side: Side, used: u32, flag: FlagFall },
    /// The recorded clock does not follow from the time control (strict mode).
    #[error(
        "after turn {number} of {side} the record shows {what} {found} s, but the time control gives {expected} s; \
         the time used or the figure is wrong, or a `clock_set` is missing"
    )]
    ClockDisagrees {
        number: u32,
        side: Side,
        /// "gold's reserve", "silver's reserve" or "the game time".
        what: &'static str,
        /// By the clock, in seconds.
        expected: i64,
        /// In the record, in seconds.
        found: i64,
    },
    /// The stated end contradicts the board (strict mode).
    #[error(
        "the record says {}, but the board says {}; correct the ending or the turns before it",
        stated(.winner, .termination),
        describe(.board.as_ref())
    )]
    EndingDisagrees { winner: Option<Side>, termination: Option<Termination>, board: Option<Outcome> },
    /// The loser's clock stood still (strict mode).
    #[error(
        "the record says {winner} won by time, but {winner} is to move; only the side to move can run out of time, \
         since only its clock runs"
    )]
    ClockStood { winner: Side },
    #[error("the game was won by {winner} and drawn at once; an ending has one of the two")]
    WinnerAndDraw { winner: Side },
}

impl<I: std::error::Error> GameError<I> {
    /// Stable; for an illegal turn (or start position) that of the game's own rule.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            GameError::NotStarted { .. } => "not_started",
            GameError::StartedTwice { .. } => "started_twice",
            GameError::OtherGame { .. } => "other_game",
            GameError::StartPosition { code, .. } | GameError::IllegalTurn { code, .. } => code,
            GameError::TimeControl(_) => "bad_time_control",
            GameError::BeforeItsCause { .. } => "before_its_cause",
            GameError::Annulled { .. } => "game_annulled",
            GameError::Ended { .. } => "game_ended",
            GameError::Halted { .. } => "game_halted",
            GameError::NotHalted { .. } => "not_halted",
            GameError::DecidedOnBoard { .. } => "decided_on_board",
            GameError::WrongSide { .. } => "wrong_side",
            GameError::WrongNumber { .. } => "wrong_number",
            GameError::NothingToRetract => "nothing_to_retract",
            GameError::NoSuchPly { .. } => "no_such_ply",
            GameError::NoClock { .. } => "no_clock",
            GameError::OutOfTime { .. } => "out_of_time",
            GameError::ClockDisagrees { .. } => "clock_disagrees",
            GameError::EndingDisagrees { .. } => "ending_disagrees",
            GameError::ClockStood { .. } => GameViolation::CLOCK_STOOD,
            GameError::WinnerAndDraw { .. } => "winner_and_draw",
        }
    }
}

fn describe(outcome: Option<&Outcome>) -> String {
    match outcome {
        None => "nothing yet".to_owned(),
        Some(Outcome { winner: Some(side), termination }) => format!("{side} has won by {termination}"),
        Some(Outcome { winner: None, termination }) => format!("a draw by {termination}"),
    }
}

fn stated(winner: &Option<Side>, termination: &Option<Termination>) -> String {
    let who = winner.map_or_else(|| "nobody won".to_owned(), |side| format!("{side} won"));
    match termination {
        Some(how) => format!("{who} by {how}"),
        None => who,
    }
}

fn flag_words(flag: &FlagFall) -> String {
    match flag {
        FlagFall::OutOfTime { over } => format!("{over} s more than move time and reserve together"),
        FlagFall::TurnTooLong { over } => format!("{over} s more than a turn may take"),
    }
}
