//! The parts of a rulebook, and what follows from them.

use annals_events::tournament::{Deadline, Fees, Ground, Milestone, Stage};
use annals_events::{GameKind, Micros, PlayerKind};
use annals_rules::scoring::PiecePoints;
use serde::Serialize;

use super::readings::{
    EarlyScore, LimitOfGame, RECORDED_IF_CHOSEN, ReadingError, Readings, SINCE_EDITION_2, option_key,
};
use super::rule_id::RuleId;
use crate::formats::elimination::Rules;
use crate::state::calendar::moment;

/// A time in Eastern Standard Time, as in the sources of 2009 and 2015.
pub(super) const fn eastern(year: i64, month: i64, day: i64, hour: i64) -> Micros {
    moment(year, month, day, hour + 5, 0)
}

/// A rule: name, paragraph of the source, paraphrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Rule {
    #[serde(rename = "name")]
    pub id: RuleId,
    /// For example `2015 WCC, Registration`.
    pub paragraph: &'static str,
    pub says: &'static str,
}

impl Rule {
    pub fn ground(&self, finding: Option<String>) -> Ground {
        Ground { rule: self.id.name().to_owned(), paragraph: Some(self.paragraph.to_owned()), finding }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Games against benchmark programs (2015 WCC, Qualifying).
    Qualifier { games_per_benchmark: u32, points_per_benchmark: u32 },
    /// A Swiss paired by a walk down the list (2009 WC, Preliminary).
    Swiss,
    /// A floating elimination (2015 WCC and 2009 WC, Tournament format).
    Elimination(Rules),
    /// The elimination continued for second place (2015 WCC, Tournament format).
    Continuation,
    /// Single games for second or third place (2009 WC, Tournament format).
    Playoff,
    /// All games at once: neighbours on the ring of ratings, or all-play-all (2006 Postal).
    Ring,
    /// Encounters of two games: all-play-all or a Swiss of five rounds (Olympiad 2000).
    Encounters,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageRules {
    pub stage: Stage,
    pub format: Format,
    /// None if the text leaves it to be fixed.
    pub time_control: Option<&'static str>,
    /// How many advance.
    pub places: Option<u32>,
    /// Played only if needed.
    pub if_needed: bool,
}

impl StageRules {
    /// A stage that is always played, with no players advancing and the time control to be fixed.
    pub(super) const fn of(stage: Stage, format: Format) -> StageRules {
        StageRules { stage, format, time_control: None, places: None, if_needed: false }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Prizes {
    /// The fund divided by the number of games; each share goes to the winner (2015 WCC, Prizes).
    PerGameWon,
    /// The fees in proportion to points (2006 Postal, Prize Distribution).
    ByPoints,
    /// No fund.
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rulebook {
    /// Used by announcements, e.g. `wcc-2015`.
    pub name: &'static str,
    /// Edition 1 lacks the rules and reading defaults that edition 2 added; a tournament is checked by its
    /// announced edition.
    pub edition: u32,
    pub title: &'static str,
    pub game: GameKind,
    pub players: &'static [PlayerKind],
    pub stages: Vec<StageRules>,
    /// None if the rulebook has no price.
    pub fees: Option<Fees>,
    pub currency: Option<&'static str>,
    /// To which bans apply.
    pub series: Option<&'static str>,
    pub title_won: Option<&'static str>,
    /// How many finishers qualify for another event.
    pub contenders: u32,
    pub prizes: Prizes,
    /// How late a player may be for a scheduled game.
    pub lateness: Option<Micros>,
    /// Time to state availability after the notice of the opponent.
    pub availability_within: Option<Micros>,
    /// Time for an invited player.
    pub invitation: Option<Micros>,
    /// Longest automated change of a program.
    pub program_run: Option<Micros>,
    /// Highest price of the machine of a program, in cents.
    pub hardware_price: Option<u64>,
    /// Speed limit of a player's machine, in thousandths of the specified one.
    pub hardware_speed: Option<u64>,
    /// Years of a ban for breaking the qualifier's rules.
    pub ban_years: Option<u32>,
    /// The source's dates. A day without an hour is due at its end, and begins at its beginning.
    pub published: &'static [(Milestone, Micros)],
    pub rules: Vec<Rule>,
    /// The numbers of its ambiguous texts.
    pub ambiguous: &'static [&'static str],
    pub readings: Readings,
    /// Announced piece points for the score before July 2008.
    #[serde(skip)]
    pub piece_points: Option<PiecePoints>,
    /// The announced number of finalists, if it differs from the text.
    #[serde(skip)]
    pub(super) finalists: Option<u32>,
    /// The record has games only; possible for imports.
    #[serde(skip)]
    pub games_only: bool,
}

impl Rulebook {
    /// A rulebook without stage, price, prize, date or limit. `rules` are those of edition 1, then those
    /// added by each later one.
    pub(super) fn plain(
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

    /// Sets the reading of an ambiguous text, by letter or name. The number is `T7`, or `t7` as in
    /// announcements.
    ///
    /// # Errors
    /// If the rulebook has no such text or reading.
    pub fn read(&mut self, number: &str, value: &str) -> Result<(), ReadingError> {
        let Some(number) = self.ambiguous.iter().find(|known| option_key(known) == option_key(number)) else {
            return Err(ReadingError::NoSuchReading {
                name: number.chars().take(80).collect(),
                rulebook: Some(self.name),
                known: self.ambiguous.join(", "),
            });
        };
        self.readings.set(number, value)
    }

    /// Whether a game ends by score when it reaches its limit.
    pub fn checks_limit(&self) -> bool {
        self.rule(RuleId::GameLimit).is_some() && self.readings.game_limit == LimitOfGame::Checked
    }

    /// Piece points for a game at its limit before July 2008, if read so.
    pub fn points_in_force(&self) -> Option<PiecePoints> {
        self.piece_points.filter(|_| self.readings.early_score == EarlyScore::PiecePoints)
    }

    /// T44 is read by piece points, but none are announced.
    pub(crate) fn lacks_points(&self) -> bool {
        self.readings.early_score == EarlyScore::PiecePoints && self.piece_points.is_none()
    }

    /// The texts whose readings an announcement of this edition records.
    pub fn recorded(&self) -> Vec<&'static str> {
        let recorded = |number: &&&str| {
            let of_edition = self.edition > 1 || !SINCE_EDITION_2.contains(*number);
            of_edition && !RECORDED_IF_CHOSEN.contains(*number)
        };
        self.ambiguous.iter().filter(recorded).copied().collect()
    }

    pub fn rule(&self, id: RuleId) -> Option<Rule> {
        self.rules.iter().copied().find(|rule| rule.id == id)
    }

    /// A rule as the ground of a decision with its finding.
    pub(crate) fn ground(&self, id: RuleId, finding: impl Into<String>) -> Option<Ground> {
        self.rule(id).map(|rule| rule.ground(Some(finding.into())))
    }

    /// The grounds among `ids` that the rulebook has.
    pub(crate) fn grounds(&self, ids: &[RuleId]) -> Vec<Ground> {
        ids.iter().filter_map(|id| self.rule(*id)).map(|rule| rule.ground(None)).collect()
    }

    /// Empty if the rulebook lacks the rule.
    pub fn paragraph(&self, id: RuleId) -> String {
        self.rule(id).map_or_else(String::new, |rule| rule.paragraph.to_owned())
    }

    pub fn rule_named(&self, name: &str) -> Option<Rule> {
        self.rules.iter().copied().find(|rule| rule.id.name() == name)
    }

    /// The source's schedule for its own year.
    pub fn published_schedule(&self) -> Vec<Deadline> {
        self.published.iter().map(|&(milestone, at)| Deadline { milestone, at }).collect()
    }

    pub fn stage(&self, stage: Stage) -> Option<&StageRules> {
        self.stages.iter().find(|rules| rules.stage == stage)
    }
}
