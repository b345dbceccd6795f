//! The people family: identities, to which names and accounts lead. Merging and parting identities are events, so that
//! careers follow what was valid at their dates.

use serde::{Deserialize, Serialize};

use crate::family::family;
use crate::ids::PlayerId;
use crate::vocabulary::PlayerKind;

family! {
    pub enum PeopleEvent: "people" {
        /// An identity entered the record.
        PlayerKnown(PlayerKnown) = "player_known",
        /// A name or an account was found to be a player's.
        AliasDeclared(AliasDeclared) = "alias_declared",
        /// A declared alias was found to be wrong.
        AliasWithdrawn(AliasWithdrawn) = "alias_withdrawn",
        /// Two identities were found to be one.
        IdentitiesMerged(IdentitiesMerged) = "identities_merged",
        /// A merge was undone.
        IdentitiesParted(IdentitiesParted) = "identities_parted",
    }
}

/// A later one for the same player replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerKnown {
    pub player: PlayerId,
    /// For display.
    pub name: String,
    pub kind: PlayerKind,
    pub country: Option<String>,
    /// Of a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub developers: Vec<String>,
    /// Of a program that continues in another year.
    pub earlier_version: Option<PlayerId>,
}

/// How games identify a player; at least one of name and account is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alias {
    /// Where it is valid: `gameroom`, or a tournament's name; none for everywhere.
    pub place: Option<String>,
    pub name: Option<String>,
    pub account: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasDeclared {
    pub player: PlayerId,
    pub alias: Alias,
    /// The evidence.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasWithdrawn {
    pub player: PlayerId,
    pub alias: Alias,
    /// The evidence.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentitiesMerged {
    pub kept: PlayerId,
    /// From now on the other one's.
    pub merged: PlayerId,
    /// The evidence.
    pub reason: Option<String>,
}

/// Both identities are separate again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentitiesParted {
    pub kept: PlayerId,
    /// Separate again.
    pub parted: PlayerId,
    /// The evidence.
    pub reason: Option<String>,
}
