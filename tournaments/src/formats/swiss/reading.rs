//! What the text of the Swiss preliminary leaves open, and how it is read.

use serde::{Deserialize, Serialize};

use crate::reading::readings;

readings! {
    /// What a bye is worth (2009 WC, Preliminary 6 and 10 say nothing).
    pub enum ByePoints, "T10", "what a bye is worth in the Swiss" {
        /// One point: with none the last player would get every bye.
        One = "A" "one",
        None = "B" "none",
    }
}

readings! {
    /// Whether a player can have a second bye (2009 WC, Preliminary 10).
    pub enum SecondBye, "T11", "whether the last player gets a second bye" {
        /// The player at the very bottom gets it, whoever that is.
        Allowed = "A" "allowed",
        /// The lowest among those with the fewest byes gets it.
        NoRepeatBye = "B" "no_repeat_bye",
    }
}

readings! {
    /// Where a score group of odd size is cut (2009 WC, Preliminary 7).
    pub enum OddGroup, "T12", "which half of an odd score group is the larger" {
        /// The lower: every player of the top half has a counterpart.
        LowerHalfLarger = "A" "lower_half_larger",
        /// The upper.
        UpperHalfLarger = "B" "upper_half_larger",
    }
}

readings! {
    /// Whether the halves of a score group change as its players are paired (2009 WC, Preliminary 7).
    pub enum GroupHalves, "T12_halves", "whether halves change as players are paired" {
        /// They stay as they were when the walk began.
        Fixed = "A" "fixed",
        /// They are those of the players still unpaired.
        Unpaired = "B" "unpaired",
    }
}

readings! {
    /// Who "has played a color fewer times" (2009 WC, Preliminary 9).
    pub enum ColourMeasure, "T13", "how often a player has had a colour" {
        /// By games with Gold less games with Silver.
        Balance = "A" "balance",
        GoldGames = "B" "gold_games",
    }
}

readings! {
    /// Which lots break the last ties of the final order (2009 WC, Preliminary 6: "assigned at start of round").
    pub enum FinalLots, "T28", "which lots decide in the final order of the Swiss" {
        LastRound = "A" "last_round",
        /// New ones, drawn after the last round.
        DrawnAfterwards = "B" "drawn_afterwards",
    }
}

/// How the ambiguous texts of the Swiss preliminary are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SwissReadings {
    /// T10.
    pub bye_points: ByePoints,
    /// T11.
    pub second_bye: SecondBye,
    /// T12, where a group is cut.
    pub odd_group: OddGroup,
    /// T12, whether halves change.
    pub halves: GroupHalves,
    /// T13.
    pub colour: ColourMeasure,
    /// T28. Which lots those are is the caller's to say; the reading tells it.
    pub final_lots: FinalLots,
}

impl ByePoints {
    /// What a bye is worth in half points.
    pub const fn half_points(self) -> u32 {
        match self {
            ByePoints::One => 2,
            ByePoints::None => 0,
        }
    }
}
