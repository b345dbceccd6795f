//! Scores: hundredths of a rabbit, or a win or loss within a number of steps.

use std::fmt;
use std::ops::Neg;

/// For the side to move. A faster win is greater, and so is a slower loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    pub const EVEN: Score = Score(0);

    /// An immediate win; evaluations are within ±[`Score::MOST`].
    const WON: i32 = 1_000_000;

    /// The largest evaluation.
    pub const MOST: i32 = 900_000;

    /// Limited to [`Score::MOST`].
    #[must_use]
    pub fn centirabbits(worth: i32) -> Score {
        Score(worth.clamp(-Score::MOST, Score::MOST))
    }

    /// The side to move wins after this many steps.
    #[must_use]
    pub const fn win_in(steps: u16) -> Score {
        Score(Score::WON - steps as i32)
    }

    /// The side to move loses after this many steps.
    #[must_use]
    pub fn loss_in(steps: u16) -> Score {
        -Score::win_in(steps)
    }

    /// Hundredths of a rabbit, or beyond [`Score::MOST`] for a win or loss.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Steps to the end if decided; negative for a loss.
    #[must_use]
    pub const fn decided_in(self) -> Option<i32> {
        match self.0 {
            worth if worth > Score::MOST => Some(Score::WON - worth),
            worth if worth < -Score::MOST => Some(-(Score::WON + worth)),
            _ => None,
        }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decided_in() {
            Some(steps) if self.0 > 0 => write!(f, "wins in {steps} steps"),
            Some(steps) => write!(f, "loses in {} steps", -steps),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_losses_lie_beyond_every_evaluation_and_sooner_is_more() {
        let line = [
            Score::loss_in(1),
            Score::loss_in(9),
            Score::centirabbits(i32::MIN),
            Score::EVEN,
            Score::centirabbits(i32::MAX),
            Score::win_in(9),
            Score::win_in(1),
        ];
        assert!(line.is_sorted(), "{line:?}");
        let said = line.map(|score| score.decided_in());
        assert_eq!(said, [Some(-1), Some(-9), None, None, None, Some(9), Some(1)]);
        assert_eq!(Score::centirabbits(-150).to_string(), "-1.50");
        assert_eq!(Score::win_in(3).to_string(), "wins in 3 steps");
        assert_eq!((-Score::win_in(3)).to_string(), "loses in 3 steps");
    }
}
