//! Programs and the hardware under them: what was specified, declared, submitted, tested, changed.
//!
//! A program is known by the digest of what was uploaded (algorithm, colon, hexadecimal digits).

use serde::{Deserialize, Serialize};

use super::grounds::Evidence;
use crate::ids::PlayerId;
use crate::time::Micros;

/// The hardware of the tournament, or the limit for the players' own, was specified (2015 WCC, Hardware and OS;
/// Qualifying).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardwareSpecified {
    /// The machine on which the games are played, or against which others are measured.
    pub hardware: String,
    /// Its operating system.
    pub system: Option<String>,
    /// The highest price that is allowed, in cents.
    pub price_limit: Option<u64>,
    /// How fast a player's machine may be, in thousandths of the machine above (5000: five times).
    pub speed_limit: Option<u64>,
}

/// The machine of the challenge match of the previous year, with which the machines of the qualifier are compared (2015 WCC,
/// Qualifying).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceHardwareRecorded {
    /// The machine.
    pub hardware: String,
    /// Its operating system.
    pub system: Option<String>,
    /// The year of that challenge match.
    pub year: Option<i32>,
    pub note: Option<String>,
}

/// The computer on which a program plays a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub player: PlayerId,
    /// The kind of machine.
    pub hardware: String,
    /// Its operating system.
    pub system: Option<String>,
    /// The name of that one computer.
    pub computer: Option<String>,
}

/// Programs of a round were given their computers (2015 WCC, Tournament format).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachinesAssigned {
    pub round: u32,
    /// The computers; a later event replaces those of the players that it names.
    pub machines: Vec<Machine>,
}

/// A developer was given an account on the tournament's computers (2015 WCC, Program Submission).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountGiven {
    /// The player whose program is set up there.
    pub player: PlayerId,
    /// The name of the account.
    pub login: Option<String>,
    pub note: Option<String>,
}

/// An account on the tournament's computers was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountWithdrawn {
    pub player: PlayerId,
    /// Why, where the program has not passed its test.
    pub reason: Option<String>,
}

/// A program was made public, for others to play against (2015 WCC, Publication).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramPublished {
    pub player: PlayerId,
    /// The name under which it plays in the gameroom.
    pub gameroom_name: Option<String>,
    pub note: Option<String>,
}

/// A player declared the hardware on which their program runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardwareDeclared {
    pub player: PlayerId,
    /// The machine.
    pub hardware: String,
    /// Its operating system.
    pub system: Option<String>,
    /// Its price, in cents.
    pub price: Option<u64>,
    /// Its speed in thousandths of the specified machine.
    pub speed: Option<u64>,
    /// The computers on which the program runs (since schema 2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computers: Vec<Computer>,
}

/// A computer that a player declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Computer {
    pub name: String,
    /// The price at which it can be bought, in cents.
    pub price: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSubmitted {
    pub player: PlayerId,
    /// The program and its version, in words.
    pub program: String,
    pub digest: String,
    /// Where it is, or anything else.
    pub note: Option<String>,
}

/// A program was tested by the organiser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramTested {
    pub player: PlayerId,
    pub digest: String,
    pub passed: bool,
    /// Whether the developer's access was closed with it.
    pub access_closed: bool,
    /// What the test showed.
    pub note: Option<String>,
}

/// A program changed between two rounds (2015 WCC, Program Submission: automated, at most four hours).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramUpdated {
    pub player: PlayerId,
    /// The digest before.
    pub before: String,
    /// The digest after.
    pub after: String,
    /// The last round that had been played.
    pub after_round: u32,
    /// Whether it was an automated run, without a hand in it.
    pub automated: bool,
    /// When the run began.
    pub started_at: Micros,
    /// When it was over.
    pub ended_at: Micros,
    /// The record of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// An earlier version plays in a program's place (2015 WCC, Program Submission).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSubstituted {
    /// The player whose place it is.
    pub player: PlayerId,
    /// The identity of the version that plays.
    pub stand_in: PlayerId,
    /// That version, in words.
    pub program: String,
    /// The year for which it was submitted.
    pub year: i32,
    /// Its digest, where it is known.
    pub digest: Option<String>,
    pub reason: Option<String>,
}

/// The program with which a player goes into a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramDigest {
    pub player: PlayerId,
    pub digest: String,
}
