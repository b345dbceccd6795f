//! Readings of the Swiss preliminary's text.

use serde::{Deserialize, Serialize};

use crate::reading::readings;

readings! {
    /// The points of a bye (2009 WC, Preliminary 6 and 10 do not state them).
    pub enum ByePoints, "T10", "what a bye is worth in the Swiss" {
        /// One point; without points the last player would get every bye.
        One = "A" "one",
        None = "B" "none",
    }

    /// Whether a player can have a second bye (2009 WC, Preliminary 10).
    pub enum SecondBye, "T11", "whether the last player gets a second bye" {
        /// The last player gets it.
        Allowed = "A" "allowed",
        /// The lowest of the players with the fewest byes gets it.
        NoRepeatBye = "B" "no_repeat_bye",
    }

    /// Where a score group of odd size is divided (2009 WC, Preliminary 7).
    pub enum OddGroup, "T12", "which half of an odd score group is the larger" {
        /// The lower half: every player of the top half has a counterpart.
        LowerHalfLarger = "A" "lower_half_larger",
        UpperHalfLarger = "B" "upper_half_larger",
    }

    /// Whether the halves of a score group change as its players are paired (2009 WC, Preliminary 7).
    pub enum GroupHalves, "T12_halves", "whether halves change as players are paired" {
        /// Fixed when the walk begins.
        Fixed = "A" "fixed",
        /// Halves of the players still unpaired.
        Unpaired = "B" "unpaired",
    }

    /// Who "has played a color fewer times" (2009 WC, Preliminary 9).
    pub enum ColourMeasure, "T13", "how often a player has had a colour" {
        /// By games with Gold minus games with Silver.
        Balance = "A" "balance",
        GoldGames = "B" "gold_games",
    }

    /// Which lots break the last ties of the final order (2009 WC, Preliminary 6: "assigned at start of round").
    pub enum FinalLots, "T28", "which lots decide in the final order of the Swiss" {
        LastRound = "A" "last_round",
        /// New ones, drawn after the last round.
        DrawnAfterwards = "B" "drawn_afterwards",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SwissReadings {
    pub bye_points: ByePoints,
    pub second_bye: SecondBye,
    pub odd_group: OddGroup,
    pub halves: GroupHalves,
    pub colour: ColourMeasure,
    /// The caller selects the lots by this reading.
    pub final_lots: FinalLots,
}

impl ByePoints {
    pub const fn half_points(self) -> u32 {
        match self {
            ByePoints::One => 2,
            ByePoints::None => 0,
        }
    }
}
