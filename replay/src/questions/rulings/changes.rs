//! What a ruling changed of a tournament, by the state before it and after it: what it undid is among it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use annals_events::{GameKind, Pairing, Side};
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

/// One thing that a ruling changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingChange {
    /// What: the result of a pairing, a player.
    pub what: String,
    /// How it was before; none where it was not.
    pub before: Option<String>,
    /// How it is after; none where it is no more.
    pub after: Option<String>,
}

impl fmt::Display for RulingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        write!(f, "{} from {} to {}", self.what, word(&self.before), word(&self.after))
    }
}

/// A part of a pairing that a ruling may change, in words.
type Part = fn(&Board, GameKind) -> Option<String>;

/// What differs between two states, in the order of rounds, players, readings.
pub(super) fn changes(before: &Tournament, after: &Tournament, game: GameKind) -> Vec<RulingChange> {
    let mut changes = Vec::new();
    let mut compare = |what: String, before: Option<String>, after: Option<String>| {
        if before != after {
            changes.push(RulingChange { what, before, after });
        }
    };
    let (old, new) = (boards(before), boards(after));
    let pairings: BTreeSet<&Pairing> = old.keys().chain(new.keys()).collect();
    for pairing in pairings {
        let of =
            |part: Part| [&old, &new].map(|boards| boards.get(pairing).and_then(|board| part(board, game)));
        let parts: [(&str, Part); 5] = [
            ("pairing", |board, _| Some(format!("{} against {}", board.upper(), board.lower()))),
            ("result of", |board, game| board.outcome().map(|outcome| outcome.word_in(game).to_owned())),
            ("territory in", |board, _| board.territory().map(|squares| squares.to_string())),
            ("resumption of", |board, _| {
                board.owed().map(|owed| format!("ply {}", owed.fact.ply.unwrap_or(0)))
            }),
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
        let before = before.entrants.get(player).map(|entrant| entrant.status.word().to_owned());
        compare(player.to_string(), before, Some(entrant.status.word().to_owned()));
    }
    let [old, new] = [before, after].map(|state| state.readings_ruled.iter().cloned().collect());
    let (old, new): (BTreeMap<String, String>, BTreeMap<String, String>) = (old, new);
    let options: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for option in options {
        compare(format!("reading {option}"), old.get(option).cloned(), new.get(option).cloned());
    }
    changes
}

fn boards(tournament: &Tournament) -> BTreeMap<Pairing, &Board> {
    let rounds = tournament.rounds.iter();
    rounds
        .flat_map(|(&round, known)| {
            known.boards.iter().map(move |(&board, known)| (Pairing { round, board }, known))
        })
        .collect()
}
