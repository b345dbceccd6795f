//! Appointments: when players can play, when a game is to be played, and what they were told.

use serde::{Deserialize, Serialize};

use super::grounds::Ground;
use crate::ids::{BoardId, PlayerId};
use crate::time::Micros;
use crate::vocabulary::closed_words;

/// A span of time in which a game could start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// From then on.
    pub from: Micros,
    /// Before then.
    pub to: Micros,
}

/// A player said when they can play (2009 Open Classic, Time of games).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AvailabilityGiven {
    pub player: PlayerId,
    /// The round; none for every round until they say otherwise.
    pub round: Option<u32>,
    /// When they would like to play, best first.
    pub slots: Vec<Slot>,
}

/// The time of a game was fixed, or fixed anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameScheduled {
    pub pairing: BoardId,
    /// When the game is to start.
    pub at: Micros,
    /// The rule that chose the time.
    pub ground: Option<Ground>,
    /// Why it was moved.
    pub reason: Option<String>,
}

closed_words! {
    /// What players are told.
    pub enum Notice, "notice" {
        /// Whom they play next.
        Pairing = "pairing",
        /// When they play.
        GameTime = "game_time",
        /// That they are invited.
        Invitation = "invitation",
        /// That a ruling was given.
        Ruling = "ruling",
        /// That a deadline is near or over.
        Deadline = "deadline",
        Other = "other",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoticeGiven {
    /// Who was told.
    pub to: Vec<PlayerId>,
    pub about: Notice,
    /// The round that it is about.
    pub round: Option<u32>,
    pub pairing: Option<BoardId>,
    /// The words.
    pub text: Option<String>,
}
