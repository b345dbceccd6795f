//! What the texts of the finals leave open, and how it is read.

use crate::colours::NoGames;
use crate::reading::readings;
use crate::tpr::VirtualDraw;

readings! {
    /// Who is tied for second place (2015 WCC, Tournament format, on ties).
    pub enum SecondPlace, "T7", "who is tied for second place" {
        /// Those with the most games won.
        MostWins = "A" "most_wins",
        /// Those who were eliminated last.
        LastEliminated = "B" "last_eliminated",
    }
}

readings! {
    /// Whether games won in the continuation count for third place (2015 WCC, Tournament format, on ties).
    pub enum ThirdPlaceWins, "T8", "whether wins of the continuation count for third place" {
        /// They count: it is the same tournament.
        WithContinuation = "A" "with_continuation",
        /// Only games won before it count.
        WithoutContinuation = "B" "without_continuation",
    }
}

readings! {
    /// What "so far" counts in the final (2009 WC, Floating Double Elimination 3–7 and 12).
    pub enum FinalsHistory, "T14", "whether the history of the Swiss preliminary counts in the final" {
        /// The Swiss counts: meetings, byes and colours.
        WholeTournament = "A" "whole_tournament",
        /// Only the final counts.
        FinalOnly = "B" "none",
    }
}

/// How the ambiguous paragraphs of the finals are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct EliminationReadings {
    /// T7.
    pub second: SecondPlace,
    /// T8.
    pub third: ThirdPlaceWins,
    /// T9.
    pub virtual_draw: VirtualDraw,
    /// T14.
    pub history: FinalsHistory,
    /// T15.
    pub no_games: NoGames,
}
