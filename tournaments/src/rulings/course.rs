//! The course of a tournament so far: its rounds, pairings and attempts, and what an act does to them.

use std::collections::BTreeMap;

use annals_events::tournament::Clocks;

use super::act::{Act, Attempt, AttemptStatus, Board, Consequence, Debt, ResumePoint};
use super::reading::{ResumedRating, RoundBegins, RulingReadings};
use super::refusal::Refusal;

/// Rounds, pairings and attempts as they stand after the acts so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course<K, G, P> {
    /// How ambiguous texts are read.
    pub(super) readings: RulingReadings,
    /// The pairings of each round that is paired.
    pub(super) rounds: BTreeMap<u32, Vec<K>>,
    /// The pairings.
    pub(super) boards: BTreeMap<K, Board<G, P>>,
    /// The games, those of revoked pairings too.
    pub(super) attempts: BTreeMap<G, Attempt<K, G>>,
    /// The last round of which a game has started; 0 before.
    pub(super) started: u32,
}

impl<K: Clone + Ord, G: Clone + Ord, P: Clone + PartialEq> Course<K, G, P> {
    /// A course in which nothing has happened.
    #[must_use]
    pub fn new(readings: RulingReadings) -> Course<K, G, P> {
        Course {
            readings,
            rounds: BTreeMap::new(),
            boards: BTreeMap::new(),
            attempts: BTreeMap::new(),
            started: 0,
        }
    }

    /// A course as a record makes it: pairings with their attempts, and the last round of which a game has started.
    /// Whatever of it was not allowed stands all the same.
    #[must_use]
    pub fn standing(
        readings: RulingReadings,
        boards: BTreeMap<K, Board<G, P>>,
        attempts: BTreeMap<G, Attempt<K, G>>,
        rounds: impl IntoIterator<Item = u32>,
        started: u32,
    ) -> Course<K, G, P> {
        let mut by_round: BTreeMap<u32, Vec<K>> =
            rounds.into_iter().map(|round| (round, Vec::new())).collect();
        for (pairing, board) in &boards {
            by_round.entry(board.round).or_default().push(pairing.clone());
        }
        Course { readings, rounds: by_round, boards, attempts, started }
    }

    /// A pairing as it stands; none where there is no such pairing, or it was revoked.
    #[must_use]
    pub fn board(&self, pairing: &K) -> Option<&Board<G, P>> {
        self.boards.get(pairing)
    }

    /// A game as it stands.
    #[must_use]
    pub fn attempt(&self, game: &G) -> Option<&Attempt<K, G>> {
        self.attempts.get(game)
    }

    /// The pairings of a round; none where it is not paired.
    #[must_use]
    pub fn round(&self, round: u32) -> Option<&[K]> {
        self.rounds.get(&round).map(Vec::as_slice)
    }

    /// The last round that has begun; 0 before the first.
    #[must_use]
    pub fn begun(&self) -> u32 {
        match self.readings.round_begins {
            RoundBegins::FirstGameStarted => self.started,
            RoundBegins::Paired => self.rounds.keys().next_back().copied().unwrap_or(0).max(self.started),
        }
    }

    /// The first pairing of a round that has no result.
    #[must_use]
    pub fn open_board(&self, round: u32) -> Option<&K> {
        let pairings = self.rounds.get(&round)?;
        pairings.iter().find(|pairing| self.boards.get(*pairing).is_none_or(|board| board.result.is_none()))
    }

    /// The clocks after a ply of a game, which may have been played in the game that it goes on from; none where they are
    /// not known.
    #[must_use]
    pub fn clocks_at(&self, game: &G, ply: u32) -> Option<Clocks> {
        let mut attempt = self.attempts.get(game)?;
        loop {
            let start = attempt.resumes.as_ref().map_or(0, |point| point.ply);
            if ply >= start {
                let index = usize::try_from(ply - start).ok()?;
                return attempt.clocks.get(index).copied().flatten();
            }
            // What a game goes on from started before it, so this comes to an end.
            attempt = self.attempts.get(&attempt.resumes.as_ref()?.game)?;
        }
    }

    /// Carries out an act, and says what follows from it beyond the act itself.
    ///
    /// # Errors
    ///
    /// When it is not allowed; then nothing has changed.
    pub fn apply(&mut self, act: &Act<K, G, P>) -> Result<Vec<Consequence<K, G>>, Refusal<K, G>> {
        self.judge(act)?;
        let mut follows = Vec::new();
        match act {
            Act::RoundPaired { round, boards } => {
                for pairing in self.rounds.remove(round).into_iter().flatten() {
                    self.boards.remove(&pairing);
                }
                self.rounds.insert(*round, boards.iter().map(|board| board.pairing.clone()).collect());
                for board in boards {
                    let fresh = Board {
                        round: *round,
                        gold: board.gold.clone(),
                        silver: board.silver.clone(),
                        attempts: Vec::new(),
                        result: None,
                        debt: None,
                    };
                    self.boards.insert(board.pairing.clone(), fresh);
                }
            }
            Act::GameStarted { pairing, game, resumes, clocks, .. } => {
                self.start(pairing, game, resumes.as_ref(), *clocks);
            }
            Act::PlyPlayed { game, clocks } => {
                if let Some(attempt) = self.attempts.get_mut(game) {
                    attempt.plies = attempt.plies.saturating_add(1);
                    attempt.clocks.push(*clocks);
                }
            }
            Act::GameEnded { game, outcome } => {
                if let Some(attempt) = self.attempts.get_mut(game) {
                    attempt.status = AttemptStatus::Over;
                    if let Some(board) = self.boards.get_mut(&attempt.pairing) {
                        board.result = Some(*outcome);
                    }
                }
            }
            Act::Forfeited { pairing, outcome } | Act::ResultSet { pairing, outcome } => {
                if let Some(board) = self.boards.get_mut(pairing) {
                    board.result = Some(*outcome);
                    board.debt = None;
                    for game in &board.attempts {
                        if let Some(attempt) = self.attempts.get_mut(game)
                            && attempt.status == AttemptStatus::Open
                        {
                            attempt.status = AttemptStatus::Over;
                            follows.push(Consequence::GameClosed { game: game.clone() });
                        }
                    }
                    if let Act::ResultSet { .. } = act {
                        let round = board.round;
                        self.revoke_after(round, &mut follows);
                    }
                }
            }
            Act::Halted { point, failure, clocks } => {
                let debt = self.debt(point, *failure, *clocks);
                self.set_aside(debt, AttemptStatus::Halted, &mut follows);
            }
            Act::Invalidated { point, failure, clocks } => {
                let debt = self.debt(point, *failure, *clocks);
                self.set_aside(debt, AttemptStatus::Invalidated, &mut follows);
            }
            Act::ColoursSet { pairing, gold } => {
                if let Some(board) = self.boards.get_mut(pairing)
                    && board.gold != *gold
                {
                    std::mem::swap(&mut board.gold, &mut board.silver);
                }
            }
        }
        Ok(follows)
    }

    fn start(&mut self, pairing: &K, game: &G, resumes: Option<&ResumePoint<G>>, clocks: Option<Clocks>) {
        let Some(board) = self.boards.get_mut(pairing) else { return };
        let debt = board.debt.take();
        let rated = board.attempts.is_empty() || self.readings.resumed_rating == ResumedRating::Rated;
        board.attempts.push(game.clone());
        self.started = self.started.max(board.round);
        let attempt = Attempt {
            pairing: pairing.clone(),
            plies: resumes.map_or(0, |point| point.ply),
            resumes: resumes.cloned(),
            status: AttemptStatus::Open,
            rated,
            clocks: vec![clocks.or_else(|| debt.and_then(|debt| debt.clocks))],
        };
        self.attempts.insert(game.clone(), attempt);
    }

    fn debt(
        &self,
        point: &ResumePoint<G>,
        failure: annals_events::tournament::Failure,
        clocks: Option<Clocks>,
    ) -> Debt<G> {
        let clocks = clocks.or_else(|| self.clocks_at(&point.game, point.ply));
        Debt { point: point.clone(), failure, clocks }
    }

    /// Takes a game out of force: it is unrated, its pairing has no result and is owed another attempt, and what was
    /// paired upon it is revoked.
    fn set_aside(&mut self, debt: Debt<G>, status: AttemptStatus, follows: &mut Vec<Consequence<K, G>>) {
        let point = debt.point.clone();
        let Some(attempt) = self.attempts.get_mut(&point.game) else { return };
        attempt.status = status;
        if std::mem::replace(&mut attempt.rated, false) {
            follows.push(Consequence::MadeUnrated { game: point.game.clone() });
        }
        let pairing = attempt.pairing.clone();
        let Some(board) = self.boards.get_mut(&pairing) else { return };
        board.debt = Some(debt);
        let round = board.round;
        if board.result.take().is_some() {
            follows.push(Consequence::ResultRemoved { pairing: pairing.clone() });
            self.revoke_after(round, follows);
        }
        follows.push(Consequence::AttemptDue { pairing, point });
    }

    /// Revokes every round after the given one. None of them has begun, or the act would have been refused.
    fn revoke_after(&mut self, round: u32, follows: &mut Vec<Consequence<K, G>>) {
        for (later, pairings) in self.rounds.split_off(&round.saturating_add(1)) {
            for pairing in pairings {
                self.boards.remove(&pairing);
            }
            follows.push(Consequence::RoundRevoked { round: later });
        }
    }
}
