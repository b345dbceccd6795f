//! How far a tournament has come, by what is recorded of it.

use annals_events::closed_words;
use annals_tournaments::Tournament;

closed_words! {
    /// How far a tournament has come.
    pub enum Phase, "phase" {
        /// It is announced, and no player has entered.
        Announced = "announced",
        /// Players enter.
        Registration = "registration",
        /// Qualifying games are played, or their order is published, and no round is paired.
        Qualifying = "qualifying",
        /// A round is paired.
        Playing = "playing",
        /// The tournament is closed.
        Closed = "closed",
    }
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
}
