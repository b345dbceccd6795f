//! Who takes part: entries, ratings, withdrawals, invitations, disqualifications.

use serde::{Deserialize, Serialize};

use super::grounds::Ground;
use crate::ids::PlayerId;
use crate::time::Micros;
use crate::vocabulary::{PlayerKind, closed_words};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerRegistered {
    pub player: PlayerId,
    /// The name under which they enter, as it is shown and sorted.
    pub name: String,
    pub kind: PlayerKind,
    /// Of a program: the developers or the team, of whom each enters one program only (2015 WCC, Registration).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub developers: Vec<String>,
    /// The gameroom's number for the account.
    pub account: Option<u64>,
    /// The rating on entry.
    pub rating: Option<i32>,
    /// The number on the entry list, where the rulebook sorts by it (Olympiad 2000).
    pub number: Option<u32>,
    /// Country code.
    pub country: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerRating {
    pub player: PlayerId,
    /// The rating in the gameroom.
    pub rating: i32,
}

/// Ratings were taken from the gameroom; from then on the rules use these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingsRecorded {
    pub ratings: Vec<PlayerRating>,
    /// Where and when they were read.
    pub source: Option<String>,
}

closed_words! {
    /// How a player came to leave.
    pub enum Withdrawal, "way of withdrawing" {
        /// By their own wish.
        Own = "own",
        /// By losing a game by forfeit (2009 Open Classic, Time of games).
        Forfeit = "forfeit",
        /// By the director.
        Removed = "removed",
    }
}

/// A player left, or was removed: no game from then on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerWithdrawn {
    pub player: PlayerId,
    pub how: Withdrawal,
    pub reason: Option<String>,
}

/// A player who had left plays again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerReinstated {
    pub player: PlayerId,
    /// The appeal that was accepted.
    pub appeal: Option<u32>,
    pub reason: Option<String>,
}

/// The next in the order of the qualifier was invited (2015 WCC, Program Submission).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invited {
    pub player: PlayerId,
    /// Whose place it is.
    pub replaces: Option<PlayerId>,
    /// The place in the order by which they are invited.
    pub rank: u32,
    /// By when the program must be uploaded and tested.
    pub due: Option<Micros>,
    /// Whether the invited player risks fee or penalty.
    pub fee_at_risk: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

/// An invitation came to nothing; no blame goes with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvitationLapsed {
    /// Who had been invited.
    pub player: PlayerId,
    /// Why: declined, not set up in time.
    pub reason: Option<String>,
}

closed_words! {
    /// Why a player is disqualified.
    pub enum Disqualification, "ground for disqualification" {
        /// The program was not uploaded and set up in time.
        NotUploaded = "not_uploaded",
        /// A rule of the qualifying phase was broken.
        QualifyingRules = "qualifying_rules",
        /// The program qualified on much faster hardware, or with other help.
        FasterHardware = "faster_hardware",
        /// The program was changed by hand after it had been submitted or frozen.
        ProgramChanged = "program_changed",
        /// The hardware was changed after it had been declared.
        HardwareChanged = "hardware_changed",
        /// The program is limited in time or in games.
        LimitedProgram = "limited_program",
        /// The moves were not the player's own (2006 Postal, Special Rules for Humans).
        OutsideHelp = "outside_help",
        /// Another rule.
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
