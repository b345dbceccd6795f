//! What a game must supply to be folded: its positions, how a turn is played, and what the board says.

use annals_events::{GameKind, Side, Termination};

use crate::scoring::EarlySide;

/// Which rulebook a game is judged by: the rules of its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Era {
    /// Before 2008-07-01 (UTC): losing all rabbits does not end the game, neither side having rabbits is a draw,
    /// and a third repetition ends the game instead of being forbidden.
    Early,
    /// From 2008-07-01 on.
    Modern,
}

impl Era {
    /// 2008-07-01T00:00:00Z in microseconds since the Unix epoch.
    pub const MODERN_FROM: i64 = 1_214_870_400_000_000;

    /// The era of a game that started at the given time (microseconds since the Unix epoch, UTC); a game whose
    /// start is unknown is judged by the modern rules.
    #[must_use]
    pub fn at(started_at: Option<i64>) -> Era {
        match started_at {
            Some(at) if at < Era::MODERN_FROM => Era::Early,
            _ => Era::Modern,
        }
    }
}

/// How exactly the text of a turn must agree with what the rules compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strictness {
    /// Legal, and every capture stated exactly where it happens.
    Strict,
    /// Legal; captures are recomputed, and a missing or wrong statement is noted.
    Archive,
}

/// What the board says about the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; none is a draw (possible in the early era only).
    pub winner: Option<Side>,
    pub termination: Termination,
}

/// What one turn did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Played {
    /// Steps made (0 for a setup; a whole move is one step in the Amazons).
    pub steps: u8,
    /// Pieces captured, of either side.
    pub captures: u8,
    pub setup: bool,
    /// Whether a capture was left unstated, or stated where none happened.
    pub captures_misstated: bool,
}

/// A game's rules, as the fold needs them.
pub trait Rules {
    /// The position with everything that the next turn depends on, save the earlier positions of the game.
    type State: Clone + std::fmt::Debug;
    /// Why a turn (or a starting position) is not legal.
    type Illegal: std::error::Error + Clone + PartialEq + 'static;

    /// The game that these rules play instead, where a game of this kind is none of theirs: its `started` is refused.
    fn refuses(kind: GameKind) -> Option<GameKind>;

    /// The state before the first turn of a game of this kind, one that these rules do not refuse; `position` is a
    /// board text with the side to move where the game does not start from the usual position.
    ///
    /// # Errors
    /// When the text of the position cannot be read, or is no possible position.
    fn start(kind: GameKind, position: Option<&str>, era: Era) -> Result<Self::State, Self::Illegal>;

    /// Whether the pieces on the board decide a game that reaches its length; where they do not, such a game has no
    /// score.
    fn is_scored_by_pieces(state: &Self::State) -> bool;

    fn to_move(state: &Self::State) -> Side;

    /// Hash of the position with the side to move.
    fn hash(state: &Self::State) -> u64;

    /// Whether the position takes part in counting repetitions (setups do not).
    fn counts_for_repetition(state: &Self::State) -> bool;

    /// Plays one complete turn of the side to move. `seen` says how often the position with a given hash has
    /// stood in the game so far. On an error the state is as it was.
    ///
    /// # Errors
    /// When the text cannot be read or the turn is not legal; the error says which rule it breaks.
    fn play(
        state: &mut Self::State,
        text: &[u8],
        strictness: Strictness,
        seen: impl Fn(u64) -> u32,
    ) -> Result<Played, Self::Illegal>;

    /// What the board says now, after a completed turn; `seen` as in [`Rules::play`], the present position included.
    fn outcome(state: &Self::State, seen: impl Fn(u64) -> u32) -> Option<Outcome>;

    /// Pieces on the board, Gold's and Silver's: what the score at the limit of the game's length compares.
    fn piece_counts(state: &Self::State) -> [u32; 2];

    /// What the score before 2008-07-01 counts, for Gold and for Silver; none where pieces decide no game.
    fn early_sides(_state: &Self::State) -> Option<[EarlySide; 2]> {
        None
    }

    /// A short stable word for an error, in `snake_case`: `push_not_completed`, `third_repetition`.
    fn illegal_code(illegal: &Self::Illegal) -> &'static str;
}
