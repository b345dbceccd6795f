//! A game of the kind that its record states, for logs and archives with games of both kinds. Forwards to that game's
//! rules.
//!
//! ```
//! use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
//! use annals_rules::any_game::AnyGame;
//! use annals_rules::game::{Game, Strictness};
//!
//! let mut game: Game<AnyGame> = Game::new(Strictness::Strict);
//! let started = Started::plain(GameKind::Amazons, None);
//! game.apply(None, &GameEvent::Started(Box::new(started))).unwrap();
//! game.apply(None, &GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, "d1-d7(g7)"))).unwrap();
//! assert_eq!(game.state().unwrap().kind(), GameKind::Amazons);
//! assert!(game.state().unwrap().amazons().is_some());
//! ```

use annals_events::{GameKind, Side};

use crate::amazons::{self, Amazons};
use crate::any_position::AnyPosition;
use crate::arimaa::{self, Arimaa};
use crate::game::{Era, Outcome, Played, Rules, Strictness};
use crate::scoring::EarlySide;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnyGame;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyState {
    Arimaa(arimaa::State),
    Amazons(amazons::Position),
}

impl AnyState {
    #[must_use]
    pub const fn kind(&self) -> GameKind {
        match self {
            AnyState::Arimaa(_) => GameKind::Arimaa,
            AnyState::Amazons(_) => GameKind::Amazons,
        }
    }

    /// None in the other game.
    #[must_use]
    pub const fn arimaa(&self) -> Option<&arimaa::State> {
        match self {
            AnyState::Arimaa(state) => Some(state),
            AnyState::Amazons(_) => None,
        }
    }

    /// None in the other game.
    #[must_use]
    pub const fn amazons(&self) -> Option<&amazons::Position> {
        match self {
            AnyState::Arimaa(_) => None,
            AnyState::Amazons(position) => Some(position),
        }
    }

    #[must_use]
    pub fn to_move(&self) -> Side {
        match self {
            AnyState::Arimaa(state) => Arimaa::to_move(state),
            AnyState::Amazons(position) => position.to_move(),
        }
    }

    #[must_use]
    pub const fn position(&self) -> AnyPosition {
        match self {
            AnyState::Arimaa(state) => AnyPosition::Arimaa(*state.position()),
            AnyState::Amazons(position) => AnyPosition::Amazons(*position),
        }
    }

    /// The position as a text with the side to move, from which a game can start.
    #[must_use]
    pub fn position_text(&self) -> String {
        match self {
            AnyState::Arimaa(state) => state.position().to_string(),
            AnyState::Amazons(position) => position.to_string(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnyIllegal {
    #[error(transparent)]
    Arimaa(#[from] arimaa::Illegal),
    #[error(transparent)]
    Amazons(#[from] amazons::Illegal),
}

impl Rules for AnyGame {
    type State = AnyState;
    type Illegal = AnyIllegal;

    fn refuses(_kind: GameKind) -> Option<GameKind> {
        None
    }

    fn start(kind: GameKind, position: Option<&str>, era: Era) -> Result<AnyState, AnyIllegal> {
        Ok(match kind {
            GameKind::Arimaa => AnyState::Arimaa(Arimaa::start(kind, position, era)?),
            GameKind::Amazons => AnyState::Amazons(Amazons::start(kind, position, era)?),
        })
    }

    fn is_scored_by_pieces(state: &AnyState) -> bool {
        match state {
            AnyState::Arimaa(state) => Arimaa::is_scored_by_pieces(state),
            AnyState::Amazons(position) => Amazons::is_scored_by_pieces(position),
        }
    }

    fn to_move(state: &AnyState) -> Side {
        state.to_move()
    }

    fn hash(state: &AnyState) -> u64 {
        match state {
            AnyState::Arimaa(state) => Arimaa::hash(state),
            AnyState::Amazons(position) => Amazons::hash(position),
        }
    }

    fn counts_for_repetition(state: &AnyState) -> bool {
        match state {
            AnyState::Arimaa(state) => Arimaa::counts_for_repetition(state),
            AnyState::Amazons(position) => Amazons::counts_for_repetition(position),
        }
    }

    fn play(
        state: &mut AnyState,
        text: &[u8],
        strictness: Strictness,
        seen: impl Fn(u64) -> u32,
    ) -> Result<Played, AnyIllegal> {
        Ok(match state {
            AnyState::Arimaa(state) => Arimaa::play(state, text, strictness, seen)?,
            AnyState::Amazons(position) => Amazons::play(position, text, strictness, seen)?,
        })
    }

    fn outcome(state: &AnyState, seen: impl Fn(u64) -> u32) -> Option<Outcome> {
        match state {
            AnyState::Arimaa(state) => Arimaa::outcome(state, seen),
            AnyState::Amazons(position) => Amazons::outcome(position, seen),
        }
    }

    fn piece_counts(state: &AnyState) -> [u32; 2] {
        match state {
            AnyState::Arimaa(state) => Arimaa::piece_counts(state),
            AnyState::Amazons(position) => Amazons::piece_counts(position),
        }
    }

    fn early_sides(state: &AnyState) -> Option<[EarlySide; 2]> {
        match state {
            AnyState::Arimaa(state) => Arimaa::early_sides(state),
            AnyState::Amazons(position) => Amazons::early_sides(position),
        }
    }

    fn illegal_code(illegal: &AnyIllegal) -> &'static str {
        match illegal {
            AnyIllegal::Arimaa(illegal) => Arimaa::illegal_code(illegal),
            AnyIllegal::Amazons(illegal) => Amazons::illegal_code(illegal),
        }
    }
}
