use std::collections::BTreeMap;

use super::criteria::{Criteria, Criterion};

/// The matrix of values is quadratic, and recursion is half as deep.
pub const MOST_PLAYERS: usize = 4096;

/// Greatest magnitude of a value, so that no sum over a round approaches 64 bits.
const GREATEST_VALUE: i64 = 1 << 40;

/// A part of a round. Players are numbers from 0, in ranking order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Candidate {
    /// The first is higher in the ranking.
    Pair(usize, usize),
    Bye(usize),
}

impl Candidate {
    /// In either order.
    pub fn pair(one: usize, other: usize) -> Candidate {
        Candidate::Pair(one.min(other), one.max(other))
    }
}

/// Forbids a candidate for any other parts of the round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub paragraph: String,
    /// For example `has had 2 byes, others only 1`.
    pub because: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    #[error("there is no player to pair: the field is empty")]
    NobodyToPair,
    #[error("only one player is left: a round needs two")]
    OnlyOnePlayer,
    #[error("{players} players cannot be paired in one round: the limit is {MOST_PLAYERS}")]
    TooManyPlayers { players: usize },
    #[error(
        "the value {value} of {candidate:?} on the criterion `{criterion}` is too great to be added exactly: at most {GREATEST_VALUE}"
    )]
    ValueTooGreat { candidate: Candidate, criterion: String, value: i64 },
    /// Every round contains a forbidden part.
    #[error(
        "no round is allowed: every pairing contains a forbidden pair or bye, such as {paragraph}: {because}"
    )]
    NoAllowedRound { paragraph: String, because: String },
    #[error("{candidate:?} is no candidate: there are {players} players, numbered from 0{}", if players % 2 == 0 { ", and no bye" } else { "" })]
    NoSuchCandidate { candidate: Candidate, players: usize },
    /// The proof of the matching failed: an error in the program, not in the input.
    #[error(
        "the pairing found is not proven to be the best ({fault}): it is not given out; please report this"
    )]
    Unproven { fault: String },
}

#[derive(Debug, Clone)]
pub struct PairingProblem {
    criteria: Vec<Criterion>,
    players: usize,
    /// Rows of the candidates by vertices (0, 1), (0, 2), …; the bye is the last vertex.
    values: Vec<i64>,
    bars: BTreeMap<(usize, usize), Bar>,
}

impl PairingProblem {
    /// Calls `weigh` for every candidate, which writes values into a row of zeros, one per criterion, or
    /// forbids the candidate. With an odd number of players every bye is a candidate.
    ///
    /// # Errors
    /// With fewer than two players or more than [`MOST_PLAYERS`], or a value beyond 2^40.
    pub fn new(
        criteria: Vec<Criterion>,
        players: usize,
        mut weigh: impl FnMut(Candidate, &mut [i64]) -> Result<(), Bar>,
    ) -> Result<PairingProblem, PairingError> {
        match players {
            0 => return Err(PairingError::NobodyToPair),
            1 => return Err(PairingError::OnlyOnePlayer),
            _ if players > MOST_PLAYERS => return Err(PairingError::TooManyPlayers { players }),
            _ => {}
        }
        let vertices = players + players % 2;
        let mut values = vec![0; vertices * (vertices - 1) / 2 * criteria.len()];
        let mut bars = BTreeMap::new();
        let mut start = 0;
        for a in 0..vertices {
            for b in a + 1..vertices {
                let candidate = if b == players { Candidate::Bye(a) } else { Candidate::Pair(a, b) };
                let row = &mut values[start..start + criteria.len()];
                start += criteria.len();
                if let Err(bar) = weigh(candidate, row) {
                    bars.insert((a, b), bar);
                    row.fill(0);
                }
                if let Some(index) = row.iter().position(|value| value.unsigned_abs() > GREATEST_VALUE as u64)
                {
                    let criterion = criteria[index].counts.clone();
                    return Err(PairingError::ValueTooGreat { candidate, criterion, value: row[index] });
                }
            }
        }
        Ok(PairingProblem { criteria, players, values, bars })
    }

    pub fn criteria(&self) -> &[Criterion] {
        &self.criteria
    }

    pub fn players(&self) -> usize {
        self.players
    }

    /// # Errors
    /// If it is not a candidate.
    pub fn values(&self, candidate: Candidate) -> Result<Criteria, PairingError> {
        let (a, b) = self.vertices_of(candidate)?;
        Ok(Criteria::from(self.row(a, b).to_vec()))
    }

    /// None if it is allowed.
    ///
    /// # Errors
    /// If it is not a candidate.
    pub fn bar(&self, candidate: Candidate) -> Result<Option<&Bar>, PairingError> {
        Ok(self.bars.get(&self.vertices_of(candidate)?))
    }

    /// The players, and the bye if their number is odd.
    pub(super) fn vertices(&self) -> usize {
        self.players + self.players % 2
    }

    /// Values of two vertices, the lesser first.
    pub(super) fn row(&self, a: usize, b: usize) -> &[i64] {
        debug_assert!(a < b && b < self.vertices());
        let before = a * (2 * self.vertices() - a - 1) / 2;
        let start = (before + b - a - 1) * self.criteria.len();
        &self.values[start..start + self.criteria.len()]
    }

    pub(super) fn bars(&self) -> &BTreeMap<(usize, usize), Bar> {
        &self.bars
    }

    /// The lesser vertex first.
    pub(super) fn candidate_of(&self, a: usize, b: usize) -> Candidate {
        if b == self.players { Candidate::Bye(a) } else { Candidate::Pair(a, b) }
    }

    /// The lesser first.
    pub(super) fn vertices_of(&self, candidate: Candidate) -> Result<(usize, usize), PairingError> {
        let (a, b) = match candidate {
            Candidate::Pair(one, other) => (one.min(other), one.max(other)),
            Candidate::Bye(player) if self.players % 2 == 1 && player < self.players => {
                return Ok((player, self.players));
            }
            Candidate::Bye(_) => {
                return Err(PairingError::NoSuchCandidate { candidate, players: self.players });
            }
        };
        if a == b || b >= self.players {
            return Err(PairingError::NoSuchCandidate { candidate, players: self.players });
        }
        Ok((a, b))
    }
}
