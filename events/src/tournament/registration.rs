//! Participants: entries, ratings, withdrawals, invitations, disqualifications.

use serde::{Deserialize, Serialize};

use super::grounds::Ground;
use crate::ids::PlayerId;
use crate::time::Micros;
use crate::vocabulary::{PlayerKind, closed_words};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerRegistered {
    pub player: PlayerId,
    /// For display and sorting.
    pub name: String,
    pub kind: PlayerKind,
    /// Of a program; each enters one program only (2015 WCC, Registration).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub developers: Vec<String>,
    /// The gameroom's account number.
    pub account: Option<u64>,
    /// On entry.
    pub rating: Option<i32>,
    /// On the entry list, for rulebooks that sort by it (Olympiad 2000).
    pub number: Option<u32>,
    pub country: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerRating {
    pub player: PlayerId,
    /// In the gameroom.
    pub rating: i32,
}

/// From the gameroom; the rules then use these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingsRecorded {
    pub ratings: Vec<PlayerRating>,
    /// Where and when.
    pub source: Option<String>,
}

closed_words! {
    pub enum Withdrawal, "way of withdrawing" {
        /// By choice.
        Own = "own",
        /// By forfeit (2009 Open Classic, Time of games).
        Forfeit = "forfeit",
        /// By the director.
        Removed = "removed",
    }
}

/// No game from then on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerWithdrawn {
    pub player: PlayerId,
    pub how: Withdrawal,
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerReinstated {
    pub player: PlayerId,
    /// If accepted.
    pub appeal: Option<u32>,
    pub reason: Option<String>,
}

/// By the qualifier's order (2015 WCC, Program Submission).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invited {
    pub player: PlayerId,
    /// The replaced player.
    pub replaces: Option<PlayerId>,
    /// In the order.
    pub rank: u32,
    /// For upload and tests.
    pub due: Option<Micros>,
    /// Fee or penalty is at risk.
    pub fee_at_risk: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

/// Without fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvitationLapsed {
    pub player: PlayerId,
    /// Declined, or not set up in time.
    pub reason: Option<String>,
}

closed_words! {
    pub enum Disqualification, "ground for disqualification" {
        /// Not uploaded and set up in time.
        NotUploaded = "not_uploaded",
        /// Broke a rule of the qualifying phase.
        QualifyingRules = "qualifying_rules",
        /// Qualified on much faster hardware, or with other help.
        FasterHardware = "faster_hardware",
        /// Changed by hand after submission or freezing.
        ProgramChanged = "program_changed",
        /// Changed after declaration.
        HardwareChanged = "hardware_changed",
        /// Limited in time or games.
        LimitedProgram = "limited_program",
        /// Moves from outside (2006 Postal, Special Rules for Humans).
        OutsideHelp = "outside_help",
        Other = "other",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disqualified {
    pub player: PlayerId,
    pub cause: Disqualification,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    pub reason: Option<String>,
}
