//! The best round of a list of players by a vector of criteria, with its proof.

use annals_events::PlayerId;
use annals_events::tournament::{Equals, Measure};

use super::ranks::measure;
use super::value::{Value, Worse};
use crate::explain::{Another, CriterionValue};
use crate::pairing::{Candidate, Matching, Optima, PairingError, PairingProblem, WhyNot};
use crate::refusal::Refusal;

#[derive(Debug, Clone)]
pub struct RoundPairing {
    /// The paired players, best first: their indices are the problem's numbers.
    pub ranking: Vec<PlayerId>,
    /// Criteria and values of each candidate.
    pub problem: PairingProblem,
    pub pairing: Matching,
}

impl RoundPairing {
    /// Higher ranked player first, in ranking order.
    pub fn pairs(&self) -> impl Iterator<Item = (&PlayerId, &PlayerId)> {
        self.pairs_of(&self.pairing)
    }

    pub fn pairs_of<'a>(
        &'a self,
        pairing: &'a Matching,
    ) -> impl Iterator<Item = (&'a PlayerId, &'a PlayerId)> {
        pairing.pairs.iter().map(|&(a, b)| (&self.ranking[a], &self.ranking[b]))
    }

    pub fn bye(&self) -> Option<&PlayerId> {
        self.bye_of(&self.pairing)
    }

    pub fn bye_of(&self, pairing: &Matching) -> Option<&PlayerId> {
        pairing.bye.map(|index| &self.ranking[index])
    }

    /// The number of equivalent rounds.
    ///
    /// # Errors
    /// As [`PairingProblem::optima`].
    pub fn optima(&self) -> Result<Optima, Refusal> {
        Ok(self.problem.optima(&self.pairing)?)
    }

    /// Why two players are not paired, or one has no bye.
    ///
    /// # Errors
    /// If a player is not in the round, or there is no bye.
    pub fn why_not(&self, one: &PlayerId, other: Option<&PlayerId>) -> Result<WhyNot, Refusal> {
        let one = self.index(one)?;
        let candidate = match other {
            Some(other) => Candidate::pair(one, self.index(other)?),
            None => Candidate::Bye(one),
        };
        Ok(self.problem.why_not(candidate, &self.pairing)?)
    }

    /// Another round, with its value on each criterion.
    ///
    /// # Errors
    /// If its players are not those of the problem.
    pub fn value_of<'a>(
        &self,
        pairs: impl IntoIterator<Item = (&'a PlayerId, &'a PlayerId)>,
        bye: Option<&PlayerId>,
    ) -> Result<Matching, Refusal> {
        let index = |(one, other)| Ok((self.index(one)?, self.index(other)?));
        let pairs: Vec<(usize, usize)> = pairs.into_iter().map(index).collect::<Result<_, Refusal>>()?;
        let bye = bye.map(|player| self.index(player)).transpose()?;
        Ok(Matching::of(&self.problem, &pairs, bye)?)
    }

    /// A player's number in the problem: the rank, from 0.
    ///
    /// # Errors
    /// If the player is not in the round.
    pub fn index(&self, player: &PlayerId) -> Result<usize, Refusal> {
        let at = self.ranking.iter().position(|other| other == player);
        at.ok_or_else(|| Refusal::lacking(format!("{player} is not among the players who are still in")))
    }

    /// The values as published.
    pub(crate) fn measures(&self, pairing: &Matching) -> Vec<Measure> {
        let reasons = self.problem.reasons(&pairing.value);
        reasons.map(|(criterion, value)| measure(&criterion.counts, [value])).collect()
    }

    pub(crate) fn criteria(&self) -> Vec<CriterionValue> {
        self.problem.reasons(&self.pairing.value).map(CriterionValue::from).collect()
    }

    /// An equivalent round; none if there is only one.
    pub(crate) fn another(&self, optima: &Optima) -> Result<Option<Another>, Refusal> {
        let another = match optima {
            Optima::Exactly(1) | Optima::Only => None,
            Optima::Another(other) => Some(other.clone()),
            Optima::Exactly(_) => self.problem.another(&self.pairing)?,
        };
        let named = |(one, other): (&PlayerId, &PlayerId)| (one.clone(), other.clone());
        Ok(another.map(|another| Another {
            pairs: self.pairs_of(&another).map(named).collect(),
            byes: self.bye_of(&another).cloned().into_iter().collect(),
        }))
    }

    /// Compares a published round with the best.
    ///
    /// # Errors
    /// If its players are not those of the problem.
    pub(crate) fn compare<'a>(
        &self,
        pairs: impl IntoIterator<Item = (&'a PlayerId, &'a PlayerId)>,
        bye: Option<&PlayerId>,
    ) -> Result<Value, Refusal> {
        let found = self.value_of(pairs, bye)?;
        let (criterion, lost) = self.loss(&found);
        let worse = criterion.map(|criterion| Worse {
            criterion: Some(criterion),
            expected: self.expected(),
            found: lost,
        });
        Ok(Value { measures: Some(self.measures(&found)), worse })
    }

    /// The first criterion on which a round is worse than the best, by number and as text.
    pub(crate) fn loss(&self, found: &Matching) -> (Option<usize>, String) {
        let differs = found.value.first_difference(&self.pairing.value);
        let words = differs.map_or("as good on every criterion".to_owned(), |at| {
            let criterion = self.problem.criteria().get(at).map(ToString::to_string).unwrap_or_default();
            let of = |pairing: &Matching| pairing.value.values().get(at).copied().unwrap_or(0);
            format!("{criterion}: {} where {} is possible", of(found), of(&self.pairing))
        });
        (differs, words)
    }

    pub(crate) fn expected(&self) -> String {
        let pairs: Vec<String> = self.pairs().map(|(one, other)| format!("{one}-{other}")).collect();
        format!("a pairing as good as {}", pairs.join(", "))
    }

    /// Pairs and bye as text.
    pub(crate) fn in_words(&self, pairing: &Matching) -> String {
        let pairs = self.pairs_of(pairing).map(|(one, other)| format!("{one}-{other}"));
        let bye = self.bye_of(pairing).map(|player| format!("bye {player}"));
        pairs.chain(bye).collect::<Vec<_>>().join(", ")
    }
}

impl From<PairingError> for Refusal {
    fn from(error: PairingError) -> Refusal {
        Refusal::lacking(error.to_string())
    }
}

impl From<&Optima> for Equals {
    fn from(optima: &Optima) -> Equals {
        match optima {
            Optima::Exactly(rounds) => Equals::Exactly(*rounds),
            Optima::Only => Equals::Exactly(1),
            Optima::Another(_) => Equals::AtLeast(2),
        }
    }
}

pub(crate) fn nth(number: u32) -> String {
    let ending = match (number % 10, number % 100 / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
