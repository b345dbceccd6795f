//! What the texts of the finals leave open, and how it is read.

use crate::colours::NoGames;
use crate::reading::readings;
use crate::tpr::VirtualDraw;

readings! {
    /// Who is tied for second place (2015 WCC, Tournament format, on ties).
    pub enum SecondPlace, "T7", "who is tied for second place" {
        /// Those with the most games won.
        MostWins = "A" "most_wins",
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

readings! {
    /// Which games won give second and third place in 2009 (2009 WC, Tournament format, on ties).
    pub enum GamesWon, "T29", "which games won count for second and third place" {
        /// Those of the final, without playoff games.
        FinalOnly = "A" "final_only",
        /// Those of the Swiss and of the final, without playoff games.
        WithSwiss = "B" "with_swiss",
        /// Those of the final and of the playoffs.
        WithPlayoffs = "C" "with_playoffs",
    }
}

readings! {
    /// What counts as occurring (2015 WCC, Tournament format 4).
    pub enum Occurrence, "T20", "what counts as a pairing that occurred" {
        /// Pairings, forfeited ones included, replayed ones once.
        Pairings = "A" "pairings",
        /// Games that were played: a forfeit without a game is none, and a replayed game is one more.
        GamesPlayed = "B" "games_played",
    }
}

readings! {
    /// Who selects the colours of a playoff where they are equal (2009 WC, Tournament format, on ties).
    pub enum ColourSelector, "T35", "whose lower ranking lets a player select the colours of a playoff" {
        /// The ranking by gameroom rating at the start of the whole event.
        RatingAtStart = "A" "rating_at_start",
        SeedOfFinal = "B" "seed_of_final",
    }
}

readings! {
    /// What the ranks of a round are (2015 WCC, Tournament format 10).
    pub enum RanksOfRound, "T22", "what the ranks of a round are" {
        /// 1 to n over those still in.
        Dense = "A" "dense",
        /// The seeds with which the final began.
        OriginalSeeds = "B" "original_seeds",
    }
}

readings! {
    /// How the seeds of the final follow from the preliminary (2009 WC, Floating Double Elimination 1).
    pub enum SeedOrder, "T42", "how the performance in the preliminary orders the final" {
        /// By points, then by gameroom rating.
        PointsThenRating = "A" "points_then_rating",
        /// By the whole order of the Swiss, in which the opponents' points come before the rating.
        SwissOrder = "B" "swiss_order",
    }
}

readings! {
    /// Whether those who were taken out play on for second place (2015 WCC, Tournament format, on ties).
    pub enum RemovedInContinuation, "T26", "whether players who were removed with fewer losses play the continuation" {
        /// They play no more.
        Out = "A" "out",
        /// They play on with the others who are level; a disqualified player does not.
        In = "B" "in",
    }
}

readings! {
    /// Whether a player who was removed for a forfeit takes a place (2009 WC, Time of games and Tournament format).
    pub enum ForfeiterPlace, "T43", "whether a player who was removed for a forfeit takes a place" {
        /// By the games won: the text bars later rounds only.
        ByGamesWon = "A" "by_games_won",
        /// They take no place.
        NoPlace = "B" "no_place",
    }
}

readings! {
    /// What follows when the last contenders for second place fall together (2015 WCC, Tournament format, on ties).
    pub enum LastForSecond, "T41", "who plays on when the last contenders for second place fall in one round" {
        /// Those who fell together, with one more life.
        FellTogether = "A" "fell_together",
        /// Nobody: the director rules.
        Ruling = "B" "ruling",
        /// All who were level for second place, with one more life.
        AllLevel = "C" "all_level",
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
    /// T29.
    pub games_won: GamesWon,
    /// T35.
    pub colour_selector: ColourSelector,
    /// T42.
    pub seed_order: SeedOrder,
    /// T43.
    pub forfeiter_place: ForfeiterPlace,
    /// T20.
    pub occurrence: Occurrence,
    /// T22.
    pub ranks: RanksOfRound,
    /// T26.
    pub removed: RemovedInContinuation,
    /// T41.
    pub last_for_second: LastForSecond,
}
