//! What a position is worth to a side: hundredths of a rabbit, or a win or loss within so many steps.

use std::fmt;
use std::ops::Neg;

/// The worth of a position to the side to move. Ordered: a win in fewer steps is worth more, a loss in more steps too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// Nobody is better.
    pub const EVEN: Score = Score(0);

    /// What a win at once is worth; all worths by evaluation lie between the negative and the positive of [`Score::MOST`].
    const WON: i32 = 1_000_000;

    /// The most that an evaluation can say.
    pub const MOST: i32 = 900_000;

    /// So many hundredths of a rabbit; what lies beyond [`Score::MOST`] is cut.
    #[must_use]
    pub fn centirabbits(worth: i32) -> Score {
        Score(worth.clamp(-Score::MOST, Score::MOST))
    }

    /// The side to move wins, and the game is over after so many steps.
    #[must_use]
    pub const fn win_in(steps: u16) -> Score {
        Score(Score::WON - steps as i32)
    }

    /// The side to move loses, and the game is over after so many steps.
    #[must_use]
    pub fn loss_in(steps: u16) -> Score {
        -Score::win_in(steps)
    }

    /// The plain number: hundredths of a rabbit, or beyond [`Score::MOST`] for a win or loss.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// In how many steps the game is over, where it is decided: for a win, and as a negative number for a loss.
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
