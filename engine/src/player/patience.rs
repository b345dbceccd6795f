//! Resignation: successive turns in which the search was hopeless.

use annals_events::Side;

use crate::Score;

/// When a player resigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resign {
    /// In hundredths of a rabbit.
    pub behind: i32,
    /// Successive own turns with such a score; at least one.
    pub turns: u16,
}

/// Successive hopeless turns per side.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Patience([u16; 2]);

impl Patience {
    /// Records a search result, and returns whether to resign.
    pub(crate) fn ends(&mut self, resign: Option<Resign>, side: Side, score: Score) -> bool {
        let Some(resign) = resign else { return false };
        let Some(hopeless) = self.0.get_mut(side.index()) else { return false };
        let lost = score.value() <= -resign.behind.saturating_abs();
        *hopeless = if lost { hopeless.saturating_add(1) } else { 0 };
        *hopeless >= resign.turns.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_gives_up_after_so_many_hopeless_turns_in_a_row_and_the_other_one_by_itself() {
        let resign = Some(Resign { behind: 500, turns: 2 });
        let (lost, level) = (Score::centirabbits(-500), Score::EVEN);
        let mut patience = Patience::default();
        let mut ends = |side, score| patience.ends(resign, side, score);
        assert!(!ends(Side::Gold, lost) && !ends(Side::Silver, lost));
        assert!(!ends(Side::Gold, level) && ends(Side::Silver, lost));
        assert!(!ends(Side::Gold, lost) && ends(Side::Gold, lost));
        assert!(!Patience::default().ends(None, Side::Gold, lost), "who never gives up");
        assert!(Patience::default().ends(Some(Resign { behind: 1, turns: 0 }), Side::Gold, lost));
    }
}
