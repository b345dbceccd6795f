//! What the text of the qualifier leaves open, and how it is read.

use serde::{Deserialize, Serialize};

use crate::reading::readings;

readings! {
    /// What "up to twenty times; additional games will be ignored" limits (2015 WCC, Qualifying 4).
    pub enum GameCap, "T2", "which games against a benchmark use up the limit" {
        /// Games that would otherwise count: an ignored game uses up nothing.
        CountedGames = "A" "counted_games",
        /// All games of the period, unrated and wrong-coloured ones too.
        AllGames = "B" "all_games",
    }
}

readings! {
    /// Which run of wins is the "longest winning streak" when more are won than score (2015 WCC, Qualifying 4).
    pub enum StreakChoice, "T3", "which run of wins is the longest streak" {
        /// The longest as it stands, the earliest among equals.
        LongestUncapped = "A" "longest_uncapped",
        /// The first that reaches the maximum that scores; the longest where none does.
        FirstThatScoresAll = "B" "first_that_scores_all",
    }
}

readings! {
    /// Which game is the "last game which counts towards the score" (2015 WCC, Qualifying 5).
    pub enum CompletionMoment, "T4", "which game completes the score against a benchmark" {
        /// The win that makes the last point.
        LastScoringWin = "A" "last_scoring_win",
        /// The last win of the streak.
        EndOfStreak = "B" "end_of_streak",
    }
}

readings! {
    /// The order of two games against one benchmark (2015 WCC, Qualifying 4).
    pub enum GameOrder, "T5", "the order of games against one benchmark" {
        /// By their start, where the colours are set.
        ByStart = "A" "by_start",
        ByEnd = "B" "by_end",
    }
}

readings! {
    /// Which game is the first, that "sets the color for subsequent games" (2015 WCC, Qualifying 4).
    pub enum ColourSetter, "T24", "which game sets the colours against a benchmark" {
        FirstCounted = "A" "first_counted",
        /// The first of the period, rated or not.
        FirstPlayed = "B" "first_played",
    }
}

readings! {
    /// The seed of last year's program that stands in for an invited one (2015 WCC, Program Submission).
    pub enum StandInSeed, "T27", "the seed of a program that stands in" {
        /// The place in the order by which the other was invited.
        PlaceOfTheInvited = "A" "place_of_the_invited",
        /// Behind all others.
        Last = "B" "last",
    }
}

readings! {
    /// Who has "not played any qualifying games" (2015 WCC, Qualifying 7).
    pub enum NotPlayed, "T39", "who has not played any qualifying game" {
        /// A program of which no game counts.
        NoneThatCounts = "A" "none_that_counts",
        /// A program of which no game is recorded.
        NoneAtAll = "B" "none_at_all",
    }
}

readings! {
    /// The order of programs that the tie-breaks leave level (2015 WCC, Qualifying 5 and 7).
    pub enum StillTied, "T40", "what orders programs that are tied after the second tie-break" {
        /// The gameroom rating, then the order of registration.
        RatingThenRegistration = "A" "rating_then_registration",
    }
}

/// How the ambiguous texts of the qualifier are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QualifierReadings {
    /// T2.
    pub game_cap: GameCap,
    /// T3.
    pub streak: StreakChoice,
    /// T4.
    pub completion: CompletionMoment,
    /// T5.
    pub game_order: GameOrder,
    /// T24.
    pub colour_setter: ColourSetter,
    /// T27.
    pub stand_in_seed: StandInSeed,
    /// T39.
    pub not_played: NotPlayed,
    /// T40.
    pub still_tied: StillTied,
}
