//! Readings of the Olympiad's text.

use serde::{Deserialize, Serialize};

use crate::reading::readings;

readings! {
    /// How the encounters of a Swiss round are found (Olympiad 2000, Tournament Rules 2: "a 5-round Swiss").
    pub enum EncounterPairing, "T18", "how a Swiss round is paired" {
        /// By the least vector: rematches, squares of score differences, the fold within score groups.
        LeastVector = "A" "least_vector",
        /// By the walk down the list of the 2009 Open Classic.
        WalkDownTheList = "B" "walk_down_the_list",
    }

    /// The points of a bye (the text does not mention it).
    pub enum ByePoints, "T32", "what a bye is worth in the Swiss of encounters" {
        /// Two points, for both games of an encounter.
        Two = "A" "two",
        One = "B" "one",
        None = "C" "none",
    }

    /// The territory of a game that was not played out (Olympiad 2000, Tournament Rules 4).
    pub enum UnfinishedTerritory, "T33", "the territory of a game lost on time or resigned" {
        /// Nothing, unless a ruling gives it.
        Nothing = "A" "nothing",
        /// That of the position in which it ended.
        AsItStands = "B" "as_it_stands",
    }

    /// What an opponent's bye adds to the sum of the opponents' points (Olympiad 2000, Tournament Rules 4).
    pub enum OpponentByes, "T47", "whether an opponent's bye counts in the sum of the opponents' points" {
        /// It does not: the points of a bye count for its owner only.
        OwnerOnly = "A" "owner_only",
        /// It counts as any other points.
        Included = "B" "included",
    }

    /// How often an opponent of two encounters counts in the sum of the opponents' points (Olympiad 2000, Tournament Rules 4).
    pub enum RepeatedOpponents, "T49", "how often an opponent of two encounters counts in the sum of the opponents' points" {
        /// As each opponent is one.
        Once = "A" "once",
        /// For each encounter with a finished game.
        EachEncounter = "B" "each_encounter",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OlympiadReadings {
    pub pairing: EncounterPairing,
    pub bye_points: ByePoints,
    /// Also the reading of T19.
    pub territory: UnfinishedTerritory,
    pub opponent_byes: OpponentByes,
    pub repeated_opponents: RepeatedOpponents,
}

impl ByePoints {
    pub const fn half_points(self) -> u32 {
        match self {
            ByePoints::Two => 4,
            ByePoints::One => 2,
            ByePoints::None => 0,
        }
    }
}
