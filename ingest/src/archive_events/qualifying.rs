//! Qualifying games in an archive: those between an entrant and a benchmark player that touch the window. Unrated and
//! surplus games and those across an edge are recorded too; the count ignores them with a reason.

use std::collections::BTreeMap;

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{GameId, PlayerId, Side};
use annals_tournaments::qualifying::{KnownPlayer, Period};
use serde::Serialize;

use super::heads::{Head, Seat};

/// Whether a row's player is this one: by account if both have one, else by name.
fn is(player: &KnownPlayer, seat: &Seat) -> bool {
    match seat.account {
        Some(account) if !player.accounts.is_empty() => player.accounts.contains(&account),
        _ => player.names.iter().any(|name| name.to_lowercase() == seat.name.to_lowercase()),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// In the gameroom.
    pub number: u64,
    pub game: QualifyingGamePlayed,
    /// It crosses an edge of the window.
    pub over_the_edge: bool,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct QualifyingTally {
    pub games: u64,
    pub rated: u64,
    pub unrated: u64,
    pub won: u64,
    pub lost: u64,
    /// Without a winner.
    pub undecided: u64,
    /// Across an edge of the window.
    pub over_the_edge: u64,
}

impl QualifyingRows {
    #[must_use]
    pub fn tally(&self) -> BTreeMap<PlayerId, QualifyingTally> {
        let mut tallies: BTreeMap<PlayerId, QualifyingTally> = BTreeMap::new();
        for Selected { game, over_the_edge, .. } in &self.games {
            let tally = tallies.entry(game.player.clone()).or_default();
            tally.games += 1;
            *(if game.rated { &mut tally.rated } else { &mut tally.unrated }) += 1;
            *match game.winner {
                Some(winner) if winner == game.side => &mut tally.won,
                Some(_) => &mut tally.lost,
                None => &mut tally.undecided,
            } += 1;
            tally.over_the_edge += u64::from(*over_the_edge);
        }
        tallies
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QualifyingRows {
    /// By their end.
    pub games: Vec<Selected>,
    /// Between an entrant and a benchmark player, wholly outside the window.
    pub outside: u64,
    /// Numbers of games without start or end, which cannot be placed.
    pub timeless: Vec<u64>,
}

/// Selects the qualifying games. `logged` returns whether the log contains `game/arimaa-NUMBER`.
#[must_use]
pub fn qualifying(
    heads: &[Head],
    entrants: &[KnownPlayer],
    benchmarks: &[KnownPlayer],
    window: Period,
    logged: impl Fn(&GameId) -> bool,
) -> QualifyingRows {
    let mut out = QualifyingRows::default();
    for head in heads {
        for side in Side::BOTH {
            let entrant = entrants.iter().find(|entrant| is(entrant, head.seat(side)));
            let benchmark = benchmarks.iter().find(|benchmark| is(benchmark, head.seat(side.other())));
            let (Some(entrant), Some(benchmark)) = (entrant, benchmark) else { continue };
            let (Some(started_at), Some(ended_at)) = (head.started_at, head.ended_at) else {
                out.timeless.push(head.id);
                continue;
            };
            if ended_at < window.opens || started_at > window.closes {
                out.outside += 1;
                continue;
            }
            let game = QualifyingGamePlayed {
                player: entrant.player.clone(),
                benchmark: benchmark.player.clone(),
                side,
                rated: head.rated.unwrap_or(false),
                started_at,
                ended_at,
                winner: head.result.winner(),
                termination: head.termination,
                number: Some(head.id),
                game: format!("arimaa-{}", head.id).parse().ok().filter(&logged),
            };
            let over_the_edge = started_at <= window.opens || ended_at >= window.closes;
            out.games.push(Selected { number: head.id, game, over_the_edge });
        }
    }
    out.games.sort_by_key(|selected| (selected.game.ended_at, selected.number));
    out
}
