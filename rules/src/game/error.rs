//! Why an event is illegal in a game: one variant for each rule of the fold, with the evidence in it. What the rules
//! of the game itself object to is inside [`GameError::IllegalTurn`].

use annals_events::{GameKind, Side, Termination};

use super::contract::{Outcome, Rules};
use crate::clock::{FlagFall, TimeControlError};

/// The error of a [`Game`](super::Game) of certain rules.
pub type GameErrorOf<R> = GameError<<R as Rules>::Illegal>;

/// Why an event is illegal. The game is as it was before the event.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GameError<I: std::error::Error + 'static> {
    /// Something happened before the game began.
    #[error(
        "`{event}` before the game started; the first event of a game is `started`, so it is missing or late"
    )]
    NotStarted { event: &'static str },
    /// The game began again.
    #[error(
        "`started` for the second time, after {plies} plies; two games are mixed up, or an event stands twice"
    )]
    StartedTwice { plies: usize },
    #[error("a game of {found}, but it is being read by the rules of {expected}; read it by its own rules")]
    OtherGame { found: GameKind, expected: GameKind },
    #[error("the game cannot start from the stated position: {illegal}; correct the position in `started`")]
    StartPosition {
        /// A short stable word for what is wrong.
        code: &'static str,
        #[source]
        illegal: I,
    },
    /// The time control cannot be read (strict mode; else the game has no clock).
    #[error("the game has no usable time control, so no clock can be checked: {0}")]
    TimeControl(#[from] TimeControlError),
    /// An event that happened before the one it rests on (strict mode).
    #[error(
        "`{event}` at {at} µs happened before the event it follows, at {last} µs (since 1970, UTC); \
         an event may not come before its cause, so one of the two times is wrong"
    )]
    BeforeItsCause {
        event: &'static str,
        /// When it happened, in microseconds since the Unix epoch.
        at: i64,
        /// When the event before it happened.
        last: i64,
    },
    /// The game was annulled: nothing can happen in it any more.
    #[error("`{event}` after the game was annulled; nothing can follow in it")]
    Annulled { event: &'static str },
    /// The game is over.
    #[error(
        "`{event}` after the game ended after {plies} plies; only `annulled` and `rated_changed` may follow"
    )]
    Ended { event: &'static str, plies: usize },
    #[error("`{event}` while play is halted after {plies} plies; `resumed` must come first")]
    Halted { event: &'static str, plies: usize },
    /// Play was resumed without having been halted (strict mode).
    #[error("`resumed` from ply {from_ply}, but play is not halted; `halted` must come first")]
    NotHalted {
        /// The number of plies that were to stand.
        from_ply: u32,
    },
    /// A turn although the board has decided the game (strict mode).
    #[error(
        "turn {number} of {side}, but the board has decided the game: {}; only its end can follow",
        describe(Some(.outcome))
    )]
    DecidedOnBoard { number: u32, side: Side, outcome: Outcome },
    /// The other side is to move.
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
        /// The turn as it is written (its first 200 characters).
        steps: String,
        /// A short stable word for the rule: `push_not_completed`.
        code: &'static str,
        #[source]
        illegal: I,
    },
    #[error("a turn was taken back, but no completed turn is left; a `turn_taken` is missing before it")]
    NothingToRetract,
    #[error("`resumed` from ply {from_ply}, but only {plies} plies were played; name one of them")]
    NoSuchPly {
        /// The number of plies that were to stand.
        from_ply: u32,
        plies: usize,
    },
    /// Reserves were set in a game without a clock.
    #[error(
        "`{event}` sets reserves, but the game has no readable time control; state one in `started`, or leave the reserves out"
    )]
    NoClock { event: &'static str },
    /// The turn took more time than its side had (strict mode).
    #[error(
        "turn {number} of {side} came after {used} s, {}; the game was lost on time before it",
        flag_words(.flag)
    )]
    OutOfTime { number: u32, side: Side, used: u32, flag: FlagFall },
    /// The server's clock shows something else than the time control gives (strict mode).
    #[error(
        "after turn {number} of {side} the record shows {what} {found} s, but the time control gives {expected} s; \
         the time used or the figure is wrong, or a `clock_set` is missing"
    )]
    ClockDisagrees {
        number: u32,
        side: Side,
        /// Which figure: "gold's reserve", "silver's reserve" or "the game time".
        what: &'static str,
        /// What our clock gives, in seconds.
        expected: i64,
        /// What the record shows, in seconds.
        found: i64,
    },
    /// The stated ending is not what the board shows (strict mode).
    #[error(
        "the record says {}, but the board says {}; correct the ending or the turns before it",
        stated(.winner, .termination),
        describe(.board.as_ref())
    )]
    EndingDisagrees { winner: Option<Side>, termination: Option<Termination>, board: Option<Outcome> },
    #[error("the game was won by {winner} and drawn at once; an ending has one of the two")]
    WinnerAndDraw { winner: Side },
}

impl<I: std::error::Error> GameError<I> {
    /// A short stable word for the rule that the event breaks; for an illegal turn (or position to start from) the
    /// word of the game's own rule.
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
