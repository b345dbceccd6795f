//! Groups lines by round, and a round's lines by pairing.

use std::collections::BTreeMap;

use annals_events::Micros;
use annals_tournaments::infer::{DatedGame, rounds};

use crate::state_file::{GameResult, StateFile, StateLine, Statement};

#[derive(Debug, Default)]
pub(super) struct Rounds<'f> {
    /// Above the first round.
    pub head: Vec<&'f StateLine>,
    pub rounds: Vec<Round<'f>>,
    /// Interpretations that the file does not state.
    pub remarks: Vec<String>,
}

/// With a game or a bye.
#[derive(Debug, Default)]
pub(super) struct Round<'f> {
    /// In the file.
    pub number: usize,
    /// From the games.
    pub inferred: bool,
    /// Player lines above its first game or bye.
    pub before: Vec<&'f StateLine>,
    /// Games, byes, and player lines among and below them.
    pub lines: Vec<&'f StateLine>,
}

fn is_play(line: &StateLine) -> bool {
    matches!(line.said, Statement::Game { .. } | Statement::Bye { .. })
}

impl<'f> Rounds<'f> {
    pub(super) fn of(file: &'f StateFile) -> Rounds<'f> {
        let marked = file.said().any(|said| matches!(said, Statement::Round { .. }));
        if marked || !file.lines.iter().any(is_play) { Rounds::marked(file) } else { Rounds::inferred(file) }
    }

    fn marked(file: &'f StateFile) -> Rounds<'f> {
        let mut found = Rounds::default();
        for line in &file.lines {
            if let Statement::Round { inferred, .. } = line.said {
                let number = found.rounds.len() + 1;
                found.rounds.push(Round { number, inferred, ..Round::default() });
                continue;
            }
            match found.rounds.last_mut() {
                None => found.head.push(line),
                Some(round) if round.lines.is_empty() && !is_play(line) => round.before.push(line),
                Some(round) => round.lines.push(line),
            }
        }
        found.without_empty_rounds()
    }

    /// Removes rounds without games and byes; their player lines move to the round before.
    fn without_empty_rounds(mut self) -> Rounds<'f> {
        let mut kept: Vec<Round<'f>> = Vec::new();
        for round in std::mem::take(&mut self.rounds) {
            if !round.lines.is_empty() {
                kept.push(round);
                continue;
            }
            self.remarks
                .push(format!("round {} has neither a game nor a bye, and is left out", round.number));
            kept.last_mut().map_or(&mut self.head, |last| &mut last.lines).extend(round.before);
        }
        Rounds { rounds: kept, ..self }
    }

    fn inferred(file: &'f StateFile) -> Rounds<'f> {
        // A bye replaces a game.
        let played: Vec<(usize, [&str; 2])> = (0..)
            .zip(file.said())
            .filter_map(|(at, said)| match said {
                Statement::Game { gold, silver, .. } => Some((at, [gold.as_str(), silver.as_str()])),
                Statement::Bye { name, .. } => Some((at, [name.as_str(), name.as_str()])),
                _ => None,
            })
            .collect();
        let games: Vec<DatedGame<&str>> = played
            .iter()
            .map(|(at, players)| DatedGame { players: *players, began: *at as Micros })
            .collect();
        let inferred = rounds(&games);
        let mut round_of: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, round) in inferred.iter().enumerate() {
            let lines = round.games.iter().filter_map(|placed| played.get(placed.game));
            round_of.extend(lines.map(|(line, _)| (*line, at)));
        }
        let round = |number| Round { number, inferred: true, ..Round::default() };
        let mut found = Rounds { rounds: (1..=inferred.len()).map(round).collect(), ..Rounds::default() };
        let mut latest = None;
        for (at, line) in file.lines.iter().enumerate() {
            let round = round_of.get(&at).copied();
            latest = latest.max(round);
            match round.or(latest).and_then(|round| found.rounds.get_mut(round)) {
                None => found.head.push(line),
                Some(round) => round.lines.push(line),
            }
        }
        found
    }
}

impl<'f> Round<'f> {
    /// Line indices of each published pairing of the round; the last is in force. A vacated game of which a player has
    /// a later line was in a revoked pairing.
    pub(super) fn pairings(&self) -> Vec<Vec<usize>> {
        // Per line the first pairing with it, and for a vacated game the first without it.
        let mut spans: Vec<(usize, usize)> = Vec::new();
        // Per player the vacated games so far, and the first pairing without them.
        let mut vacated: BTreeMap<&str, (Vec<usize>, usize)> = BTreeMap::new();
        for (at, line) in self.lines.iter().enumerate() {
            let players: Vec<&str> = players(line).into_iter().flatten().collect();
            let first = players.iter().filter_map(|player| Some(vacated.get(player)?.1)).max().unwrap_or(0);
            for player in &players {
                let Some((games, _)) = vacated.get_mut(player) else { continue };
                games.retain(|game| {
                    spans.get_mut(*game).is_some_and(|(begins, end)| {
                        *end = first.min(*end);
                        *end > *begins + 1
                    })
                });
            }
            spans.push((first, if players.is_empty() { 0 } else { usize::MAX }));
            for player in players.into_iter().filter(|_| is_vacated(line)) {
                let (games, without) = vacated.entry(player).or_default();
                games.push(at);
                *without = (*without).max(first + 1);
            }
        }
        let last = spans.iter().map(|(first, _)| *first).max().unwrap_or(0);
        let of = |pairing: usize| {
            let has = |(first, end): &(usize, usize)| (*first..*end).contains(&pairing);
            spans.iter().enumerate().filter(|(_, span)| has(span)).map(|(at, _)| at).collect()
        };
        (0..=last).map(of).collect()
    }
}

/// The players of a line.
pub(super) fn players(line: &StateLine) -> [Option<&str>; 2] {
    match &line.said {
        Statement::Game { gold, silver, .. } => [Some(gold.as_str()), Some(silver.as_str())],
        Statement::Bye { name, .. } => [Some(name.as_str()), None],
        _ => [None, None],
    }
}

pub(super) fn is_vacated(line: &StateLine) -> bool {
    matches!(&line.said, Statement::Game { result: Some(GameResult::Vacated), .. })
}
