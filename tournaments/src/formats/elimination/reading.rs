//! Readings of the finals' texts.

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

    /// Whether games won in the continuation count for third place (2015 WCC, Tournament format, on ties).
    pub enum ThirdPlaceWins, "T8", "whether wins of the continuation count for third place" {
        /// They count.
        WithContinuation = "A" "with_continuation",
        /// Only games won before it count.
        WithoutContinuation = "B" "without_continuation",
    }

    /// What "so far" counts in the final (2009 WC, Floating Double Elimination 3–7 and 12).
    pub enum FinalsHistory, "T14", "whether the history of the Swiss preliminary counts in the final" {
        /// The Swiss counts: meetings, byes and colours.
        WholeTournament = "A" "whole_tournament",
        /// Only the final counts.
        FinalOnly = "B" "none",
    }

    /// Which games won give second and third place in 2009 (2009 WC, Tournament format, on ties).
    pub enum GamesWon, "T29", "which games won count for second and third place" {
        /// Those of the final, without playoff games.
        FinalOnly = "A" "final_only",
        /// Those of the Swiss and of the final, without playoff games.
        WithSwiss = "B" "with_swiss",
        /// Those of the final and of the playoffs.
        WithPlayoffs = "C" "with_playoffs",
    }

    /// What counts as occurring (2015 WCC, Tournament format 4).
    pub enum Occurrence, "T20", "what counts as a pairing that occurred" {
        /// Pairings, forfeited ones included, replayed ones once.
        Pairings = "A" "pairings",
        /// Games: a forfeit without a game does not count, and a replayed game counts once more.
        GamesPlayed = "B" "games_played",
    }

    /// Who selects the colours of a playoff where they are equal (2009 WC, Tournament format, on ties).
    pub enum ColourSelector, "T35", "whose lower ranking lets a player select the colours of a playoff" {
        /// The ranking by gameroom rating at the start of the whole event.
        RatingAtStart = "A" "rating_at_start",
        SeedOfFinal = "B" "seed_of_final",
    }

    /// What the ranks of a round are (2015 WCC, Tournament format 10).
    pub enum RanksOfRound, "T22", "what the ranks of a round are" {
        /// 1 to n over those still in.
        Dense = "A" "dense",
        /// The seeds with which the final began.
        OriginalSeeds = "B" "original_seeds",
    }

    /// How the seeds of the final follow from the preliminary (2009 WC, Floating Double Elimination 1).
    pub enum SeedOrder, "T42", "how the performance in the preliminary orders the final" {
        /// By points, then by gameroom rating.
        PointsThenRating = "A" "points_then_rating",
        /// By the whole order of the Swiss, in which the opponents' points come before the rating.
        SwissOrder = "B" "swiss_order",
    }

    /// Whether those who were taken out play on for second place (2015 WCC, Tournament format, on ties).
    pub enum RemovedInContinuation, "T26", "whether players who were removed with fewer losses play the continuation" {
        /// They play no more.
        Out = "A" "out",
        /// They play on with the other level players, except disqualified ones.
        In = "B" "in",
    }

    /// Whether a player who was removed for a forfeit takes a place (2009 WC, Time of games and Tournament format).
    pub enum ForfeiterPlace, "T43", "whether a player who was removed for a forfeit takes a place" {
        /// By the games won: the text bars later rounds only.
        ByGamesWon = "A" "by_games_won",
        /// They take no place.
        NoPlace = "B" "no_place",
    }

    /// Whether a player who withdrew takes a place (2009 WC and 2015 WCC, Tournament format, on ties).
    pub enum LeaverPlace, "T48", "whether a player who withdrew from the final takes a place" {
        /// They take no place.
        NoPlace = "A" "no_place",
        /// By the games won: the text excludes no player.
        ByGamesWon = "B" "by_games_won",
    }

    /// What follows when the last contenders for second place fall together (2015 WCC, Tournament format, on ties).
    pub enum LastForSecond, "T41", "who plays on when the last contenders for second place fall in one round" {
        /// Those who lost together, with one more life.
        FellTogether = "A" "fell_together",
        /// The director rules.
        Ruling = "B" "ruling",
        /// All who were level for second place, with one more life.
        AllLevel = "C" "all_level",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct EliminationReadings {
    pub second: SecondPlace,
    pub third: ThirdPlaceWins,
    pub virtual_draw: VirtualDraw,
    pub history: FinalsHistory,
    pub no_games: NoGames,
    pub games_won: GamesWon,
    pub colour_selector: ColourSelector,
    pub seed_order: SeedOrder,
    pub forfeiter_place: ForfeiterPlace,
    pub leaver_place: LeaverPlace,
    pub occurrence: Occurrence,
    pub ranks: RanksOfRound,
    pub removed: RemovedInContinuation,
    pub last_for_second: LastForSecond,
}
