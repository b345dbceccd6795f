//! A player with a name to show.

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_report::Cell;
use annals_tournaments::Tournament;
use serde::Serialize;

use super::error::QueryError;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Person {
    pub player: PlayerId,
    /// Of the entry, else the identity.
    pub name: String,
}

impl Person {
    pub fn of(tournament: &Tournament, player: &PlayerId) -> Person {
        let entrant = tournament.entrants.get(player);
        let name = entrant.map_or_else(|| player.to_string(), |entrant| entrant.name.clone());
        Person { player: player.clone(), name }
    }

    /// The name, which leads to the player.
    pub(super) fn cell(&self) -> Cell {
        Cell::named(&self.name, &self.player)
    }

    pub(super) fn name_in(known: &[Person], player: &PlayerId) -> String {
        let found = known.iter().find(|person| person.player == *player);
        found.map_or_else(|| player.to_string(), |person| person.name.clone())
    }
}

/// The player of a name: by identity, else by name ignoring case. `known` gives identity, name and resulting player.
pub(super) fn find(
    name: &str,
    place: &str,
    known: impl Iterator<Item = (PlayerId, PlayerId, String)>,
) -> Result<PlayerId, QueryError> {
    let wanted = name.to_lowercase();
    let (mut exact, mut found, mut all) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (player, identity, shown) in known {
        if identity.as_str() == name {
            exact.insert(player.clone());
        }
        if identity.as_str().to_lowercase() == wanted || shown.to_lowercase() == wanted {
            found.insert(player.clone());
        }
        all.insert(player);
    }
    let words = |players: BTreeSet<PlayerId>| players.iter().map(ToString::to_string).collect();
    if exact.is_empty() && found.len() > 1 {
        return Err(QueryError::SeveralPlayers { name: name.to_owned(), players: words(found) });
    }
    exact.into_iter().chain(found).next().ok_or_else(|| QueryError::NoSuchPlayer {
        name: name.to_owned(),
        place: place.to_owned(),
        known: words(all),
    })
}
