//! The length that a time control gives a game (G). A game that reaches it ends by score at that instant, and a turn in progress does
//! not count. Whether a game reached it is decided here for every game: of a log, of an archive, or between programs.

use annals_events::{Side, Termination};

use super::contract::Rules;
use super::fold::Game;
use crate::clock::GameLimit;

/// What does not fit the length of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum LimitFault {
    /// A turn that was completed after the game had reached its length.
    #[error(
        "turn {number}{} was completed after the game had reached its limit, where it ends by score",
        .side.letter()
    )]
    PlayedOn {
        /// The number of the turn.
        number: u32,
        /// Who took it.
        side: Side,
    },
    /// The game reached its length, and another end is stated.
    #[error("the game had reached its limit, where it ends by score, and is said to have ended by {0}")]
    EndedOtherwise(Termination),
    /// An end by score of a game that cannot have reached its length by then.
    #[error("the game is said to have ended by score, and had not reached its limit")]
    ScoredBefore,
}

impl LimitFault {
    /// A short stable word for what does not fit.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            LimitFault::PlayedOn { .. } | LimitFault::EndedOtherwise(_) => "past_the_limit",
            LimitFault::ScoredBefore => "before_the_limit",
        }
    }

    /// Whether a word is that of such a fault.
    #[must_use]
    pub fn has_code(code: &str) -> bool {
        [LimitFault::EndedOtherwise(Termination::Time), LimitFault::ScoredBefore]
            .iter()
            .any(|fault| fault.code() == code)
    }
}

impl<R: Rules> Game<R> {
    /// Whether the game has reached its length with its last turn, so that the score decides. A game that pieces do not decide has
    /// no such length.
    #[must_use]
    pub fn limit_reached(&self) -> bool {
        let scored = self.state().is_some_and(R::is_scored_by_pieces);
        scored && self.clock.is_some_and(|clock| clock.at_least().game_limit_reached())
    }

    /// The first turn that was completed after the game had reached its length, if that is the last one.
    #[must_use]
    pub fn just_played_past_the_limit(&self) -> Option<LimitFault> {
        let (last, before) = self.plies().split_last()?;
        let is_first = last.past_limit && !before.last().is_some_and(|ply| ply.past_limit);
        is_first.then_some(LimitFault::PlayedOn { number: last.number, side: last.side })
    }

    /// What of an end stated now does not fit the length of the game.
    pub(super) fn limit_fault(
        &self,
        at: Option<i64>,
        termination: Option<Termination>,
    ) -> Option<LimitFault> {
        match termination? {
            Termination::Score => self.cannot_have_reached_it(at).then_some(LimitFault::ScoredBefore),
            how @ (Termination::Time | Termination::Resignation | Termination::IllegalMove) => {
                let fallen = self.plies().last().is_some_and(|ply| ply.flag.is_some());
                (self.limit_reached() && !fallen).then_some(LimitFault::EndedOtherwise(how))
            }
            _ => None,
        }
    }

    /// Whether the turn in progress cannot have lasted until the game reached its length: less time passed since the last turn, or
    /// the flag would have fallen first.
    fn cannot_have_reached_it(&self, at: Option<i64>) -> bool {
        let Some((state, clock)) = self.state().zip(self.clock) else { return false };
        if !R::is_scored_by_pieces(state) {
            return false;
        }
        let known = clock.at_least();
        match known.control().game_limit() {
            None => false,
            Some(GameLimit::Turns(_)) => !known.game_limit_reached(),
            Some(GameLimit::Seconds(_)) if !clock.knows_game_time() => false,
            Some(GameLimit::Seconds(_)) => {
                let began = self.plies().last().map_or(self.started_at(), |ply| ply.at);
                let passed = at.zip(began).map(|(at, began)| {
                    u64::try_from(at.saturating_sub(began)).unwrap_or(0).div_ceil(1_000_000)
                });
                let side = R::to_move(state);
                let setup = !R::counts_for_repetition(state);
                let flag = known.time_for_turn(side, setup).filter(|_| clock.knows_reserve(side));
                let longest = [passed, flag].into_iter().flatten().min();
                known.game_time_left().zip(longest).is_some_and(|(left, longest)| longest < left)
            }
        }
    }
}
