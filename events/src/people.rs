//! The people family: who is who. A player is an identity; names and accounts lead to it. Joining two identities
//! is an event and so is parting them again, so every career follows what was held true at its date.

use serde::{Deserialize, Serialize};

use crate::family::family;
use crate::ids::PlayerId;
use crate::vocabulary::PlayerKind;

family! {
    /// One thing that became known about who is who.
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

/// An identity entered the record; a second such event for the same player replaces what the first one said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerKnown {
    pub player: PlayerId,
    /// The name as it is shown.
    pub name: String,
    pub kind: PlayerKind,
    /// Country code.
    pub country: Option<String>,
    /// Of a program: who develops it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub developers: Vec<String>,
    /// Of a program that runs on in another year: the identity of its earlier version.
    pub earlier_version: Option<PlayerId>,
}

/// A name or an account by which games know a player. At least one of the two is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alias {
    /// Where the name or the account is good: `gameroom`, or a tournament's name; none for everywhere.
    pub place: Option<String>,
    pub name: Option<String>,
    pub account: Option<u64>,
}

/// A name or an account was found to be a player's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasDeclared {
    pub player: PlayerId,
    /// The name or account.
    pub alias: Alias,
    /// How that is known.
    pub reason: Option<String>,
}

/// A declared alias was found to be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasWithdrawn {
    pub player: PlayerId,
    /// The name or account that is not the player's.
    pub alias: Alias,
    /// How that is known.
    pub reason: Option<String>,
}

/// Two identities were found to be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentitiesMerged {
    /// The identity that stays.
    pub kept: PlayerId,
    /// The identity that from now on means the other.
    pub merged: PlayerId,
    /// How that is known.
    pub reason: Option<String>,
}

/// A merge was undone: both identities stand for themselves again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentitiesParted {
    /// The identity that stayed.
    pub kept: PlayerId,
    /// The identity that stands for itself again.
    pub parted: PlayerId,
    /// How that is known.
    pub reason: Option<String>,
}
