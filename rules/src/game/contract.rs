//! What a game supplies to the fold: positions, playing a turn, outcomes.

use annals_events::{GameKind, Side, Termination};

use crate::scoring::EarlySide;

/// The rules of a game's day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Era {
    /// Before 2008-07-01 (UTC): losing all rabbits does not end the game, both without rabbits is a draw, and a third
    /// repetition ends the game instead of being illegal.
    Early,
    /// From 2008-07-01 on.
    Modern,
}

impl Era {
    /// 2008-07-01T00:00:00Z in microseconds since the Unix epoch.
    pub const MODERN_FROM: i64 = 1_214_870_400_000_000;

    /// By the start in microseconds since the Unix epoch, UTC; unknown is modern.
    #[must_use]
    pub fn at(started_at: Option<i64>) -> Era {
        match started_at {
            Some(at) if at < Era::MODERN_FROM => Era::Early,
            _ => Era::Modern,
        }
    }
}

/// How exactly a turn's text must agree with the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strictness {
    /// Legal, and every capture stated where it occurs.
    Strict,
    /// Legal; captures are recomputed, and differences noted.
    Archive,
}

/// An end on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// None is a draw (early era only).
    pub winner: Option<Side>,
    pub termination: Termination,
}

/// The effect of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Played {
    /// 0 for a setup; a move in the Amazons is one step.
    pub steps: u8,
    /// Of either side.
    pub captures: u8,
    pub setup: bool,
    /// A capture was not stated, or stated without one.
    pub captures_misstated: bool,
}

/// A game's rules, for the fold.
pub trait Rules {
    /// Everything that the next turn depends on, except earlier positions.
    type State: Clone + std::fmt::Debug;
    /// Why a turn (or start position) is illegal.
    type Illegal: std::error::Error + Clone + PartialEq + 'static;

    /// The game that these rules have instead, if they do not have this kind: its `started` is rejected.
    fn refuses(kind: GameKind) -> Option<GameKind>;

    /// The initial state for a supported kind; `position` is a board text with the side to move, for other than the
    /// default start.
    ///
    /// # Errors
    /// If the position is invalid.
    fn start(kind: GameKind, position: Option<&str>, era: Era) -> Result<Self::State, Self::Illegal>;

    /// Whether pieces decide at the game length; otherwise there is no score.
    fn is_scored_by_pieces(state: &Self::State) -> bool;

    fn to_move(state: &Self::State) -> Side;

    /// With the side to move.
    fn hash(state: &Self::State) -> u64;

    /// Whether it counts for repetition (setups do not).
    fn counts_for_repetition(state: &Self::State) -> bool;

    /// Plays one complete turn of the side to move. `seen` returns the occurrences of a hash so far.
    ///
    /// # Errors
    /// If the text is unreadable or the turn illegal; the error names the rule, and the state is unchanged.
    fn play(
        state: &mut Self::State,
        text: &[u8],
        strictness: Strictness,
        seen: impl Fn(u64) -> u32,
    ) -> Result<Played, Self::Illegal>;

    /// After a completed turn; `seen` as in [`Rules::play`], the present position included.
    fn outcome(state: &Self::State, seen: impl Fn(u64) -> u32) -> Option<Outcome>;

    /// Gold's and Silver's, for the score at the game length.
    fn piece_counts(state: &Self::State) -> [u32; 2];

    /// For the score before 2008-07-01, Gold's and Silver's; none if pieces do not decide.
    fn early_sides(_state: &Self::State) -> Option<[EarlySide; 2]> {
        None
    }

    /// Stable, in `snake_case`: `push_not_completed`, `third_repetition`.
    fn illegal_code(illegal: &Self::Illegal) -> &'static str;
}
