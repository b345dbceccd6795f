//! All ambiguous texts of the rulebooks by register number. Each rulebook lists its own, and an announcement
//! records their readings.

use std::collections::BTreeMap;

use annals_rules::scoring::NoPiecePoints;
use serde::Serialize;

use crate::colours::NoGames;
use crate::formats::elimination::{
    ColourSelector, EliminationReadings, FinalsHistory, ForfeiterPlace, GamesWon, LastForSecond, LeaverPlace,
    Occurrence, RanksOfRound, RemovedInContinuation, SecondPlace, SeedOrder, ThirdPlaceWins,
};
use crate::formats::encounters;
use crate::formats::qualifier::{
    ColourSetter, CompletionMoment, GameCap, GameOrder, NotPlayed, QualifierReadings, StandInSeed, StillTied,
    StreakChoice,
};
use crate::formats::ring::{NameOrder, OppositeSide, RingReadings};
use crate::formats::swiss;
use crate::reading::{Reading, UnknownReading, readings};
use crate::rulings::{ResumedRating, RoundBegins};
use crate::tpr::VirtualDraw;

readings! {
    /// Which of several equally good pairings is selected (no text states it).
    pub enum EqualPairings, "T1", "which of several equally good pairings is taken" {
        /// The best ranked player meets the worst ranked partner that an optimum allows, then the next.
        Canonical = "A" "canonical",
    }

    /// When all remaining players lose together (2015 WCC, Tournament format 2).
    pub enum NoPlayerLeft, "T6", "who is champion when all who were left are eliminated at once" {
        /// The director rules.
        Ruling = "A" "ruling",
    }

    /// Whether unused time of the set-up move is added to the reserve (Match Rules, Time control).
    pub enum SetupTime, "T23", "whether unused time of the set-up move is added" {
        /// Never, as the game server does.
        Never = "A" "never",
        /// If the move time is a minute or more, as the text has it.
        Added = "B" "added",
    }

    /// How a tie of three for third place is broken (2009 WC, Tournament format, on ties).
    pub enum ThreeForThird, "T30", "how a three-way tie for third place is broken" {
        /// The director rules.
        Ruling = "A" "ruling",
    }

    /// Whether games of the continuation share the prize fund (2015 WCC, Prizes).
    pub enum PrizeGames, "T31", "whether games of the continuation share the prize fund" {
        /// They do.
        WithContinuation = "A" "with_continuation",
        /// Only games before it.
        WithoutContinuation = "B" "without_continuation",
    }

    /// What the penalties are added to (2015 WCC, Registration and Penalty).
    pub enum PenaltiesInFund, "T36", "whether penalties are added to the prize fund" {
        /// Only the registration fee is added.
        FeeOnly = "A" "fee_only",
        /// Penalties are added as they are paid.
        WithPenalties = "B" "with_penalties",
    }

    /// Which colours comply where the colour rules leave them arbitrary (2015 WCC, Color Assignment 6).
    pub enum AcceptedColours, "T37", "which colours comply where they are arbitrary" {
        /// Either colour.
        Any = "A" "any",
        /// Those of the option `arbitrary_colour`.
        AsStated = "B" "as_stated",
    }

    /// The number of games by which the fund is divided (2015 WCC, Prizes).
    pub enum GamesOfTheFund, "T38", "which games share the prize fund" {
        /// Every decided board, forfeits included. A double forfeit divides the fund, and no player wins its
        /// share.
        Decided = "A" "decided",
        /// Games played: a forfeit counts for nothing.
        Played = "B" "played",
    }

    /// What the speed of a player's machine is compared with (2015 WCC, Qualifying 3).
    pub enum HardwareReference, "T46", "which machine the speed of qualifying hardware is compared with" {
        /// The machine of the previous year's challenge match, recorded separately.
        PreviousYear = "A" "previous_year",
        /// The specified machine of this year.
        OneMachine = "B" "one_machine",
    }

    /// The territory of a game that was resigned (Olympiad 2000, Tournament Rules 4).
    pub enum ResignedTerritory, "T19", "where the territory of a resigned game comes from" {
        /// From a ruling, or from the position of a game that was played out.
        Ruling = "A" "ruling",
    }

    /// Who loses the refundable part of the fee (2009 WC, Registration).
    pub enum RefundLost, "T34", "who does not get 10 dollars of the fee back" {
        /// Players who leave: by forfeit, resignation from the tournament, or dropping out.
        Leaving = "A" "leaving",
        /// Also players who resign a game.
        Resigning = "B" "resigning",
    }

    /// What a game that reached its limit is scored by (2006 Postal, Tournament Rules 5).
    pub enum EarlyScore, "T44", "whose piece points decide a game that reached its limit before July 2008" {
        /// The director rules: no source states them.
        Ruling = "A" "ruling",
        /// The announced points.
        PiecePoints = "B" "piece_points",
    }

    /// Whether the limit of a game's length ends it (Time controls of 2006, 2009 and 2015).
    pub enum LimitOfGame, "T45", "whether a game ends by score at the instant when it reaches its limit" {
        /// It does, and no game ends by score before.
        Checked = "A" "checked",
        /// It is not checked.
        NotChecked = "B" "not_checked",
    }

    /// Whether the text, which is silent, lets an earlier result be corrected (2009 WC).
    pub enum EarlierResults, "T50", "whether a result is corrected once a later round has begun" {
        /// It stays, by analogy with 2015 (2015 WCC, Technical Problems 1).
        Kept = "A" "kept",
        /// It is, and later rounds stay as they were paired.
        Corrected = "B" "corrected",
    }

    /// Who has Gold where the colour rules leave it arbitrary (2015 WCC, Color Assignment 6).
    pub enum ArbitraryColour, "arbitrary_colour", "who has Gold where colours are arbitrary" {
        BetterSeed = "A" "better_seed",
        /// A coin, recorded as drawn.
        Coin = "B" "coin",
    }
}

/// The announcement key of a text: `T7` is `t7`, `T12 (halves)` is `t12_halves`.
pub fn option_key(number: &str) -> String {
    let plain = number.to_ascii_lowercase();
    let words = plain.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn of_rulebook(rulebook: Option<&str>) -> String {
    rulebook.map_or_else(|| "a rulebook".to_owned(), |name| format!("`{name}`"))
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    #[error("`{name}` is no reading that {} leaves open. Known: {known}", of_rulebook(*.rulebook))]
    NoSuchReading {
        name: String,
        /// None if no rulebook has it.
        rulebook: Option<&'static str>,
        known: String,
    },
    #[error(transparent)]
    NoSuchValue(#[from] UnknownReading),
    #[error(transparent)]
    NoPiecePoints(#[from] NoPiecePoints),
    #[error("`{found}` is not a value of the option `{name}`. Known: {known}")]
    NoSuchChoice { name: String, found: String, known: String },
}

/// How every ambiguous text is read; default as in the register.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Readings {
    pub qualifier: QualifierReadings,
    pub elimination: EliminationReadings,
    pub swiss: swiss::SwissReadings,
    pub ring: RingReadings,
    pub encounters: encounters::OlympiadReadings,
    pub round_begins: RoundBegins,
    pub resumed_rating: ResumedRating,
    pub equal_pairings: EqualPairings,
    pub nobody_left: NoPlayerLeft,
    pub resigned_territory: ResignedTerritory,
    pub setup_time: SetupTime,
    pub three_for_third: ThreeForThird,
    pub prize_games: PrizeGames,
    pub refund_lost: RefundLost,
    pub early_score: EarlyScore,
    pub game_limit: LimitOfGame,
    pub earlier_results: EarlierResults,
    pub penalties: PenaltiesInFund,
    pub worth_of_a_game: GamesOfTheFund,
    pub hardware_reference: HardwareReference,
    pub arbitrary_accepted: AcceptedColours,
    pub arbitrary_colour: ArbitraryColour,
}

macro_rules! all_readings {
    ($($($field:ident).+: $kind:ty,)*) => {
        impl Readings {
            pub fn register() -> Vec<RegisterEntry> {
                vec![$(RegisterEntry {
                    number: <$kind as Reading>::REGISTER,
                    question: <$kind as Reading>::QUESTION,
                    readings: <$kind as Reading>::ALL.iter().map(|one| (one.letter(), one.name())).collect(),
                }),*]
            }

            /// By register number, such as `T7`.
            pub fn get(&self, number: &str) -> Option<&'static str> {
                $(if number == <$kind as Reading>::REGISTER { return Some(self.$($field).+.name()); })*
                None
            }

            /// Sets a reading by letter or name.
            ///
            /// # Errors
            /// If the text or reading is unknown.
            pub fn set(&mut self, number: &str, value: &str) -> Result<(), ReadingError> {
                $(if number == <$kind as Reading>::REGISTER {
                    self.$($field).+ = value.parse()?;
                    return Ok(());
                })*
                let known: Vec<&str> = vec![$(<$kind as Reading>::REGISTER),*];
                Err(ReadingError::NoSuchReading {
                    name: number.chars().take(80).collect(),
                    rulebook: None,
                    known: known.join(", "),
                })
            }
        }
    };
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RegisterEntry {
    /// For example `T7`.
    pub number: &'static str,
    /// What the text leaves undetermined.
    pub question: &'static str,
    /// Letters and names, the default first.
    pub readings: Vec<(&'static str, &'static str)>,
}

// In register order.
all_readings! {
    equal_pairings: EqualPairings,
    qualifier.game_cap: GameCap,
    qualifier.streak: StreakChoice,
    qualifier.completion: CompletionMoment,
    qualifier.game_order: GameOrder,
    nobody_left: NoPlayerLeft,
    elimination.second: SecondPlace,
    elimination.third: ThirdPlaceWins,
    elimination.virtual_draw: VirtualDraw,
    swiss.bye_points: swiss::ByePoints,
    swiss.second_bye: swiss::SecondBye,
    swiss.odd_group: swiss::OddGroup,
    swiss.halves: swiss::GroupHalves,
    swiss.colour: swiss::ColourMeasure,
    elimination.history: FinalsHistory,
    elimination.no_games: NoGames,
    ring.name_order: NameOrder,
    ring.opposite_side: OppositeSide,
    encounters.pairing: encounters::EncounterPairing,
    resigned_territory: ResignedTerritory,
    elimination.occurrence: Occurrence,
    round_begins: RoundBegins,
    elimination.ranks: RanksOfRound,
    setup_time: SetupTime,
    qualifier.colour_setter: ColourSetter,
    resumed_rating: ResumedRating,
    elimination.removed: RemovedInContinuation,
    qualifier.stand_in_seed: StandInSeed,
    swiss.final_lots: swiss::FinalLots,
    elimination.games_won: GamesWon,
    three_for_third: ThreeForThird,
    prize_games: PrizeGames,
    encounters.bye_points: encounters::ByePoints,
    encounters.territory: encounters::UnfinishedTerritory,
    refund_lost: RefundLost,
    elimination.colour_selector: ColourSelector,
    penalties: PenaltiesInFund,
    arbitrary_accepted: AcceptedColours,
    worth_of_a_game: GamesOfTheFund,
    qualifier.not_played: NotPlayed,
    qualifier.still_tied: StillTied,
    elimination.last_for_second: LastForSecond,
    elimination.seed_order: SeedOrder,
    elimination.forfeiter_place: ForfeiterPlace,
    early_score: EarlyScore,
    game_limit: LimitOfGame,
    hardware_reference: HardwareReference,
    encounters.opponent_byes: encounters::OpponentByes,
    encounters.repeated_opponents: encounters::RepeatedOpponents,
    elimination.leaver_place: LeaverPlace,
    earlier_results: EarlierResults,
    arbitrary_colour: ArbitraryColour,
}

/// Texts that edition 1 lacks; its announcements do not record them.
pub const SINCE_EDITION_2: &[&str] = &[
    "T34", "T35", "T36", "T37", "T38", "T39", "T40", "T41", "T42", "T43", "T44", "T45", "T46", "T47", "T48",
    "T49", "T50",
];

/// Texts of edition 2 that its first announcements lack: one that does not record them has the default.
pub(super) const RECORDED_IF_CHOSEN: &[&str] = &["T48", "T49", "T50"];

impl Readings {
    pub(super) fn of_edition(edition: u32) -> Readings {
        let mut readings = Readings::default();
        if edition == 1 {
            readings.game_limit = LimitOfGame::NotChecked;
            readings.encounters.opponent_byes = encounters::OpponentByes::Included;
            readings.refund_lost = RefundLost::Resigning;
            readings.elimination.games_won = GamesWon::WithPlayoffs;
            readings.elimination.colour_selector = ColourSelector::SeedOfFinal;
            readings.elimination.seed_order = SeedOrder::SwissOrder;
            readings.elimination.forfeiter_place = ForfeiterPlace::NoPlace;
            readings.penalties = PenaltiesInFund::WithPenalties;
            readings.arbitrary_accepted = AcceptedColours::AsStated;
            readings.elimination.last_for_second = LastForSecond::AllLevel;
            readings.hardware_reference = HardwareReference::OneMachine;
        }
        readings
    }

    /// Readings by [`option_key`], as announcements record them.
    pub fn options(&self, numbers: &[&str]) -> BTreeMap<String, String> {
        let named = |number: &&str| Some((option_key(number), self.get(number)?.to_owned()));
        numbers.iter().filter_map(named).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_the_register_is_there_once_and_its_default_is_recorded() {
        let register = Readings::register();
        let numbers: Vec<&str> = register.iter().map(|entry| entry.number).collect();
        for number in 1..=33 {
            let name = format!("T{number}");
            assert_eq!(numbers.iter().filter(|known| **known == name).count(), 1, "{name}");
        }
        let readings = Readings::default();
        let options = readings.options(&numbers);
        assert_eq!(options.len(), numbers.len());
        for entry in register {
            assert_eq!(options[&option_key(entry.number)], entry.readings[0].1);
        }
    }

    #[test]
    fn a_reading_is_set_by_its_letter_or_name_and_only_to_what_it_has() {
        let mut readings = Readings::default();
        readings.set("T7", "B").unwrap();
        assert_eq!(readings.get("T7"), Some("last_eliminated"));
        readings.set("T7", "most_wins").unwrap();
        assert_eq!(readings, Readings::default());
        assert!(readings.set("T6", "B").unwrap_err().to_string().contains("Known: A ruling"));
        assert!(readings.set("T99", "A").unwrap_err().to_string().contains("T33"));
    }
}
