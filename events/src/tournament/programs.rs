//! Programs and hardware: specified, declared, submitted, tested, changed. A program is identified by the digest of
//! what was uploaded (algorithm, colon, hexadecimal digits).

use serde::{Deserialize, Serialize};

use super::grounds::Evidence;
use crate::ids::PlayerId;
use crate::time::Micros;

/// Of the tournament, or a limit for the players' own (2015 WCC, Hardware and OS; Qualifying).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardwareSpecified {
    /// Used for the games, or as reference.
    pub hardware: String,
    /// Operating system.
    pub system: Option<String>,
    /// In cents.
    pub price_limit: Option<u64>,
    /// Of players' machines, in thousandths of this machine (5000: five times).
    pub speed_limit: Option<u64>,
}

/// The machine of the previous year's challenge match, the reference for the qualifier (2015 WCC, Qualifying).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceHardwareRecorded {
    pub hardware: String,
    /// Operating system.
    pub system: Option<String>,
    /// Of the challenge match.
    pub year: Option<i32>,
    pub note: Option<String>,
}

/// The computer of a program in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub player: PlayerId,
    /// The kind of machine.
    pub hardware: String,
    /// Operating system.
    pub system: Option<String>,
    /// The individual computer.
    pub computer: Option<String>,
}

/// 2015 WCC, Tournament format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachinesAssigned {
    pub round: u32,
    /// A later event replaces those of its players.
    pub machines: Vec<Machine>,
}

/// On the tournament's computers (2015 WCC, Program Submission).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountGiven {
    /// Whose program is set up there.
    pub player: PlayerId,
    pub login: Option<String>,
    pub note: Option<String>,
}

/// On the tournament's computers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountWithdrawn {
    pub player: PlayerId,
    /// If the program has not passed its test.
    pub reason: Option<String>,
}

/// For other players (2015 WCC, Publication).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramPublished {
    pub player: PlayerId,
    /// Its name in the gameroom.
    pub gameroom_name: Option<String>,
    pub note: Option<String>,
}

/// On which the player's program runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardwareDeclared {
    pub player: PlayerId,
    pub hardware: String,
    /// Operating system.
    pub system: Option<String>,
    /// In cents.
    pub price: Option<u64>,
    /// In thousandths of the specified machine.
    pub speed: Option<u64>,
    /// Since schema 2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computers: Vec<Computer>,
}

/// Declared by a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Computer {
    pub name: String,
    /// In cents.
    pub price: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSubmitted {
    pub player: PlayerId,
    /// With version.
    pub program: String,
    pub digest: String,
    pub note: Option<String>,
}

/// By the organiser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramTested {
    pub player: PlayerId,
    pub digest: String,
    pub passed: bool,
    /// The developer's access was closed with it.
    pub access_closed: bool,
    /// The result.
    pub note: Option<String>,
}

/// Between two rounds (2015 WCC, Program Submission: automated, at most four hours).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramUpdated {
    pub player: PlayerId,
    /// Digest.
    pub before: String,
    /// Digest.
    pub after: String,
    /// The last round played.
    pub after_round: u32,
    /// Without manual changes.
    pub automated: bool,
    /// Of the run.
    pub started_at: Micros,
    /// Of the run.
    pub ended_at: Micros,
    /// Of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// An earlier version plays instead (2015 WCC, Program Submission).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSubstituted {
    /// The replaced player.
    pub player: PlayerId,
    /// The playing version's identity.
    pub stand_in: PlayerId,
    /// As text.
    pub program: String,
    /// Of its submission.
    pub year: i32,
    /// If known.
    pub digest: Option<String>,
    pub reason: Option<String>,
}

/// The program of a player in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramDigest {
    pub player: PlayerId,
    pub digest: String,
}
