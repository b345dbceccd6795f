//! Readings of the qualifier's text.

use serde::{Deserialize, Serialize};

use crate::reading::readings;

readings! {
    /// What "up to twenty times; additional games will be ignored" limits (2015 WCC, Qualifying 4).
    pub enum GameCap, "T2", "which games against a benchmark use up the limit" {
        /// Games that would otherwise count: ignored games do not use up the limit.
        CountedGames = "A" "counted_games",
        /// All games of the period, also unrated and wrong-coloured ones.
        AllGames = "B" "all_games",
    }

    /// Which run of wins is the "longest winning streak" when more are won than score (2015 WCC, Qualifying 4).
    pub enum StreakChoice, "T3", "which run of wins is the longest streak" {
        /// The longest, the earliest among equals.
        LongestUncapped = "A" "longest_uncapped",
        /// The first that reaches the scoring maximum, else the longest.
        FirstThatScoresAll = "B" "first_that_scores_all",
    }

    /// Which game is the "last game which counts towards the score" (2015 WCC, Qualifying 5).
    pub enum CompletionMoment, "T4", "which game completes the score against a benchmark" {
        /// The win that makes the last point.
        LastScoringWin = "A" "last_scoring_win",
        /// The last win of the streak.
        EndOfStreak = "B" "end_of_streak",
    }

    /// The order of two games against one benchmark (2015 WCC, Qualifying 4).
    pub enum GameOrder, "T5", "the order of games against one benchmark" {
        /// By their start, where the colours are set.
        ByStart = "A" "by_start",
        ByEnd = "B" "by_end",
    }

    /// Which game is the first, that "sets the color for subsequent games" (2015 WCC, Qualifying 4).
    pub enum ColourSetter, "T24", "which game sets the colours against a benchmark" {
        FirstCounted = "A" "first_counted",
        /// The first of the period, rated or not.
        FirstPlayed = "B" "first_played",
    }

    /// The seed of last year's program that stands in for an invited one (2015 WCC, Program Submission).
    pub enum StandInSeed, "T27", "the seed of a program that stands in" {
        /// The place in the order by which the other was invited.
        PlaceOfTheInvited = "A" "place_of_the_invited",
        /// After all others.
        Last = "B" "last",
    }

    /// Who has "not played any qualifying games" (2015 WCC, Qualifying 7).
    pub enum NotPlayed, "T39", "who has not played any qualifying game" {
        /// A program of which no game counts.
        NoneThatCounts = "A" "none_that_counts",
        /// A program of which no game is recorded.
        NoneAtAll = "B" "none_at_all",
    }

    /// The order of programs that the tie-breaks leave level (2015 WCC, Qualifying 5 and 7).
    pub enum StillTied, "T40", "what orders programs that are tied after the second tie-break" {
        /// The gameroom rating, then the order of registration.
        RatingThenRegistration = "A" "rating_then_registration",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QualifierReadings {
    pub game_cap: GameCap,
    pub streak: StreakChoice,
    pub completion: CompletionMoment,
    pub game_order: GameOrder,
    pub colour_setter: ColourSetter,
    pub stand_in_seed: StandInSeed,
    pub not_played: NotPlayed,
    pub still_tied: StillTied,
}
