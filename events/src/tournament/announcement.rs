//! A tournament's announcement (rulebook, readings, dates, fees, stages), later changes, and close.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::grounds::{Ground, Measure};
use crate::ids::PlayerId;
use crate::time::Micros;
use crate::vocabulary::{GameKind, closed_words};

closed_words! {
    pub enum Stage, "stage" {
        /// Games against benchmark players before the tournament (2015 WCC, Qualifying).
        Qualifier = "qualifier",
        /// A preliminary (2009 Open Classic) or the whole event (Olympiad 2000).
        Swiss = "swiss",
        /// All-play-all.
        RoundRobin = "round_robin",
        /// Neighbours on the ring of ratings (2006 Postal).
        Ring = "ring",
        /// The floating elimination.
        Final = "final",
        /// Continued for second place (2015 WCC, Tournament format).
        Continuation = "continuation",
        /// For second place (2009 Open Classic).
        SecondPlayoff = "second_playoff",
        /// For third place (2009 Open Classic).
        ThirdPlayoff = "third_playoff",
    }
}

impl Stage {
    /// A single game that breaks a tie.
    pub const fn is_playoff(self) -> bool {
        matches!(self, Stage::SecondPlayoff | Stage::ThirdPlayoff)
    }
}

closed_words! {
    /// What opens at a time opens after it; what is due at a time is due before it.
    pub enum Milestone, "milestone" {
        RegistrationOpens = "registration_opens",
        RegistrationCloses = "registration_closes",
        QualifyingOpens = "qualifying_opens",
        QualifyingCloses = "qualifying_closes",
        QualifiersNamed = "qualifiers_named",
        /// Developers' accounts on the tournament's computers.
        AccountsGiven = "accounts_given",
        /// Uploaded and set up.
        ProgramsDue = "programs_due",
        /// Passed.
        TestsDue = "tests_due",
        HardwareDue = "hardware_due",
        PairingPublished = "pairing_published",
        PlayBegins = "play_begins",
        /// Expected.
        PlayEnds = "play_ends",
        /// Of the following challenge match.
        ChallengeEnds = "challenge_ends",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deadline {
    pub milestone: Milestone,
    pub at: Micros,
}

/// In cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fees {
    pub registration: u64,
    /// Paid back to players who play to the end.
    pub refundable: u64,
    /// For breaking the rules of the qualifying phase.
    pub penalty: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagePlan {
    pub stage: Stage,
    /// None without a clock, or to be fixed.
    pub time_control: Option<String>,
    /// If fixed.
    pub rounds: Option<u32>,
    /// Players who advance.
    pub places: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announced {
    /// For display.
    pub name: String,
    /// To which bans apply, e.g. `arimaa-wcc`.
    pub series: Option<String>,
    /// In its name.
    pub year: Option<i32>,
    /// By name, e.g. `wcc-2015`.
    pub rulebook: String,
    /// A changed reading of the same text is a new edition.
    pub edition: u32,
    /// Options and readings by name, all of the rulebook, so that a later default changes nothing.
    pub options: BTreeMap<String, String>,
    pub game: GameKind,
    /// In order.
    pub stages: Vec<StagePlan>,
    pub schedule: Vec<Deadline>,
    /// Of all amounts, e.g. `USD`; none without money.
    pub currency: Option<String>,
    pub fees: Option<Fees>,
    /// Before fees and contributions, in cents.
    pub fund: u64,
    pub directors: Vec<String>,
    pub site: Option<String>,
    /// Of the series; its programs can stand in.
    pub previous: Option<String>,
    pub note: Option<String>,
}

impl Announced {
    /// Only name, rulebook and game.
    pub fn plain(name: impl Into<String>, rulebook: impl Into<String>, game: GameKind) -> Announced {
        Announced {
            name: name.into(),
            series: None,
            year: None,
            rulebook: rulebook.into(),
            edition: 1,
            options: BTreeMap::new(),
            game,
            stages: Vec::new(),
            schedule: Vec::new(),
            currency: None,
            fees: None,
            fund: 0,
            directors: Vec::new(),
            site: None,
            previous: None,
            note: None,
        }
    }
}

/// Dates that are not named remain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleChanged {
    pub schedule: Vec<Deadline>,
    pub reason: String,
}

/// Fixed (2009 Open Classic, Swiss 1: before its start).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundsDeclared {
    pub stage: Stage,
    pub rounds: u32,
    /// Used for it.
    pub players: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

/// In the final order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placing {
    pub player: PlayerId,
    /// From 1; level players share one.
    pub place: u32,
    /// Of the place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// Qualifies for the Challenge (2015 WCC, Overview).
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub contender: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    /// Best first.
    pub places: Vec<Placing>,
    /// In cents.
    pub fund_left: Option<u64>,
    pub note: Option<String>,
}
