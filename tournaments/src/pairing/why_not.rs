//! Why not? The best round that contains a certain pair or bye, and the first criterion on which it loses.

use serde::Serialize;

use super::criteria::{Criteria, Criterion};
use super::problem::{Bar, Candidate, PairingError, PairingProblem};
use super::solve::Matching;

/// What became of a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyNotVerdict {
    /// It is part of the round.
    Chosen,
    Forbidden {
        /// The paragraph that forbids it.
        paragraph: String,
        because: String,
    },
    /// It is allowed, but nothing allowed remains for the others.
    LeavesNoRound,
    /// The best round that contains it is worse.
    Loses {
        /// The first criterion on which it is worse, counted from 0.
        criterion: usize,
        counts: Criterion,
        /// Its value in the chosen round.
        chosen: i64,
        /// Its value in the best round that contains the candidate.
        alternative: i64,
    },
    /// The best round that contains it is as good on every criterion; the canonical choice decided.
    EquallyGood,
}

/// The answer to "why not?".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyNot {
    /// What became of the candidate, and why.
    pub verdict: WhyNotVerdict,
    /// The best round that contains it, where there is one.
    pub alternative: Option<Matching>,
}

impl PairingProblem {
    /// Why a candidate is not part of the round `chosen`, which must be a best one.
    ///
    /// # Errors
    /// When it is no candidate of this problem.
    pub fn why_not(&self, candidate: Candidate, chosen: &Matching) -> Result<WhyNot, PairingError> {
        let (a, b) = self.vertices_of(candidate)?;
        if chosen.partners(self)[a] == b {
            return Ok(WhyNot { verdict: WhyNotVerdict::Chosen, alternative: Some(chosen.clone()) });
        }
        if let Some(Bar { paragraph, because }) = self.bar(candidate)? {
            let verdict = WhyNotVerdict::Forbidden { paragraph: paragraph.clone(), because: because.clone() };
            return Ok(WhyNot { verdict, alternative: None });
        }
        let alternative = match self.best_with(candidate) {
            Ok(alternative) => alternative,
            Err(PairingError::NoAllowedRound { .. }) => {
                return Ok(WhyNot { verdict: WhyNotVerdict::LeavesNoRound, alternative: None });
            }
            Err(error) => return Err(error),
        };
        let verdict = match alternative.value.first_difference(&chosen.value) {
            None => WhyNotVerdict::EquallyGood,
            Some(criterion) => WhyNotVerdict::Loses {
                criterion,
                counts: self.criteria()[criterion].clone(),
                chosen: chosen.value.values()[criterion],
                alternative: alternative.value.values()[criterion],
            },
        };
        Ok(WhyNot { verdict, alternative: Some(alternative) })
    }

    /// The best round that contains a candidate.
    ///
    /// # Errors
    /// When it is no candidate, or leaves no allowed round.
    pub fn best_with(&self, candidate: Candidate) -> Result<Matching, PairingError> {
        let (a, b) = self.vertices_of(candidate)?;
        if let Some(Bar { paragraph, because }) = self.bar(candidate)?.cloned() {
            return Err(PairingError::NoAllowedRound { paragraph, because });
        }
        let others: Vec<usize> = (0..self.vertices()).filter(|vertex| ![a, b].contains(vertex)).collect();
        let rest = self.best_among(&others, self.choice())?;
        let (mut pairs, mut bye) = (rest.pairs, rest.bye);
        match self.candidate_of(a, b) {
            Candidate::Pair(a, b) => pairs.push((a, b)),
            Candidate::Bye(player) => bye = Some(player),
        }
        Matching::of(self, &pairs, bye)
    }

    /// The values of the criteria of a round, each with its criterion, in order: the reasons that come with it.
    pub fn reasons<'a>(&'a self, value: &'a Criteria) -> impl Iterator<Item = (&'a Criterion, i64)> {
        self.criteria().iter().zip(value.values().iter().copied())
    }
}
