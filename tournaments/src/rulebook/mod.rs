//! A rulebook as a value: who may enter, by when, at what price; the stages with their formats and time controls; how the
//! director is bound; what prizes rest on; and, for every rule, its name, its paragraph and what it says. Nothing here
//! computes: formats and checks read these values.
//!
//! Four rulebooks are known, each in a file of its own. What a rulebook does not list is no rule of it, and is not checked.

/// The rules of a rulebook in order, each with its paragraph of the source and what it says.
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
mod wc_2009;
mod wcc_2015;

use annals_events::tournament::{Announced, Deadline, Fees, Ground, Milestone, Stage};
use annals_events::{GameKind, Micros, PlayerKind};
use annals_rules::scoring::PiecePoints;
use serde::Serialize;

pub use in_force::{ReadingFrom, ReadingInForce};
pub use options::{FINALISTS, PIECE_POINTS};
pub use readings::{
    AcceptedColours, ArbitraryColour, EarlyScore, EqualPairings, GamesOfTheFund, HardwareReference,
    LimitOfGame, NobodyLeft, PenaltiesInFund, PrizeGames, ReadingError, Readings, RefundLost, RegisterEntry,
    ResignedTerritory, SINCE_EDITION_2, SetupTime, ThreeForThird, option_key,
};
pub use rule_id::RuleId;

use crate::formats::elimination::{GamesWon, Rules};
use crate::state::Tournament;
use crate::state::calendar::moment;

/// The texts that concern one rule only, which edition 1 lacks.
const RULES_OF_TEXTS: [(&str, RuleId); 3] =
    [("T44", RuleId::GameScore), (PIECE_POINTS, RuleId::GameScore), ("T45", RuleId::GameLimit)];

/// The latest edition of every rulebook.
const EDITION: u32 = 2;

/// Makes a rulebook in an edition.
type Edition = fn(u32) -> Rulebook;

/// The rulebooks by name.
const KNOWN: [(&str, Edition); 4] = [
    ("wcc-2015", wcc_2015::rulebook),
    ("wc-2009", wc_2009::rulebook),
    ("postal-2006", postal_2006::rulebook),
    ("olympiad-amazons-2000", olympiad_2000::rulebook),
];

/// One minute, in microseconds.
pub const MINUTE: Micros = 60 * 1_000_000;
pub const HOUR: Micros = 60 * MINUTE;
pub const DAY: Micros = 24 * HOUR;

/// A moment in Eastern Standard Time, in which the sources of 2009 and 2015 give their hours.
const fn eastern(year: i64, month: i64, day: i64, hour: i64) -> Micros {
    moment(year, month, day, hour + 5, 0)
}

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

impl StageRules {
    /// A stage that is always played, from which no player goes on. Its time control is left to be fixed.
    const fn of(stage: Stage, format: Format) -> StageRules {
        StageRules { stage, format, time_control: None, places: None, if_needed: false }
    }
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rulebook {
    /// The name by which an announcement calls it, e.g. `wcc-2015`.
    pub name: &'static str,
    /// The edition. Edition 1 lacks the rules and reads the texts otherwise that edition 2 added; what was announced under
    /// it is checked by it.
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
    /// How long a ban for breaking the rules of the qualifier is in force, in years.
    pub ban_years: Option<u32>,
    /// The dates that the source publishes for its own year. Of a day without an hour, what is due then is due by its end, and
    /// what begins then begins with it.
    pub published: &'static [(Milestone, Micros)],
    pub rules: Vec<Rule>,
    /// The numbers of the ambiguous texts that this rulebook has.
    pub ambiguous: &'static [&'static str],
    pub readings: Readings,
    /// The points of the pieces that the announcement states for the score before July 2008.
    #[serde(skip)]
    pub piece_points: Option<PiecePoints>,
    /// How many go on to the final, where the announcement chooses another number than the text.
    #[serde(skip)]
    finalists: Option<u32>,
    /// Whether the record is known to hold games and nothing else; only that of an import can.
    #[serde(skip)]
    pub games_only: bool,
}

/// Why an announcement names no rulebook that can be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulebookError {
    #[error("`{name}` is no rulebook that Annals knows, so nothing can be checked by it. Known: {known}")]
    Unknown { name: String, known: String },
    /// An edition that is not known.
    #[error(
        "edition {edition} of `{name}` is not known: this program has edition {known}. Use a newer program"
    )]
    Edition { name: &'static str, edition: u32, known: u32 },
    #[error("the announcement's option `{name}`: {source}")]
    Reading { name: String, source: ReadingError },
}

impl Rulebook {
    /// A rulebook that names no stage, price, prize, date or limit. `rules` are those of edition 1, then those that each later
    /// edition added.
    fn plain(
        name: &'static str,
        edition: u32,
        title: &'static str,
        game: GameKind,
        players: &'static [PlayerKind],
        rules: &[&[Rule]],
    ) -> Rulebook {
        let checked = rules.iter().zip(1..=edition).flat_map(|(added, _)| added.iter().copied());
        Rulebook {
            name,
            edition,
            title,
            game,
            players,
            stages: Vec::new(),
            fees: None,
            currency: None,
            series: None,
            title_won: None,
            contenders: 0,
            prizes: Prizes::None,
            lateness: None,
            availability_within: None,
            invitation: None,
            program_run: None,
            hardware_price: None,
            hardware_speed: None,
            ban_years: None,
            published: &[],
            rules: checked.collect(),
            ambiguous: &[],
            piece_points: None,
            readings: Readings::of_edition(edition),
            finalists: None,
            games_only: false,
        }
    }

    /// All rulebooks in their latest edition, with its default readings.
    pub fn all() -> Vec<Rulebook> {
        KNOWN.iter().map(|(_, rulebook)| rulebook(EDITION)).collect()
    }

    /// A rulebook by its name in its latest edition, with its default readings.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn named(name: &str) -> Result<Rulebook, RulebookError> {
        Rulebook::edition(name, EDITION)
    }

    /// A rulebook by its name and edition, with the default readings of that edition.
    ///
    /// # Errors
    /// When there is none of that name or edition.
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

    /// The rulebook of a tournament as it was announced, with the readings recorded there. A text that the announcement
    /// does not mention is read by the default of its edition.
    ///
    /// # Errors
    /// When the name, the edition or a reading is not known.
    pub fn of(announced: &Announced) -> Result<Rulebook, RulebookError> {
        let mut rulebook = Rulebook::edition(&announced.rulebook, announced.edition)?;
        for (name, value) in &announced.options {
            rulebook
                .choose(name, value)
                .map_err(|source| RulebookError::Reading { name: name.clone(), source })?;
        }
        // Edition 1 recorded `final_only` of T29 and counted playoff games.
        let games_won = &mut rulebook.readings.elimination.games_won;
        if rulebook.edition == 1 && *games_won == GamesWon::FinalOnly {
            *games_won = GamesWon::WithPlayoffs;
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

    /// As [`Rulebook::choose`], for a comparison: where the rule that the text belongs to came with a later edition, it is checked too.
    ///
    /// # Errors
    /// As those of [`Rulebook::choose`].
    pub fn choose_with_its_rule(&mut self, number: &str, value: &str) -> Result<(), ReadingError> {
        let key = option_key(number);
        let of_the_text = RULES_OF_TEXTS.iter().find(|(text, _)| option_key(text) == key);
        if let Some(&(_, id)) = of_the_text.filter(|(_, id)| self.rule(*id).is_none()) {
            self.rules.extend(Rulebook::named(self.name).ok().and_then(|latest| latest.rule(id)));
        }
        self.choose(number, value)
    }

    /// Whether a game ends by score at the instant when it reaches its limit.
    pub fn checks_limit(&self) -> bool {
        self.rule(RuleId::GameLimit).is_some() && self.readings.game_limit == LimitOfGame::Checked
    }

    /// The points of the pieces that decide a game that reached its limit before July 2008, where they are read so.
    pub fn points_in_force(&self) -> Option<PiecePoints> {
        self.piece_points.filter(|_| self.readings.early_score == EarlyScore::PiecePoints)
    }

    /// Whether T44 is read by piece points, and none are stated.
    pub(crate) fn lacks_points(&self) -> bool {
        self.readings.early_score == EarlyScore::PiecePoints && self.piece_points.is_none()
    }

    /// The numbers of the ambiguous texts whose reading an announcement of this edition records.
    pub fn recorded(&self) -> Vec<&'static str> {
        let recorded = |number: &&&str| self.edition > 1 || !SINCE_EDITION_2.contains(*number);
        self.ambiguous.iter().filter(recorded).copied().collect()
    }

    /// A rule; none where the rulebook has no such rule.
    pub fn rule(&self, id: RuleId) -> Option<Rule> {
        self.rules.iter().copied().find(|rule| rule.id == id)
    }

    /// A rule as the ground of a decision, with what it found; none where the rulebook has no such rule.
    pub(crate) fn ground(&self, id: RuleId, finding: impl Into<String>) -> Option<Ground> {
        self.rule(id).map(|rule| rule.ground(Some(finding.into())))
    }

    /// Those of some rules that the rulebook has, as the grounds of a decision.
    pub(crate) fn grounds(&self, ids: &[RuleId]) -> Vec<Ground> {
        ids.iter().filter_map(|id| self.rule(*id)).map(|rule| rule.ground(None)).collect()
    }

    /// The paragraph of a rule; empty where the rulebook has no such rule.
    pub fn paragraph(&self, id: RuleId) -> String {
        self.rule(id).map_or_else(String::new, |rule| rule.paragraph.to_owned())
    }

    /// A rule by its dotted name; none where the rulebook has no such rule.
    pub fn rule_named(&self, name: &str) -> Option<Rule> {
        self.rules.iter().copied().find(|rule| rule.id.name() == name)
    }

    /// The schedule that the source publishes for its own year; empty where it publishes none.
    pub fn published_schedule(&self) -> Vec<Deadline> {
        self.published.iter().map(|&(milestone, at)| Deadline { milestone, at }).collect()
    }

    pub fn stage(&self, stage: Stage) -> Option<&StageRules> {
        self.stages.iter().find(|rules| rules.stage == stage)
    }
}

/// The rulebook of a tournament with the readings that hold now, those that a ruling changed among them. None where
/// the tournament is not announced, or by a rulebook that this program does not know: then nothing is checked.
///
/// # Errors
/// When the rulebook is known, but not in that edition or not with those readings.
pub fn rulebook_in_force(tournament: &Tournament) -> Result<Option<Rulebook>, RulebookError> {
    let Some(announced) = &tournament.announced else { return Ok(None) };
    let mut rulebook = match Rulebook::of(announced) {
        Ok(rulebook) => rulebook,
        Err(RulebookError::Unknown { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    for (number, reading) in &tournament.readings_ruled {
        // A ruling that names no reading changes none; the check of that ruling says so.
        let _ = rulebook.read(number, reading);
    }
    Ok(Some(rulebook))
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
