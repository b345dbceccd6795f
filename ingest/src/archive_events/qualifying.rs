//! Qualifying games among the rows of an archive: those between an entrant and a benchmark player that touch the window. What
//! counts is not decided here: unrated games, games over the cap, and games that reach over an edge of the window are recorded
//! too, and the count passes over them and can say why.

use std::collections::BTreeMap;

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{EventId, GameId, Micros, PlayerId, Side, StreamName};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::heads::{Head, Seat};

/// One who wants to qualify, by what rows know of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    pub player: PlayerId,
    /// The names in the gameroom.
    pub names: Vec<String>,
    /// The accounts in the gameroom.
    pub accounts: Vec<u64>,
}

/// A benchmark player, known in the same way.
pub type Benched = Entered;

impl Entered {
    /// Whether a row's player is this one: by account where both sides know one, else by name.
    fn is(&self, seat: &Seat) -> bool {
        match seat.account {
            Some(account) if !self.accounts.is_empty() => self.accounts.contains(&account),
            _ => self.names.iter().any(|name| name.to_lowercase() == seat.name.to_lowercase()),
        }
    }
}

/// The qualifying period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// When it opens.
    pub opens: Micros,
    /// When it closes.
    pub closes: Micros,
}

/// A game that was selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// The gameroom's number of it.
    pub number: u64,
    pub game: QualifyingGamePlayed,
    /// Whether it began by the opening, or was not over before the closing: it reaches over an edge.
    pub over_the_edge: bool,
}

impl Selected {
    /// The identity of the event in a tournament's stream: made of the tournament, the entrant and the number of the game, so
    /// that the same game is never recorded twice.
    #[must_use]
    pub fn event_id(&self, stream: &StreamName) -> EventId {
        let digest = Sha256::digest(format!("{stream} qualifying game of {}", self.game.player).as_bytes());
        let mut first = [0; 8];
        first.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        EventId::for_import(first, self.number)
    }

    /// Whether an event that is recorded tells of this game in the same way; where one of the two names a game of the log and
    /// the other does not, they agree.
    #[must_use]
    pub fn agrees(&self, recorded: &QualifyingGamePlayed) -> bool {
        let without = |game: &QualifyingGamePlayed| QualifyingGamePlayed { game: None, ..game.clone() };
        without(&self.game) == without(recorded)
    }
}

/// How many games of one entrant were found.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct QualifyingTally {
    /// All of them.
    pub games: u64,
    /// Those that were rated.
    pub rated: u64,
    /// Those that were not.
    pub unrated: u64,
    /// Those that the entrant won.
    pub won: u64,
    /// Those that the entrant lost.
    pub lost: u64,
    /// Those that nobody won.
    pub undecided: u64,
    /// Those that reach over an edge of the window.
    pub over_the_edge: u64,
}

impl QualifyingRows {
    /// The games of each entrant.
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

/// What was found among the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QualifyingRows {
    /// The games, in the order in which they were over.
    pub games: Vec<Selected>,
    /// Games between an entrant and a benchmark wholly before or after the window.
    pub outside: u64,
    /// The numbers of those whose rows lack the start or the end: whether they belong cannot be told.
    pub timeless: Vec<u64>,
}

/// Selects the qualifying games among rows. `logged` tells which games the log holds as `game/arimaa-NUMBER`.
#[must_use]
pub fn qualifying(
    heads: &[Head],
    entrants: &[Entered],
    benchmarks: &[Benched],
    window: Window,
    logged: impl Fn(&GameId) -> bool,
) -> QualifyingRows {
    let mut out = QualifyingRows::default();
    for head in heads {
        for side in Side::BOTH {
            let entrant = entrants.iter().find(|entrant| entrant.is(head.seat(side)));
            let benchmark = benchmarks.iter().find(|benchmark| benchmark.is(head.seat(side.other())));
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
