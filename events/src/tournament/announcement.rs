//! The beginning and the end of a tournament: what was announced (rulebook, readings, dates, fees, stages), what was
//! fixed later, and the final order at its close.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::grounds::{Ground, Measure};
use crate::ids::PlayerId;
use crate::time::Micros;
use crate::vocabulary::{GameKind, closed_words};

closed_words! {
    pub enum Stage, "stage" {
        /// Games against benchmark players, before the tournament proper (2015 WCC, Qualifying).
        Qualifier = "qualifier",
        /// A Swiss system: a preliminary (2009 Open Classic) or the whole event (Olympiad 2000).
        Swiss = "swiss",
        /// Everyone against everyone.
        RoundRobin = "round_robin",
        /// Neighbours on the ring of ratings (2006 Postal).
        Ring = "ring",
        /// The floating elimination that finds the champion.
        Final = "final",
        /// The final played on for second place (2015 WCC, Tournament format).
        Continuation = "continuation",
        /// A playoff for second place (2009 Open Classic).
        SecondPlayoff = "second_playoff",
        /// A playoff for third place (2009 Open Classic).
        ThirdPlayoff = "third_playoff",
    }
}

impl Stage {
    /// Whether it is a single game that breaks a tie.
    pub const fn is_playoff(self) -> bool {
        matches!(self, Stage::SecondPlayoff | Stage::ThirdPlayoff)
    }
}

closed_words! {
    /// A date of the schedule. What opens at a time opens after it; what is due at a time is due before it.
    pub enum Milestone, "milestone" {
        RegistrationOpens = "registration_opens",
        RegistrationCloses = "registration_closes",
        /// Qualifying games may start.
        QualifyingOpens = "qualifying_opens",
        /// Qualifying games must be over.
        QualifyingCloses = "qualifying_closes",
        /// The order of the qualifier is published.
        QualifiersNamed = "qualifiers_named",
        /// Developers get their accounts on the tournament's computers.
        AccountsGiven = "accounts_given",
        /// Programs must be uploaded and set up.
        ProgramsDue = "programs_due",
        /// Programs must have passed the organiser's test.
        TestsDue = "tests_due",
        /// Hardware must be declared.
        HardwareDue = "hardware_due",
        /// The first pairing is published.
        PairingPublished = "pairing_published",
        PlayBegins = "play_begins",
        /// Play is expected to end.
        PlayEnds = "play_ends",
        /// The challenge match that follows is over.
        ChallengeEnds = "challenge_ends",
    }
}

/// A date of the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deadline {
    /// What happens then.
    pub milestone: Milestone,
    pub at: Micros,
}

/// What it costs to enter, in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fees {
    pub registration: u64,
    /// The part of it that is paid back to those who play to the end.
    pub refundable: u64,
    /// The penalty for breaking the rules of the qualifying phase.
    pub penalty: u64,
}

/// One stage as announced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagePlan {
    pub stage: Stage,
    /// Its time control; none where the games have no clock or it is still to be fixed.
    pub time_control: Option<String>,
    /// How many rounds, where that is fixed.
    pub rounds: Option<u32>,
    /// How many players go on from it to the next stage.
    pub places: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announced {
    /// The name as it is shown.
    pub name: String,
    /// The series that it belongs to and that bans speak of, e.g. `arimaa-wcc`.
    pub series: Option<String>,
    /// The year that it bears.
    pub year: Option<i32>,
    /// The rulebook by its name, e.g. `wcc-2015`.
    pub rulebook: String,
    /// The edition of that rulebook: a changed reading of the same text is a new edition.
    pub edition: u32,
    /// The options and readings that hold, by name: every one that the rulebook has, so that a later default
    /// changes nothing.
    pub options: BTreeMap<String, String>,
    /// Which game is played.
    pub game: GameKind,
    /// The stages in order.
    pub stages: Vec<StagePlan>,
    /// The dates.
    pub schedule: Vec<Deadline>,
    /// The currency of all amounts, e.g. `USD`; none where no money is involved.
    pub currency: Option<String>,
    /// What it costs to enter.
    pub fees: Option<Fees>,
    /// The prize fund before fees and contributions, in cents.
    pub fund: u64,
    /// Who directs it.
    pub directors: Vec<String>,
    pub site: Option<String>,
    /// The tournament of the series before this one, whose programs can stand in.
    pub previous: Option<String>,
    pub note: Option<String>,
}

impl Announced {
    /// An announcement of which only the name, the rulebook and the game are known.
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

/// Dates were moved; those that are not named stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleChanged {
    /// The new dates.
    pub schedule: Vec<Deadline>,
    pub reason: String,
}

/// The number of rounds of a stage was fixed (2009 Open Classic, Swiss 1: before its start).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundsDeclared {
    pub stage: Stage,
    pub rounds: u32,
    /// How many players that rests on.
    pub players: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

/// One player's place in the final order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placing {
    pub player: PlayerId,
    /// The place, from 1; players level on everything share one.
    pub place: u32,
    /// What the place rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
    /// The titles won.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// Whether the player goes on to the Challenge (2015 WCC, Overview).
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub contender: bool,
}

/// The tournament is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    /// The final order, best first.
    pub places: Vec<Placing>,
    /// What is left of the prize fund, in cents.
    pub fund_left: Option<u64>,
    pub note: Option<String>,
}
