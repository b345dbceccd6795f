//! The Amazons as [`Rules`](crate::game::Rules).

use annals_events::{GameKind, Side, Termination};

use super::illegal::Illegal;
use super::moves::Move;
use super::position::Position;
use crate::game::{Era, Outcome, Played, Rules, Strictness};

/// White is the events' Gold, Black their Silver. There is no setup, so White's first move is turn 1. Both notations
/// are legal in any reading, and there are no draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amazons;

impl Rules for Amazons {
    type State = Position;
    type Illegal = Illegal;

    fn refuses(kind: GameKind) -> Option<GameKind> {
        (kind != GameKind::Amazons).then_some(GameKind::Amazons)
    }

    fn start(_kind: GameKind, position: Option<&str>, _era: Era) -> Result<Position, Illegal> {
        match position {
            None => Ok(Position::start()),
            Some(text) => Ok(text.parse()?),
        }
    }

    fn is_scored_by_pieces(_state: &Position) -> bool {
        false
    }

    fn to_move(state: &Position) -> Side {
        state.to_move()
    }

    fn hash(state: &Position) -> u64 {
        state.hash()
    }

    /// Positions never repeat: each move blocks one more square.
    fn counts_for_repetition(_state: &Position) -> bool {
        true
    }

    fn play(
        state: &mut Position,
        text: &[u8],
        _strictness: Strictness,
        _seen: impl Fn(u64) -> u32,
    ) -> Result<Played, Illegal> {
        *state = state.play(Move::parse(text)?)?;
        Ok(Played { steps: 1, ..Played::default() })
    }

    fn outcome(state: &Position, _seen: impl Fn(u64) -> u32) -> Option<Outcome> {
        let winner = state.winner()?;
        Some(Outcome { winner: Some(winner), termination: Termination::Immobilization })
    }

    fn piece_counts(state: &Position) -> [u32; 2] {
        Side::BOTH.map(|side| state.board().queens(side).count_ones())
    }

    fn illegal_code(illegal: &Illegal) -> &'static str {
        illegal.code()
    }
}
