//! A rulebook as a value: who may enter, by when, at what price; the stages with their formats and time controls; how the
//! director is bound; what prizes rest on; and, for every rule, its name, its paragraph and what it says. Nothing here
//! computes: formats and judgements read these values.
//!
//! Four rulebooks are known, each in a file of its own. What a rulebook does not list is no rule of it: a judgement asks
//! for the rule by its name, and where there is none, nothing is asked of the event.

/// The rules of a rulebook in order: under each paragraph of the source, the rules with what they say.
macro_rules! rules {
    ($($paragraph:literal { $($id:ident $says:literal)* })*) => {
        &[$($(Rule { id: $crate::rulebook::RuleId::$id, paragraph: $paragraph, says: $says },)*)*]
    };
}

mod olympiad_2000;
mod postal_2006;
mod readings;
mod rule_id;
mod wc_2009;
mod wcc_2015;

use annals_events::tournament::{Announced, Fees, Ground, Stage};
use annals_events::{GameKind, Micros, PlayerKind};
use serde::Serialize;

pub use readings::{
    ArbitraryColour, EqualPairings, GamesWon2009, NobodyLeft, Occurrence, PrizeGames, RanksOfRound,
    ReadingError, Readings, RegisterEntry, RemovedInContinuation, ResignedTerritory, SetupTime,
    ThreeForThird, option_key,
};
pub use rule_id::RuleId;

use crate::formats::elimination::Rules;

/// One minute, in microseconds.
pub const MINUTE: Micros = 60 * 1_000_000;
/// One hour.
pub const HOUR: Micros = 60 * MINUTE;
/// One day.
pub const DAY: Micros = 24 * HOUR;

/// A rule: its name within the rulebook, the paragraph of the source, and what it says, in our words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Rule {
    #[serde(rename = "name")]
    pub id: RuleId,
    /// Such as `2015 WCC, Registration`.
    pub paragraph: &'static str,
    pub says: &'static str,
}

impl Rule {
    /// The rule as the ground of a decision.
    #[must_use]
    pub fn ground(&self, finding: Option<String>) -> Ground {
        Ground { rule: self.id.name().to_owned(), paragraph: Some(self.paragraph.to_owned()), finding }
    }
}

/// How a stage is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Games against a stable of benchmark players (2015 WCC, Qualifying).
    Qualifier {
        /// The most games against one benchmark that count.
        games_per_benchmark: u32,
        /// The most points against one benchmark.
        points_per_benchmark: u32,
    },
    /// A Swiss paired by a walk down the list (2009 WC, Preliminary).
    Swiss,
    /// A floating elimination (2015 WCC and 2009 WC, Tournament format).
    Elimination(Rules),
    /// The elimination played on for second place (2015 WCC, Tournament format).
    Continuation,
    /// Single games for second or third place (2009 WC, Tournament format).
    Playoff,
    /// All games at once, between neighbours on the ring of ratings or everyone (2006 Postal).
    Ring,
    /// Encounters of two games, everyone against everyone or five rounds of Swiss (Olympiad 2000).
    Encounters,
}

/// A stage of a rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageRules {
    pub stage: Stage,
    pub format: Format,
    /// The time control; none where the text leaves it to be fixed.
    pub time_control: Option<&'static str>,
    /// How many go on from it.
    pub places: Option<u32>,
    /// Whether it is played only if it is needed.
    pub if_needed: bool,
}

/// What prizes rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Prizes {
    /// The fund is divided by the number of games, and each game's share goes to its winner (2015 WCC, Prizes).
    PerGameWon,
    /// The fees are shared in proportion to points (2006 Postal, Prize Distribution).
    ByPoints,
    /// The rulebook divides no fund.
    None,
}

/// A rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rulebook {
    /// The name by which an announcement calls it, e.g. `wcc-2015`.
    pub name: &'static str,
    /// The edition: a changed reading of the same text is a new one.
    pub edition: u32,
    pub title: &'static str,
    /// The game that is played.
    pub game: GameKind,
    pub players: &'static [PlayerKind],
    pub stages: Vec<StageRules>,
    /// What it costs to enter; none where the rulebook names no price.
    pub fees: Option<Fees>,
    /// The currency of all amounts.
    pub currency: Option<&'static str>,
    /// The series that bans speak of.
    pub series: Option<&'static str>,
    /// The title of the winner.
    pub title_won: Option<&'static str>,
    /// How many of the first finishers go on to another event.
    pub contenders: u32,
    pub prizes: Prizes,
    /// How late a player may come to a scheduled game.
    pub lateness: Option<Micros>,
    /// How long players have to say when they can play, once they are told of their opponent.
    pub availability_within: Option<Micros>,
    /// How long an invited player has.
    pub invitation: Option<Micros>,
    /// How long an automated change of a program may run.
    pub program_run: Option<Micros>,
    /// The highest price of the machine that a program runs on, in cents.
    pub hardware_price: Option<u64>,
    /// How fast a player's machine may be, in thousandths of the specified one.
    pub hardware_speed: Option<u64>,
    /// How long a ban for breaking the rules of the qualifier stands, in years.
    pub ban_years: Option<u32>,
    pub rules: &'static [Rule],
    /// The numbers of the ambiguous texts that this rulebook has.
    pub ambiguous: &'static [&'static str],
    pub readings: Readings,
}

/// Why an announcement names no rulebook that can be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulebookError {
    #[error("`{name}` is no rulebook that Annals knows, so nothing can be judged by it. Known: {known}")]
    Unknown { name: String, known: String },
    /// An edition that is not known.
    #[error(
        "edition {edition} of `{name}` is not known: this program has edition {known}. Use a newer program"
    )]
    Edition { name: &'static str, edition: u32, known: u32 },
    #[error("the announcement's option `{name}`: {source}")]
    Reading {
        name: String,
        /// What is wrong with it.
        source: ReadingError,
    },
}

impl Rulebook {
    /// All rulebooks, with the default readings.
    #[must_use]
    pub fn all() -> Vec<Rulebook> {
        vec![wcc_2015::rulebook(), wc_2009::rulebook(), postal_2006::rulebook(), olympiad_2000::rulebook()]
    }

    /// A rulebook by its name, with the default readings.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn named(name: &str) -> Result<Rulebook, RulebookError> {
        let all = Rulebook::all();
        let known: Vec<&str> = all.iter().map(|rulebook| rulebook.name).collect();
        let known = known.join(", ");
        all.into_iter()
            .find(|rulebook| rulebook.name == name)
            .ok_or_else(|| RulebookError::Unknown { name: name.chars().take(80).collect(), known })
    }

    /// The rulebook of a tournament as it was announced, with the readings recorded there. A text that the announcement
    /// does not mention is read by default.
    ///
    /// # Errors
    /// When the name, the edition or a reading is not known.
    pub fn of(announced: &Announced) -> Result<Rulebook, RulebookError> {
        let mut rulebook = Rulebook::named(&announced.rulebook)?;
        if announced.edition != rulebook.edition {
            return Err(RulebookError::Edition {
                name: rulebook.name,
                edition: announced.edition,
                known: rulebook.edition,
            });
        }
        for (name, value) in &announced.options {
            rulebook
                .read(name, value)
                .map_err(|source| RulebookError::Reading { name: name.clone(), source })?;
        }
        Ok(rulebook)
    }

    /// Reads one of its ambiguous texts otherwise; takes the letter or the name. The number may be written `T7`, or `t7`
    /// as an announcement records it.
    ///
    /// # Errors
    /// When the text is none of this rulebook's, or there is no such reading.
    pub fn read(&mut self, number: &str, value: &str) -> Result<(), ReadingError> {
        let Some(number) = self.ambiguous.iter().find(|known| option_key(known) == option_key(number)) else {
            return Err(ReadingError::NoSuchReading {
                name: number.chars().take(80).collect(),
                known: self.ambiguous.join(", "),
            });
        };
        self.readings.set(number, value)
    }

    /// A rule; none where the rulebook has no such rule.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> Option<Rule> {
        self.rules.iter().copied().find(|rule| rule.id == id)
    }

    /// The paragraph of a rule; empty where the rulebook has no such rule.
    #[must_use]
    pub fn paragraph(&self, id: RuleId) -> String {
        self.rule(id).map_or_else(String::new, |rule| rule.paragraph.to_owned())
    }

    /// A rule by its dotted name; none where the rulebook has no such rule.
    #[must_use]
    pub fn rule_named(&self, name: &str) -> Option<Rule> {
        self.rules.iter().copied().find(|rule| rule.id.name() == name)
    }

    /// The rules of a stage.
    #[must_use]
    pub fn stage(&self, stage: Stage) -> Option<&StageRules> {
        self.stages.iter().find(|rules| rules.stage == stage)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rulebook_has_its_rules_once_each_with_a_paragraph() {
        let all = Rulebook::all();
        assert_eq!(all.len(), 4);
        for rulebook in all {
            let mut names = BTreeSet::new();
            for rule in rulebook.rules {
                assert!(names.insert(rule.id), "{}: {} twice", rulebook.name, rule.id);
                assert!(
                    !rule.paragraph.is_empty() && rule.says.ends_with('.'),
                    "{}: {rule:?}",
                    rulebook.name
                );
            }
            for number in rulebook.ambiguous {
                assert!(rulebook.readings.get(number).is_some(), "{}: {number}", rulebook.name);
            }
            assert_eq!(Rulebook::named(rulebook.name), Ok(rulebook));
        }
    }
}
