//! The director's rulings. A ruling holds from when it is given; what it does is one effect of a closed list, so
//! that the fold can carry it out and the audit can say whether the rulebook allows it.

use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::grounds::{Evidence, Ground};
use super::results::Outcome;
use crate::ids::{BoardId, GameId, PlayerId};
use crate::vocabulary::{Side, Termination, closed_words};

closed_words! {
    /// What went wrong (2015 WCC, Technical Problems 4 and 5).
    pub enum Failure, "technical failure" {
        /// Extraneous processes ran on a tournament server.
        ExtraneousProcess = "extraneous_process",
        /// The game server did not receive a move.
        MoveLostToGameServer = "move_lost_to_game_server",
        /// A tournament server did not receive a move.
        MoveLostToPlayer = "move_lost_to_player",
        /// A program was stopped and started again in the middle of a move.
        RestartedMidMove = "restarted_mid_move",
        /// The coordinator misconfigured a program.
        Misconfigured = "misconfigured",
        /// The game server failed.
        GameServer = "game_server",
        /// Something else, which the director weighs.
        Other = "other",
    }
}

/// The clocks from which a game goes on, in seconds (2015 WCC, Technical Problems 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    pub gold_reserve: i64,
    pub silver_reserve: i64,
    /// The length of the game so far.
    pub game_time: Option<u64>,
}

/// A text that does not state clocks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected 110,95 or 110,95,3600 (seconds), found `{0}`")]
pub struct ClocksError(String);

impl FromStr for Clocks {
    type Err = ClocksError;

    /// The reserves of Gold and Silver, and where it is known the length of the game.
    fn from_str(text: &str) -> Result<Clocks, ClocksError> {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let read = |gold: &str, silver: &str, game_time: Option<&str>| -> Result<Clocks, ParseIntError> {
            Ok(Clocks {
                gold_reserve: gold.parse()?,
                silver_reserve: silver.parse()?,
                game_time: game_time.map(str::parse).transpose()?,
            })
        };
        let clocks = match fields.as_slice() {
            [gold, silver] => read(gold, silver, None).ok(),
            [gold, silver, game_time] => read(gold, silver, Some(game_time)).ok(),
            _ => None,
        };
        clocks.ok_or_else(|| ClocksError(text.chars().take(80).collect()))
    }
}

/// What a ruling does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// A game under way is halted, made unrated, and to be resumed from a ply (2015 WCC, Technical Problems 2).
    Halt {
        pairing: BoardId,
        /// The game that is halted.
        game: Option<GameId>,
        /// How many plies stand.
        ply: u32,
        failure: Failure,
        /// The clocks; as they were after that ply where none are given.
        clocks: Option<Clocks>,
    },
    /// The result of a finished game is invalidated, the game made unrated, and to be replayed from a ply (2015 WCC,
    /// Technical Problems 3).
    Invalidate {
        pairing: BoardId,
        /// The game that loses its result.
        game: Option<GameId>,
        /// How many plies stand.
        ply: u32,
        failure: Failure,
        /// The clocks; as they were after that ply where none are given.
        clocks: Option<Clocks>,
    },
    /// The game is to be played again from the start (2009 Open Classic, Location of games: a fault of the server).
    Rematch { pairing: BoardId, failure: Failure },
    /// A pairing gets a result (2006 Postal: the director's decision is final).
    SetResult {
        pairing: BoardId,
        /// How it comes out.
        outcome: Outcome,
        /// How the game counts as ended.
        termination: Option<Termination>,
    },
    /// A pairing counts as never made.
    Vacate { pairing: BoardId },
    /// The winner's territory is fixed (Olympiad 2000, a game not played out).
    SetTerritory { pairing: BoardId, squares: u32 },
    /// A game becomes rated or unrated.
    SetRated {
        pairing: BoardId,
        game: Option<GameId>,
        /// Whether it is rated from now on.
        rated: bool,
    },
    /// The colours of a pair that has not begun are fixed.
    SetColours { pairing: BoardId, gold: PlayerId },
    /// A player plays no more.
    Remove { player: PlayerId },
    /// A removed player plays again.
    Reinstate { player: PlayerId },
    /// Players get a place that the rules leave open: nobody left, a tie that no rule breaks.
    Place {
        /// The players; several share the place, none leaves it vacant.
        players: Vec<PlayerId>,
        /// The place, from 1.
        place: u32,
    },
    /// An option of the rulebook is read in another way from now on.
    Read {
        /// The option's name.
        option: String,
        reading: String,
    },
    /// Nothing changes: a dispute is dismissed, a warning given.
    Nothing,
}

impl Effect {
    /// The pairing that the effect is about; none where it is about players or readings.
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

    /// The side that the effect makes the only winner.
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
    /// The number of the ruling in its tournament, from 1.
    pub number: u32,
    /// What it does.
    pub effect: Effect,
    /// Why, in words.
    pub reason: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The dispute that it decides.
    pub dispute: Option<u32>,
    /// The earlier ruling in whose place it stands.
    pub supersedes: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_two_reserves_and_perhaps_the_length_of_the_game() {
        let both = Clocks { gold_reserve: 110, silver_reserve: -3, game_time: None };
        assert_eq!("110,-3".parse(), Ok(both));
        assert_eq!("110, -3, 3600".parse(), Ok(Clocks { game_time: Some(3_600), ..both }));
        for wrong in ["", "1", "1,x", "1,2,3,4"] {
            assert!(wrong.parse::<Clocks>().is_err(), "{wrong}");
        }
    }
}
