//! The best round with a certain pair or bye, and the first criterion on which it is worse.

use serde::Serialize;

use super::criteria::{Criteria, Criterion};
use super::problem::{Bar, Candidate, PairingError, PairingProblem};
use super::solve::Matching;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyNotVerdict {
    Chosen,
    Forbidden {
        paragraph: String,
        because: String,
    },
    /// Allowed, but no allowed round contains it.
    LeavesNoRound,
    /// The best round with it is worse.
    Loses {
        /// The first worse criterion, from 0.
        criterion: usize,
        counts: Criterion,
        chosen: i64,
        /// The value in the best round with the candidate.
        alternative: i64,
    },
    /// As good on every criterion; the canonical choice decided.
    EquallyGood,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyNot {
    pub verdict: WhyNotVerdict,
    /// The best round with it, if any.
    pub alternative: Option<Matching>,
}

impl PairingProblem {
    /// Why a candidate is not in `chosen`, a best round.
    ///
    /// # Errors
    /// If it is not a candidate.
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

    /// The best round with a candidate.
    ///
    /// # Errors
    /// If it is not a candidate, or no allowed round contains it.
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

    /// The value of each criterion, in order.
    pub fn reasons<'a>(&'a self, value: &'a Criteria) -> impl Iterator<Item = (&'a Criterion, i64)> {
        self.criteria().iter().zip(value.values().iter().copied())
    }
}
