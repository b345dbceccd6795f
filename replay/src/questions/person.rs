//! A player as an answer names one: the identity, and the name to show.

use annals_events::PlayerId;
use annals_tournaments::Tournament;
use serde::Serialize;

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Person {
    /// The identity.
    pub player: PlayerId,
    /// The name to show: that of the entry, or the identity where there is none.
    pub name: String,
}

impl Person {
    /// A player of a tournament.
    #[must_use]
    pub fn of(tournament: &Tournament, player: &PlayerId) -> Person {
        let entrant = tournament.entrants.get(player);
        let name = entrant.map_or_else(|| player.to_string(), |entrant| entrant.name.clone());
        Person { player: player.clone(), name }
    }

    pub(super) fn name_in(known: &[Person], player: &PlayerId) -> String {
        let found = known.iter().find(|person| person.player == *player);
        found.map_or_else(|| player.to_string(), |person| person.name.clone())
    }
}
