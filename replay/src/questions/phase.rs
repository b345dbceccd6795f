//! How far a tournament has come, by what is recorded of it.

use annals_tournaments::Tournament;
use serde::Serialize;

/// How far a tournament has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is announced, and no player has entered.
    Announced,
    Registration,
    /// Qualifying games are played, or their order is published, and no round is paired.
    Qualifying,
    Playing,
    Closed,
}

impl Phase {
    /// The phase of a tournament.
    pub fn of(tournament: &Tournament) -> Phase {
        if tournament.closed.is_some() {
            Phase::Closed
        } else if !tournament.rounds.is_empty() {
            Phase::Playing
        } else if !tournament.qualifying_games.is_empty() || !tournament.qualified.is_empty() {
            Phase::Qualifying
        } else if !tournament.entrants.is_empty() {
            Phase::Registration
        } else {
            Phase::Announced
        }
    }

    /// The word in tables.
    pub const fn word(self) -> &'static str {
        match self {
            Phase::Announced => "announced",
            Phase::Registration => "registration",
            Phase::Qualifying => "qualifying",
            Phase::Playing => "playing",
            Phase::Closed => "closed",
        }
    }
}
