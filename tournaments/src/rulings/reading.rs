//! Readings of the technical rulings' text.

use crate::reading::readings;

readings! {
    /// When "the next round has begun" (2015 WCC, Technical Problems 3).
    pub enum RoundBegins, "T21", "when a round has begun" {
        /// When its first game has started, as rule 1 states.
        FirstGameStarted = "A" "first_game_started",
        /// When it is paired.
        Paired = "B" "paired",
    }

    /// Whether the game that is resumed or replayed is rated (2015 WCC, Technical Problems 2 and 3).
    pub enum ResumedRating, "T25", "whether a resumed game is rated" {
        /// It is not: it starts from a set position.
        Unrated = "A" "unrated",
        Rated = "B" "rated",
    }
}
