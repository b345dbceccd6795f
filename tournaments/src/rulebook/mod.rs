//! A rulebook as a value: entry conditions, dates, prices, stages with formats and time controls, prizes, and
//! every rule with name, paragraph and text. Formats and checks read these values. Four rulebooks are known,
//! each in its own file. A rule that a rulebook lacks is not checked.

/// The rules of a rulebook in order, each with paragraph and text.
macro_rules! rules {
    ($source:literal: $($id:ident $paragraph:literal $says:literal)*) => {
        &[$(Rule {
            id: $crate::rulebook::RuleId::$id,
            paragraph: concat!($source, ", ", $paragraph),
            says: $says,
        },)*]
    };
}

mod in_force;
mod olympiad_2000;
mod options;
mod postal_2006;
mod readings;
mod rule_id;
mod value;
mod wc_2009;
mod wcc_2015;

use annals_events::tournament::Announced;

pub use in_force::{ReadingFrom, ReadingInForce, rulebook_in_force};
pub use options::{FINALISTS, PIECE_POINTS};
pub use readings::{
    AcceptedColours, ArbitraryColour, EarlierResults, EarlyScore, EqualPairings, GamesOfTheFund,
    HardwareReference, LimitOfGame, NoPlayerLeft, PenaltiesInFund, PrizeGames, ReadingError, Readings,
    RefundLost, RegisterEntry, ResignedTerritory, SINCE_EDITION_2, SetupTime, ThreeForThird, option_key,
};
pub use rule_id::RuleId;
pub use value::{Format, Prizes, Rule, Rulebook, StageRules};

use crate::formats::elimination::GamesWon;
pub use crate::state::calendar::{DAY, HOUR, MINUTE};

/// Texts that concern one rule only, which edition 1 lacks.
const RULES_OF_TEXTS: [(&str, RuleId); 3] =
    [("T44", RuleId::GameScore), (PIECE_POINTS, RuleId::GameScore), ("T45", RuleId::GameLimit)];

/// The latest edition.
const EDITION: u32 = 2;

type Edition = fn(u32) -> Rulebook;

const KNOWN: [(&str, Edition); 4] = [
    ("wcc-2015", wcc_2015::rulebook),
    ("wc-2009", wc_2009::rulebook),
    ("postal-2006", postal_2006::rulebook),
    ("olympiad-amazons-2000", olympiad_2000::rulebook),
];

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulebookError {
    #[error("`{name}` is not a valid rulebook; expected one of {known}")]
    Unknown { name: String, known: String },
    #[error(
        "edition {edition} of `{name}` is not known: this program has edition {known}. Use a newer program"
    )]
    Edition { name: &'static str, edition: u32, known: u32 },
    #[error("the announcement's option `{name}`: {source}")]
    Reading { name: String, source: ReadingError },
}

impl Rulebook {
    /// In the latest edition with default readings.
    pub fn all() -> Vec<Rulebook> {
        KNOWN.iter().map(|(_, rulebook)| rulebook(EDITION)).collect()
    }

    /// In the latest edition with default readings.
    ///
    /// # Errors
    /// If the name is unknown.
    pub fn named(name: &str) -> Result<Rulebook, RulebookError> {
        Rulebook::edition(name, EDITION)
    }

    /// With the default readings of that edition.
    ///
    /// # Errors
    /// If the name or edition is unknown.
    pub fn edition(name: &str, edition: u32) -> Result<Rulebook, RulebookError> {
        let Some((name, rulebook)) = KNOWN.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
            let known = known.join(", ");
            return Err(RulebookError::Unknown { name: name.chars().take(80).collect(), known });
        };
        if !(1..=EDITION).contains(&edition) {
            return Err(RulebookError::Edition { name, edition, known: EDITION });
        }
        Ok(rulebook(edition))
    }

    /// The rulebook as announced; an unmentioned text has the default of its edition.
    ///
    /// # Errors
    /// If the name, edition or a reading is unknown.
    pub fn of(announced: &Announced) -> Result<Rulebook, RulebookError> {
        let mut rulebook = Rulebook::edition(&announced.rulebook, announced.edition)?;
        for (name, value) in &announced.options {
            rulebook
                .choose(name, value)
                .map_err(|source| RulebookError::Reading { name: name.clone(), source })?;
        }
        // Edition 1 recorded `final_only` of T29 but counted playoff games.
        let games_won = &mut rulebook.readings.elimination.games_won;
        if rulebook.edition == 1 && *games_won == GamesWon::FinalOnly {
            *games_won = GamesWon::WithPlayoffs;
        }
        Ok(rulebook)
    }

    /// As [`Rulebook::choose`], for a comparison: a rule that came with a later edition is checked too.
    ///
    /// # Errors
    /// As [`Rulebook::choose`].
    pub fn choose_with_its_rule(&mut self, number: &str, value: &str) -> Result<(), ReadingError> {
        let key = option_key(number);
        let of_the_text = RULES_OF_TEXTS.iter().find(|(text, _)| option_key(text) == key);
        if let Some(&(_, id)) = of_the_text.filter(|(_, id)| self.rule(*id).is_none()) {
            self.rules.extend(Rulebook::named(self.name).ok().and_then(|latest| latest.rule(id)));
        }
        self.choose(number, value)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_edition_that_is_not_known_is_refused() {
        for edition in [0, EDITION + 1, u32::MAX] {
            let error = Rulebook::edition("wcc-2015", edition).unwrap_err();
            assert_eq!(error, RulebookError::Edition { name: "wcc-2015", edition, known: EDITION });
        }
    }

    #[test]
    fn every_rulebook_has_its_rules_once_each_with_a_paragraph() {
        let all = Rulebook::all();
        assert_eq!(all.len(), 4);
        for rulebook in all {
            let mut names = BTreeSet::new();
            for rule in &rulebook.rules {
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
