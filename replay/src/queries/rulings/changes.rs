//! What a ruling changed, by the states before and after it, what it undid included.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use annals_events::tournament::RulingGiven;
use annals_events::{BoardId, GameId, GameKind, Side};
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use crate::queries::tournament_at::TournamentAt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingChange {
    /// The result of a pairing, or a player.
    pub what: String,
    /// None if absent.
    pub before: Option<String>,
    /// None if absent.
    pub after: Option<String>,
}

impl fmt::Display for RulingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        write!(f, "{} from {} to {}", self.what, word(&self.before), word(&self.after))
    }
}

/// A part of a pairing that a ruling may change, as text.
type Part = fn(&Board, GameKind) -> Option<String>;

/// By rounds, players, games, readings.
pub(super) fn changes(
    then: &TournamentAt<'_>,
    now: &TournamentAt<'_>,
    ruling: &RulingGiven,
) -> Vec<RulingChange> {
    let (before, after, game) = (then.tournament(), now.tournament(), now.game());
    let mut changes = Vec::new();
    let mut compare = |what: String, before: Option<String>, after: Option<String>| {
        if before != after {
            changes.push(RulingChange { what, before, after });
        }
    };
    let (old, new) = (boards(before), boards(after));
    let pairings: BTreeSet<&BoardId> = old.keys().chain(new.keys()).collect();
    for pairing in pairings {
        let of =
            |part: Part| [&old, &new].map(|boards| boards.get(pairing).and_then(|board| part(board, game)));
        let parts: [(&str, Part); 6] = [
            ("pairing", |board, _| Some(format!("{} against {}", board.upper(), board.lower()))),
            ("result of", |board, game| board.outcome().map(|outcome| outcome.word_in(game).to_owned())),
            ("territory in", |board, _| board.territory().map(|squares| squares.to_string())),
            ("resumption of", |board, _| {
                board.owed().map(|owed| format!("ply {}", owed.fact.ply.unwrap_or(0)))
            }),
            ("halt of", |board, _| board.halted().then(|| "in force".to_owned())),
            ("", |board, _| board.gold().map(ToString::to_string)),
        ];
        for (what, part) in parts {
            let first = Side::Gold.name_in(game);
            let what =
                if what.is_empty() { format!("{first} in {pairing}") } else { format!("{what} {pairing}") };
            let [before, after] = of(part);
            compare(what, before, after);
        }
    }
    for (player, entrant) in &after.entrants {
        let before = before.entrants.get(player).map(|entrant| entrant.status().word().to_owned());
        compare(player.to_string(), before, Some(entrant.status().word().to_owned()));
    }
    for game in games_of(after, ruling) {
        let rated = |state: &Tournament| match state.ruled_game(game).rated {
            Some(true) => "rated",
            Some(false) => "unrated",
            None => "as it began",
        };
        compare(format!("rating of {game}"), Some(rated(before).to_owned()), Some(rated(after).to_owned()));
    }
    let options = [before, after].into_iter().flat_map(|state| &state.readings_ruled);
    for option in options.map(|(option, _)| option).collect::<BTreeSet<_>>() {
        let reading = |of: &TournamentAt<'_>| match of.rulebook() {
            Ok(rulebook) => rulebook.readings.get(option).map(ToOwned::to_owned),
            Err(_) => {
                let mut ruled = of.tournament().readings_ruled.iter().rev();
                ruled.find(|(ruled, _)| ruled == option).map(|(_, reading)| reading.clone())
            }
        };
        compare(format!("reading {option}"), reading(then), reading(now));
    }
    changes
}

/// Games of a ruling and of the one that it replaces.
fn games_of<'t>(after: &'t Tournament, ruling: &RulingGiven) -> BTreeSet<&'t GameId> {
    let numbers = [Some(ruling.number), ruling.supersedes];
    let about = after.rulings.iter().filter(|given| numbers.contains(&Some(given.ruling.number)));
    about.filter_map(|given| given.game.as_ref()).collect()
}

fn boards(tournament: &Tournament) -> BTreeMap<BoardId, &Board> {
    let rounds = tournament.rounds.iter();
    rounds
        .flat_map(|(&round, known)| {
            known.boards.iter().map(move |(&board, known)| (BoardId { round, board }, known))
        })
        .collect()
}
