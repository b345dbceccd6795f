//! The best round, canonical among equals, and whether it is unique.

use serde::Serialize;

use super::blossom;
use super::certificate;
use super::criteria::Criteria;
use super::limbs::{Limbs, TieBreakRule};
use super::problem::{PairingError, PairingProblem};
use super::subsets::{self, COUNTED_PLAYERS};
use super::weight::{Lex, LongLex, Weight};

/// The most players for a canonical choice among equals. Above, the choice is deterministic but follows no
/// rule.
pub const CANONICAL_PLAYERS: usize = 64;

/// A round with its value. Players are numbers from 0 in ranking order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Matching {
    /// The higher ranked player first, in ranking order.
    pub pairs: Vec<(usize, usize)>,
    /// If the number of players is odd.
    pub bye: Option<usize>,
    /// The sum over pairs and bye.
    pub value: Criteria,
}

impl Matching {
    /// Any round with its value. Does not check that every player appears once.
    ///
    /// # Errors
    /// If a pair or the bye is not a candidate.
    pub fn of(
        problem: &PairingProblem,
        pairs: &[(usize, usize)],
        bye: Option<usize>,
    ) -> Result<Matching, PairingError> {
        use super::problem::Candidate;
        let mut pairs: Vec<(usize, usize)> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        pairs.sort_unstable();
        let mut value = Criteria::zero(problem.criteria().len());
        for &(a, b) in &pairs {
            value += problem.values(Candidate::Pair(a, b))?.values();
        }
        if let Some(player) = bye {
            value += problem.values(Candidate::Bye(player))?.values();
        }
        Ok(Matching { pairs, bye, value })
    }

    /// Per vertex; the bye is the last.
    pub(super) fn partners(&self, problem: &PairingProblem) -> Vec<usize> {
        let mut partners = vec![usize::MAX; problem.vertices()];
        let bye = self.bye.map(|player| (player, problem.players()));
        for (a, b) in self.pairs.iter().copied().chain(bye) {
            partners[a] = b;
            partners[b] = a;
        }
        partners
    }
}

/// The number of rounds as good as the best.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Optima {
    /// Counted, up to [`COUNTED_PLAYERS`] players.
    Exactly(u64),
    /// The best round is unique.
    Only,
    /// Another one, with as few common pairs as possible.
    Another(Matching),
}

impl PairingProblem {
    /// The best round, canonical among equals up to [`CANONICAL_PLAYERS`] players.
    ///
    /// # Errors
    /// If every round contains a forbidden part.
    pub fn best(&self) -> Result<Matching, PairingError> {
        let all: Vec<usize> = (0..self.vertices()).collect();
        self.best_among(&all, self.choice())
    }

    /// The number of rounds as good as `best`, a best round: counted up to [`COUNTED_PLAYERS`] players, above
    /// whether it is unique.
    ///
    /// # Errors
    /// If every round contains a forbidden part, or `best` is not a best round.
    pub fn optima(&self, best: &Matching) -> Result<Optima, PairingError> {
        if self.players() <= COUNTED_PLAYERS {
            let (value, rounds) = subsets::count(self)?;
            if value != best.value {
                let fault =
                    format!("counted over subsets the best value is {value}, here it is {}", best.value);
                return Err(PairingError::Unproven { fault });
            }
            return Ok(Optima::Exactly(rounds));
        }
        Ok(self.another(best)?.map_or(Optima::Only, Optima::Another))
    }

    /// Another round as good as `best`, a best round, with as few common pairs as possible; none if it is
    /// unique.
    ///
    /// # Errors
    /// If every round contains a forbidden part.
    pub fn another(&self, best: &Matching) -> Result<Option<Matching>, PairingError> {
        let partners = best.partners(self);
        let all: Vec<usize> = (0..self.vertices()).collect();
        let apart = self.best_among(&all, TieBreakRule::Apart(&partners))?;
        Ok(Some(apart).filter(|apart| apart.pairs != best.pairs || apart.bye != best.bye))
    }

    pub(super) fn choice(&self) -> TieBreakRule<'static> {
        if self.players() <= CANONICAL_PLAYERS { TieBreakRule::Canonical } else { TieBreakRule::Any }
    }

    /// The best matching of vertices in rising order.
    pub(super) fn best_among(
        &self,
        vertices: &[usize],
        choice: TieBreakRule<'_>,
    ) -> Result<Matching, PairingError> {
        let limbs = Limbs::plan(self, vertices, choice);
        let partners = match limbs.width {
            1 => solve::<Lex<1>>(&limbs),
            2 => solve::<Lex<2>>(&limbs),
            3 | 4 => solve::<Lex<4>>(&limbs),
            5..=8 => solve::<Lex<8>>(&limbs),
            _ => solve::<LongLex>(&limbs),
        }
        .map_err(|fault| PairingError::Unproven { fault })?;
        let (mut pairs, mut bye) = (Vec::new(), None);
        for (at, &partner) in partners.iter().enumerate().filter(|(at, partner)| at < partner) {
            let (a, b) = (vertices[at], vertices[partner]);
            if let Some(bar) = self.bars().get(&(a, b)) {
                let (paragraph, because) = (bar.paragraph.clone(), bar.because.clone());
                return Err(PairingError::NoAllowedRound { paragraph, because });
            }
            if b == self.players() {
                bye = Some(a);
            } else {
                pairs.push((a, b));
            }
        }
        Matching::of(self, &pairs, bye)
    }
}

/// Proven.
fn solve<W: Weight>(limbs: &Limbs) -> Result<Vec<usize>, String> {
    let matched = blossom::least::<W>(limbs.vertices(), limbs.weights(), W::zero(limbs.width))?;
    certificate::check(&matched, limbs.width)?;
    Ok(matched.partners)
}
