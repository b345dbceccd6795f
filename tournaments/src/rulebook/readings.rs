//! All readings together: every text of the rulebooks that can be read in more than one way, by its number in the register.
//! A rulebook says which of them are its own; an announcement records each of those.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::colours::NoGames;
use crate::formats::elimination::{FinalsHistory, SecondPlace, ThirdPlaceWins};
use crate::formats::encounters;
use crate::formats::qualifier::{
    ColourSetter, CompletionMoment, GameCap, GameOrder, StandInSeed, StreakChoice,
};
use crate::formats::ring::{NameOrder, OppositeSide};
use crate::formats::swiss;
use crate::reading::{Reading, UnknownReading, readings};
use crate::rulings::{ResumedRating, RoundBegins};
use crate::tpr::VirtualDraw;

readings! {
    /// Which of several equally good pairings is taken (no text says).
    pub enum EqualPairings, "T1", "which of several equally good pairings is taken" {
        /// The canonical one: the best ranked player meets the worst ranked partner that an optimum allows, then the next.
        Canonical = "A" "canonical",
    }
}

readings! {
    /// What follows when all who were left fall together (2015 WCC, Tournament format 2).
    pub enum NobodyLeft, "T6", "who is champion when all who were left are eliminated at once" {
        /// Nobody: the director rules.
        Ruling = "A" "ruling",
    }
}

readings! {
    /// What counts as occurring (2015 WCC, Tournament format 4).
    pub enum Occurrence, "T20", "what counts as a pairing that occurred" {
        /// Pairings, forfeited ones included, replayed ones once.
        Pairings = "A" "pairings",
    }
}

readings! {
    /// What the ranks of a round are (2015 WCC, Tournament format 10).
    pub enum RanksOfRound, "T22", "what the ranks of a round are" {
        /// 1 to n over those still in.
        Dense = "A" "dense",
    }
}

readings! {
    /// Whether unused time of the set-up move is added to the reserve (Match Rules, Time control).
    pub enum SetupTime, "T23", "whether unused time of the set-up move is added" {
        /// Never, as the game server does.
        Never = "A" "never",
    }
}

readings! {
    /// Whether those who were taken out play on for second place (2015 WCC, Tournament format, on ties).
    pub enum RemovedInContinuation, "T26", "whether players who were removed with fewer losses play the continuation" {
        /// They play no more.
        Out = "A" "out",
    }
}

readings! {
    /// Which games won give second and third place in 2009 (2009 WC, Tournament format, on ties).
    pub enum GamesWon2009, "T29", "which games won count for second and third place" {
        /// Those of the final, without playoff games.
        FinalOnly = "A" "final_only",
    }
}

readings! {
    /// How a tie of three for third place is broken (2009 WC, Tournament format, on ties).
    pub enum ThreeForThird, "T30", "how a three-way tie for third place is broken" {
        /// The director rules.
        Ruling = "A" "ruling",
    }
}

readings! {
    /// Whether games of the continuation share the prize fund (2015 WCC, Prizes).
    pub enum PrizeGames, "T31", "whether games of the continuation share the prize fund" {
        /// They do: it is the same tournament.
        WithContinuation = "A" "with_continuation",
        /// Only games before it.
        WithoutContinuation = "B" "without_continuation",
    }
}

readings! {
    /// The territory of a game that was resigned (Olympiad 2000, Tournament Rules 4).
    pub enum ResignedTerritory, "T19", "where the territory of a resigned game comes from" {
        /// From a ruling, or from the position of a game that was played out.
        Ruling = "A" "ruling",
    }
}

readings! {
    /// Who has Gold where the colour rules leave it arbitrary (2015 WCC, Color Assignment 6).
    pub enum ArbitraryColour, "arbitrary_colour", "who has Gold where colours are arbitrary" {
        /// The better seed.
        BetterSeed = "A" "better_seed",
        /// A coin, recorded as drawn.
        Coin = "B" "coin",
    }
}

/// The key under which an announcement records the reading of a text: keys of events are lower-case words, so `T7` is
/// `t7` there, and `T12 (halves)` is `t12_halves`.
#[must_use]
pub fn option_key(number: &str) -> String {
    let plain = number.to_ascii_lowercase();
    let words = plain.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// A name that is no reading of the rulebook, or a value that the reading does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// No such reading.
    #[error("`{name}` is no reading that a rulebook leaves open. Known: {known}")]
    NoSuchReading {
        /// What was asked for.
        name: String,
        /// All readings there are.
        known: String,
    },
    /// No such value.
    #[error(transparent)]
    NoSuchValue(#[from] UnknownReading),
}

macro_rules! all_readings {
    ($($(#[$docs:meta])* $field:ident: $kind:ty,)*) => {
        /// How every ambiguous text is read; by default as the register chooses.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Readings {
            $($(#[$docs])* pub $field: $kind,)*
        }

        impl Readings {
            /// Every reading: its number, what it asks, and its letters and names, the default first.
            #[must_use]
            pub fn register() -> Vec<RegisterEntry> {
                vec![$(RegisterEntry {
                    number: <$kind as Reading>::REGISTER,
                    question: <$kind as Reading>::QUESTION,
                    readings: <$kind as Reading>::ALL.iter().map(|one| (one.letter(), one.name())).collect(),
                }),*]
            }

            /// The reading of a text by its number in the register, such as `T7`.
            #[must_use]
            pub fn get(&self, number: &str) -> Option<&'static str> {
                $(if number == <$kind as Reading>::REGISTER { return Some(self.$field.name()); })*
                None
            }

            /// Reads a text otherwise; takes the letter or the name.
            ///
            /// # Errors
            /// When there is no such reading, or no such value of it.
            pub fn set(&mut self, number: &str, value: &str) -> Result<(), ReadingError> {
                $(if number == <$kind as Reading>::REGISTER {
                    self.$field = value.parse()?;
                    return Ok(());
                })*
                let known: Vec<&str> = vec![$(<$kind as Reading>::REGISTER),*];
                Err(ReadingError::NoSuchReading { name: number.chars().take(80).collect(), known: known.join(", ") })
            }
        }
    };
}

/// An entry of the register of ambiguous texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RegisterEntry {
    /// The number, such as `T7`.
    pub number: &'static str,
    /// What the text leaves open.
    pub question: &'static str,
    /// Letters and names; the first is the default.
    pub readings: Vec<(&'static str, &'static str)>,
}

all_readings! {
    /// T1.
    equal_pairings: EqualPairings,
    /// T2.
    game_cap: GameCap,
    /// T3.
    streak: StreakChoice,
    /// T4.
    completion: CompletionMoment,
    /// T5.
    game_order: GameOrder,
    /// T6.
    nobody_left: NobodyLeft,
    /// T7.
    second: SecondPlace,
    /// T8.
    third: ThirdPlaceWins,
    /// T9.
    virtual_draw: VirtualDraw,
    /// T10.
    swiss_bye_points: swiss::ByePoints,
    /// T11.
    second_bye: swiss::SecondBye,
    /// T12, where a group is cut.
    odd_group: swiss::OddGroup,
    /// T12, whether halves change.
    halves: swiss::GroupHalves,
    /// T13.
    swiss_colour: swiss::ColourMeasure,
    /// T14.
    finals_history: FinalsHistory,
    /// T15.
    no_games: NoGames,
    /// T16.
    name_order: NameOrder,
    /// T17.
    opposite_side: OppositeSide,
    /// T18.
    encounter_pairing: encounters::EncounterPairing,
    /// T19.
    resigned_territory: ResignedTerritory,
    /// T20.
    occurrence: Occurrence,
    /// T21.
    round_begins: RoundBegins,
    /// T22.
    ranks: RanksOfRound,
    /// T23.
    setup_time: SetupTime,
    /// T24.
    colour_setter: ColourSetter,
    /// T25.
    resumed_rating: ResumedRating,
    /// T26.
    removed_in_continuation: RemovedInContinuation,
    /// T27.
    stand_in_seed: StandInSeed,
    /// T28.
    final_lots: swiss::FinalLots,
    /// T29.
    games_won_2009: GamesWon2009,
    /// T30.
    three_for_third: ThreeForThird,
    /// T31.
    prize_games: PrizeGames,
    /// T32.
    encounter_bye_points: encounters::ByePoints,
    /// T33.
    unfinished_territory: encounters::UnfinishedTerritory,
    /// Of colours that are arbitrary.
    arbitrary_colour: ArbitraryColour,
}

impl Readings {
    /// The readings of some texts, as an announcement records them: by [`option_key`].
    #[must_use]
    pub fn options(&self, numbers: &[&str]) -> BTreeMap<String, String> {
        let named = |number: &&str| Some((option_key(number), self.get(number)?.to_owned()));
        numbers.iter().filter_map(named).collect()
    }

    /// Those of the qualifier.
    #[must_use]
    pub fn qualifier(&self) -> crate::formats::qualifier::QualifierReadings {
        crate::formats::qualifier::QualifierReadings {
            game_cap: self.game_cap,
            streak: self.streak,
            completion: self.completion,
            game_order: self.game_order,
            colour_setter: self.colour_setter,
            stand_in_seed: self.stand_in_seed,
        }
    }

    /// Those of the finals.
    #[must_use]
    pub fn elimination(&self) -> crate::formats::elimination::EliminationReadings {
        crate::formats::elimination::EliminationReadings {
            second: self.second,
            third: self.third,
            virtual_draw: self.virtual_draw,
            history: self.finals_history,
            no_games: self.no_games,
        }
    }

    /// Those of the Swiss of 2009.
    #[must_use]
    pub fn swiss(&self) -> swiss::SwissReadings {
        swiss::SwissReadings {
            bye_points: self.swiss_bye_points,
            second_bye: self.second_bye,
            odd_group: self.odd_group,
            halves: self.halves,
            colour: self.swiss_colour,
            final_lots: self.final_lots,
        }
    }

    /// Those of the ring.
    #[must_use]
    pub fn ring(&self) -> crate::formats::ring::RingReadings {
        crate::formats::ring::RingReadings { name_order: self.name_order, opposite_side: self.opposite_side }
    }

    /// Those of the Olympiad.
    #[must_use]
    pub fn olympiad(&self) -> encounters::OlympiadReadings {
        encounters::OlympiadReadings {
            pairing: self.encounter_pairing,
            bye_points: self.encounter_bye_points,
            territory: self.unfinished_territory,
        }
    }

    /// Those of technical rulings.
    #[must_use]
    pub fn rulings(&self) -> crate::rulings::RulingReadings {
        crate::rulings::RulingReadings {
            round_begins: self.round_begins,
            resumed_rating: self.resumed_rating,
        }
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
