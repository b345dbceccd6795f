//! Appointments: availability, times of games, notices.

use serde::{Deserialize, Serialize};

use super::grounds::Ground;
use crate::ids::{BoardId, PlayerId};
use crate::time::Micros;
use crate::vocabulary::closed_words;

/// In which a game could start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Inclusive.
    pub from: Micros,
    /// Exclusive.
    pub to: Micros,
}

/// 2009 Open Classic, Time of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AvailabilityGiven {
    pub player: PlayerId,
    /// None for every round until changed.
    pub round: Option<u32>,
    /// Best first.
    pub slots: Vec<Slot>,
}

/// Fixed, or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameScheduled {
    pub pairing: BoardId,
    pub at: Micros,
    /// The rule of the choice.
    pub ground: Option<Ground>,
    /// Of a change.
    pub reason: Option<String>,
}

closed_words! {
    /// The subject of a notice.
    pub enum Notice, "notice" {
        /// The next opponent.
        Pairing = "pairing",
        /// The time of a game.
        GameTime = "game_time",
        Invitation = "invitation",
        Ruling = "ruling",
        /// Near or past.
        Deadline = "deadline",
        Other = "other",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoticeGiven {
    pub to: Vec<PlayerId>,
    pub about: Notice,
    pub round: Option<u32>,
    pub pairing: Option<BoardId>,
    pub text: Option<String>,
}
