//! The course of a tournament as its record makes it: which attempts were made at each pairing, how they stand, from where
//! the next has to go on, and which round has begun. The rules of technical rulings are asked of this.

use std::collections::BTreeMap;

use annals_events::Pairing;
use annals_events::PlayerId;

use super::Case;
use crate::rulings::{Attempt, AttemptStatus, Board as CourseBoard, Course, Debt, ResumePoint};
use crate::state::{Board, SetAside};

/// One attempt at a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttemptOf {
    /// The pairing.
    pub pairing: Pairing,
    /// The number of the attempt, from 1.
    pub number: u32,
}

impl std::fmt::Display for AttemptOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (attempt {})", self.pairing, self.number)
    }
}

/// The course of a recorded tournament.
pub type TournamentCourse = Course<Pairing, AttemptOf, PlayerId>;

/// The course as the record makes it. Of a game that the log does not hold, any number of plies may have been played.
#[must_use]
pub fn course(case: &Case<'_>) -> TournamentCourse {
    standing(case, 0..=u32::MAX)
}

/// The course as far as it concerns one round: its boards, and those of the round before.
pub(crate) fn course_near(case: &Case<'_>, round: u32) -> TournamentCourse {
    standing(case, round.saturating_sub(1)..=round)
}

fn standing(case: &Case<'_>, near: std::ops::RangeInclusive<u32>) -> TournamentCourse {
    let mut boards = BTreeMap::new();
    let mut attempts = BTreeMap::new();
    let mut started = 0;
    for (&number, round) in &case.tournament.rounds {
        let played = round.boards.values().any(|board| board.last_attempt() > 0);
        if round.started_at.is_some() || played {
            started = started.max(number);
        }
        if !near.contains(&number) {
            continue;
        }
        for (&at, board) in &round.boards {
            let pairing = Pairing { round: number, board: at };
            let made = attempts_of(case, pairing, board);
            let standing = CourseBoard {
                round: number,
                gold: board.gold.clone().unwrap_or_else(|| board.upper.clone()),
                silver: board.silver().cloned().unwrap_or_else(|| board.lower.clone()),
                attempts: made.iter().map(|(attempt, _)| *attempt).collect(),
                result: board.outcome,
                debt: board.owed().map(|owed| Debt {
                    point: point(pairing, &owed.fact),
                    failure: owed.fact.failure,
                    clocks: owed.fact.clocks,
                }),
            };
            boards.insert(pairing, standing);
            attempts.extend(made);
        }
    }
    let rounds = case.tournament.rounds.keys().copied();
    Course::standing(case.rulebook.readings.rulings, boards, attempts, rounds, started)
}

/// From where the next attempt goes on.
fn point(pairing: Pairing, aside: &SetAside) -> ResumePoint<AttemptOf> {
    ResumePoint { game: AttemptOf { pairing, number: aside.attempt }, ply: aside.ply.unwrap_or(0) }
}

fn attempts_of(
    case: &Case<'_>,
    pairing: Pairing,
    board: &Board,
) -> Vec<(AttemptOf, Attempt<Pairing, AttemptOf>)> {
    let mut numbers: Vec<u32> = board.games.keys().copied().collect();
    numbers.extend(board.set_aside.iter().map(|aside| aside.fact.attempt));
    numbers.extend(board.result_attempt());
    numbers.sort_unstable();
    numbers.dedup();
    let made = |number: u32| {
        let aside = |number| board.set_aside.iter().rev().find(|aside| aside.fact.attempt == number);
        let before = numbers.iter().rev().find(|earlier| **earlier < number);
        let resumes = before.and_then(|earlier| aside(*earlier)).map(|aside| point(pairing, &aside.fact));
        let facts = board.games.get(&number).and_then(|game| case.around.game(game));
        let status = match aside(number) {
            Some(aside) if aside.fact.halted => AttemptStatus::Halted,
            Some(_) => AttemptStatus::Invalidated,
            None if board.outcome.is_some() => AttemptStatus::Over,
            None => AttemptStatus::Open,
        };
        Attempt {
            pairing,
            resumes,
            status,
            plies: facts.map_or(u32::MAX, |facts| facts.plies),
            rated: facts.and_then(|facts| facts.rated).unwrap_or(false),
            clocks: Vec::new(),
        }
    };
    numbers.iter().map(|&number| (AttemptOf { pairing, number }, made(number))).collect()
}
