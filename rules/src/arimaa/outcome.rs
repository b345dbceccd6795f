//! The outcome on the board at the end of a turn, in the official order with the side that moved first.

use annals_events::{Side, Termination};

use super::bitboard::GOAL;
use super::generate::Generator;
use super::piece::Piece;
use super::position::Position;
use super::steps::Steps;
use crate::game::{Era, Outcome};

/// Occurrences that repetition rules count.
const THIRD: u32 = 3;

impl Position {
    /// Whether the side to move has a turn, without repetition. A legal first step suffices: an own step changes the
    /// board and may end the turn, and a begun push can be completed.
    #[must_use]
    pub fn has_turn(&self) -> bool {
        self.board().mobile(self.to_move()) != 0
    }

    /// The outcome after a turn; `seen` returns the occurrences of a hash in the game, this one included. Checks, if A
    /// has moved and B is to move:
    ///
    /// 1. A has a rabbit on its goal rank: A wins;
    /// 2. B has a rabbit on its goal rank: B wins;
    /// 3. B has no rabbit: A wins (not in the early era, but a draw if both have none);
    /// 4. A has no rabbit: B wins (not in the early era);
    /// 5. early era: third occurrence of the position: B wins, as A brought it about;
    /// 6. B has no legal turn: A wins; in the modern era a turn to a third occurrence is illegal.
    #[must_use]
    pub fn outcome(&self, era: Era, seen: impl Fn(u64) -> u32) -> Option<Outcome> {
        let board = self.board();
        let (b, a) = (self.to_move(), self.to_move().other());
        let won = |winner, termination| Some(Outcome { winner: Some(winner), termination });
        let rabbits = Side::BOTH.map(|side| board.bits(side, Piece::Rabbit));
        for side in [a, b] {
            if rabbits[side.index()] & GOAL[side.index()] != 0 {
                return won(side, Termination::Goal);
            }
        }
        match era {
            Era::Modern => {
                for side in [b, a] {
                    if rabbits[side.index()] == 0 {
                        return won(side.other(), Termination::Elimination);
                    }
                }
            }
            Era::Early => {
                if rabbits == [0, 0] {
                    return Some(Outcome { winner: None, termination: Termination::NoRabbits });
                }
                if seen(self.hash()) >= THIRD {
                    return won(b, Termination::Repetition);
                }
            }
        }
        let stuck = match era {
            Era::Modern => !self.has_unrepeated_turn(seen),
            Era::Early => !self.has_turn(),
        };
        if stuck { won(a, Termination::Immobilization) } else { None }
    }

    /// Whether the side to move has a turn that is not a third occurrence.
    fn has_unrepeated_turn(&self, seen: impl Fn(u64) -> u32) -> bool {
        let fresh = |position: &Position| seen(position.hash()) + 1 < THIRD;
        // Nearly always the first single step is such a turn.
        Steps::begin(self).any_single_step(|after| after.finish(self).is_ok_and(|position| fresh(&position)))
            || (self.has_turn() && Generator::new().any_turn(self, fresh))
    }
}
