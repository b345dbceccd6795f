//! Finding a player by name. A name is matched ignoring case, present names before earlier ones; the error for an unknown name
//! has similar names.

use annals_events::PlayerKind;
use serde::Deserialize;

use annals_report::similar;

use crate::Error;
use crate::session::{Reading, Session};
use crate::sql_text::text;

use crate::typed_rows::select;

/// A player of the dataset.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Player {
    /// The account number, if the records have one.
    #[serde(rename = "player_id")]
    pub id: Option<u64>,
    /// The name in the last game.
    pub name: String,
    /// Earlier names.
    pub other_names: Vec<String>,
    pub kind: Option<PlayerKind>,
    /// Country code, if known.
    pub country: Option<String>,
}

impl Player {
    /// SQL that is true if this player has the side whose columns begin with `side` (`gold`, `silver`).
    pub(crate) fn has_side(&self, side: &str) -> String {
        match self.id {
            Some(id) => format!("{side}_id = {id}"),
            None => format!("({side}_id IS NULL AND {side} = {})", text(&self.name)),
        }
    }
}

/// The player of a name.
///
/// # Errors
/// `Unknown`, with similar names, if no player has the name.
pub fn find_player(session: &Session, name: &str) -> Result<Player, Error> {
    match session.careers() {
        Some(careers) => match careers.named(name) {
            Some(player) => Ok(player.clone()),
            None => choose(careers.players(), name),
        },
        None => choose(&all(session)?, name),
    }
}

/// All players, those with the most games first.
pub(crate) fn all(session: &Session) -> Result<Vec<Player>, Error> {
    let players = "FROM players ORDER BY games DESC, player_id, name";
    Ok(select(session, players, &[], Reading::Scan)?.0)
}

fn choose(players: &[Player], name: &str) -> Result<Player, Error> {
    let wanted = name.to_lowercase();
    let exact = players.iter().position(|p| p.name == name);
    let folded = || players.iter().position(|p| p.name.to_lowercase() == wanted);
    let earlier = || players.iter().position(|p| p.other_names.iter().any(|n| n.to_lowercase() == wanted));
    if let Some(at) = exact.or_else(folded).or_else(earlier) {
        return Ok(players[at].clone());
    }
    let known = players.iter().flat_map(|p| std::iter::once(&p.name).chain(&p.other_names));
    Err(Error::Unknown {
        what: "player",
        name: name.to_owned(),
        similar: similar(name, known.map(String::as_str)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, other: &[&str]) -> Player {
        let other_names = other.iter().map(|n| (*n).to_owned()).collect();
        Player { id: None, name: name.to_owned(), other_names, kind: None, country: None }
    }

    #[test]
    fn the_exact_name_wins_over_another_case_and_that_over_an_earlier_name() {
        let all = [player("anna", &["Bert"]), player("Anna", &[]), player("bert", &[])];
        assert_eq!(choose(&all, "Anna").unwrap().name, "Anna");
        assert_eq!(choose(&all, "ANNA").unwrap().name, "anna");
        assert_eq!(choose(&all, "BERT").unwrap().name, "bert");
        assert_eq!(choose(&all[..2], "bert").unwrap().name, "anna");
        let unknown = choose(&all, "Anan").unwrap_err();
        assert_eq!(unknown.hints()[0], "did you mean `Anna` or `anna`?");
    }
}
