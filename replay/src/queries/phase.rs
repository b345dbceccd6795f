//! How far a tournament has come.

use annals_events::closed_words;
use annals_tournaments::Tournament;

closed_words! {
    pub enum Phase, "phase" {
        /// No player has entered.
        Announced = "announced",
        Registration = "registration",
        /// Qualifying games or order, no round.
        Qualifying = "qualifying",
        /// A round is paired.
        Playing = "playing",
        Closed = "closed",
    }
}

impl Phase {
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
}
