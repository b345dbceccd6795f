//! The director's rulings, in force from when they are given. The effect is of a closed list, so that the fold can
//! apply it and the audit can check it.

use serde::{Deserialize, Serialize};

use super::grounds::{Evidence, Ground};
use super::results::Outcome;
use crate::ids::{BoardId, GameId, PlayerId};
use crate::vocabulary::{Side, Termination, closed_words};

closed_words! {
    /// 2015 WCC, Technical Problems 4 and 5.
    pub enum Failure, "technical failure" {
        /// On a tournament server.
        ExtraneousProcess = "extraneous_process",
        /// Not received by the game server.
        MoveLostToGameServer = "move_lost_to_game_server",
        /// Not received by a tournament server.
        MoveLostToPlayer = "move_lost_to_player",
        /// The program was restarted during a move.
        RestartedMidMove = "restarted_mid_move",
        /// A program, by the coordinator.
        Misconfigured = "misconfigured",
        GameServer = "game_server",
        /// For the director to decide.
        Other = "other",
    }
}

/// At a resumption, in seconds (2015 WCC, Technical Problems 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    pub gold_reserve: i64,
    pub silver_reserve: i64,
    /// So far.
    pub game_time: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// A game under way becomes unrated, and is resumed from a ply (2015 WCC, Technical Problems 2).
    Halt {
        pairing: BoardId,
        game: Option<GameId>,
        /// Plies kept.
        ply: u32,
        failure: Failure,
        /// Default: as after that ply.
        clocks: Option<Clocks>,
    },
    /// A finished game becomes unrated, and is replayed from a ply (2015 WCC, Technical Problems 3).
    Invalidate {
        pairing: BoardId,
        game: Option<GameId>,
        /// Plies kept.
        ply: u32,
        failure: Failure,
        /// Default: as after that ply.
        clocks: Option<Clocks>,
    },
    /// From the start (2009 Open Classic, Location of games: a server fault).
    Rematch { pairing: BoardId, failure: Failure },
    /// The director's decision is final (2006 Postal).
    SetResult {
        pairing: BoardId,
        outcome: Outcome,
        /// How the game counts as ended.
        termination: Option<Termination>,
    },
    /// The pairing counts as never made.
    Vacate { pairing: BoardId },
    /// The winner's (Olympiad 2000, a game not played out).
    SetTerritory { pairing: BoardId, squares: u32 },
    SetRated {
        pairing: BoardId,
        game: Option<GameId>,
        /// From now on.
        rated: bool,
    },
    /// Of a pair that has not begun.
    SetColours { pairing: BoardId, gold: PlayerId },
    /// Plays no more.
    Remove { player: PlayerId },
    /// Plays again.
    Reinstate { player: PlayerId },
    /// A place that the rules leave undetermined: no player left, an unbroken tie.
    Place {
        /// Several share the place, none leaves it vacant.
        players: Vec<PlayerId>,
        /// From 1.
        place: u32,
    },
    /// Changes a reading from now on.
    Read { option: String, reading: String },
    /// A dispute is dismissed, a warning given.
    Nothing,
}

impl Effect {
    /// None for effects on players or readings.
    #[must_use]
    pub const fn pairing(&self) -> Option<BoardId> {
        match self {
            Effect::Halt { pairing, .. }
            | Effect::Invalidate { pairing, .. }
            | Effect::Rematch { pairing, .. }
            | Effect::SetResult { pairing, .. }
            | Effect::Vacate { pairing }
            | Effect::SetTerritory { pairing, .. }
            | Effect::SetRated { pairing, .. }
            | Effect::SetColours { pairing, .. } => Some(*pairing),
            Effect::Remove { .. }
            | Effect::Reinstate { .. }
            | Effect::Place { .. }
            | Effect::Read { .. }
            | Effect::Nothing => None,
        }
    }

    /// The only winner by the effect.
    #[must_use]
    pub const fn winner(&self) -> Option<Side> {
        match self {
            Effect::SetResult { outcome, .. } => outcome.winner(),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulingGiven {
    /// In its tournament, from 1.
    pub number: u32,
    pub effect: Effect,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// That it decides.
    pub dispute: Option<u32>,
    /// That it replaces.
    pub supersedes: Option<u32>,
}
