//! A player as an answer names one: the identity, and the name to show.

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_tournaments::Tournament;
use serde::Serialize;

use super::error::QueryError;

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Person {
    pub player: PlayerId,
    /// The name to show: that of the entry, or the identity where there is none.
    pub name: String,
}

impl Person {
    /// A player of a tournament.
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

/// The player that a name means: that of an identity, else a name in any case. `known` gives each identity with the name
/// to show, and the player that it belongs to first.
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
