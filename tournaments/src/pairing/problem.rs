//! What is to be paired: so many players in the order of their ranking, the criteria, and every candidate's values.

use std::collections::BTreeMap;

use super::criteria::{Criteria, Criterion};

/// The most players that one round is paired of: the matrix of values is quadratic, and recursion as deep as half of it.
pub const MOST_PLAYERS: usize = 4096;

/// The greatest magnitude of one value: with it no sum over a round comes near the limits of 64 bits.
const GREATEST_VALUE: i64 = 1 << 40;

/// A candidate part of a round. Players are numbers from 0, in the order of the ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Candidate {
    /// Two players meet; the first is higher in the ranking.
    Pair(usize, usize),
    /// A player has the bye.
    Bye(usize),
}

impl Candidate {
    /// A pair, whichever is named first.
    pub fn pair(one: usize, other: usize) -> Candidate {
        Candidate::Pair(one.min(other), one.max(other))
    }
}

/// A candidate that the rules forbid whatever the rest of the round looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// The paragraph that forbids it.
    pub paragraph: String,
    /// Why, such as `has had 2 byes, others only 1`.
    pub because: String,
}

/// Why no round could be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    #[error("there is no player to pair: the field is empty")]
    NobodyToPair,
    #[error("only one player is left: a round needs two")]
    OnlyOnePlayer,
    #[error("{players} players cannot be paired in one round: the limit is {MOST_PLAYERS}")]
    TooManyPlayers { players: usize },
    /// A value beyond what can be added safely.
    #[error(
        "the value {value} of {candidate:?} on the criterion `{criterion}` is too great to be added exactly: at most {GREATEST_VALUE}"
    )]
    ValueTooGreat { candidate: Candidate, criterion: String, value: i64 },
    /// Every round contains something that the rules forbid.
    #[error(
        "no round is allowed: every pairing contains a forbidden pair or bye, such as {paragraph}: {because}"
    )]
    NoAllowedRound { paragraph: String, because: String },
    #[error("{candidate:?} is no candidate: there are {players} players, numbered from 0{}", if players % 2 == 0 { ", and no bye" } else { "" })]
    NoSuchCandidate { candidate: Candidate, players: usize },
    /// The matching was found but its proof does not hold. This is a fault of the program, never of the input.
    #[error(
        "the pairing found is not proven to be the best ({fault}): it is not given out; please report this"
    )]
    Unproven { fault: String },
}

/// Players, criteria and the values of every candidate. Made once for a round.
#[derive(Debug, Clone)]
pub struct PairingProblem {
    criteria: Vec<Criterion>,
    players: usize,
    /// The values of the candidates, by row: first those of vertices (0, 1), (0, 2), …; the bye is the last vertex.
    values: Vec<i64>,
    bars: BTreeMap<(usize, usize), Bar>,
}

impl PairingProblem {
    /// Asks `weigh` for every candidate: it writes the values into a row of zeros, one for each criterion, or forbids
    /// the candidate. Where the number of players is odd, the bye of every player is a candidate too.
    ///
    /// # Errors
    /// When there are fewer than two players or more than [`MOST_PLAYERS`], or a value is beyond 2^40.
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

    /// The criteria, the most important first.
    pub fn criteria(&self) -> &[Criterion] {
        &self.criteria
    }

    pub fn players(&self) -> usize {
        self.players
    }

    /// The values of one candidate.
    ///
    /// # Errors
    /// When it is no candidate here.
    pub fn values(&self, candidate: Candidate) -> Result<Criteria, PairingError> {
        let (a, b) = self.vertices_of(candidate)?;
        Ok(Criteria::from(self.row(a, b).to_vec()))
    }

    /// What forbids a candidate; none when it is allowed.
    ///
    /// # Errors
    /// When it is no candidate here.
    pub fn bar(&self, candidate: Candidate) -> Result<Option<&Bar>, PairingError> {
        Ok(self.bars.get(&self.vertices_of(candidate)?))
    }

    /// Players and, where their number is odd, the bye.
    pub(super) fn vertices(&self) -> usize {
        self.players + self.players % 2
    }

    /// The values of the candidate of two vertices, the lesser first.
    pub(super) fn row(&self, a: usize, b: usize) -> &[i64] {
        debug_assert!(a < b && b < self.vertices());
        let before = a * (2 * self.vertices() - a - 1) / 2;
        let start = (before + b - a - 1) * self.criteria.len();
        &self.values[start..start + self.criteria.len()]
    }

    /// What is forbidden, by vertices.
    pub(super) fn bars(&self) -> &BTreeMap<(usize, usize), Bar> {
        &self.bars
    }

    /// The candidate of two vertices, the lesser first.
    pub(super) fn candidate_of(&self, a: usize, b: usize) -> Candidate {
        if b == self.players { Candidate::Bye(a) } else { Candidate::Pair(a, b) }
    }

    /// The two vertices of a candidate, the lesser first.
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
