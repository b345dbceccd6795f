//! Why a round is as it is: criteria with values, bye, colours, number of equivalents; and why a pair or bye
//! is not in it.

use annals_events::PlayerId;
use annals_events::tournament::{Equals, Ranked, RoundPaired};
use serde::Serialize;

use crate::pairing::Criterion;

/// One criterion with the round's value; less is better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CriterionValue {
    pub paragraph: String,
    pub counts: String,
    pub value: i64,
    #[serde(skip)]
    pub of_bye: bool,
}

impl From<(&Criterion, i64)> for CriterionValue {
    fn from((criterion, value): (&Criterion, i64)) -> CriterionValue {
        let Criterion { paragraph, counts, of_bye } = criterion.clone();
        CriterionValue { paragraph, counts, value, of_bye }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// For example `anna has the bye`.
    pub what: String,
    pub paragraph: String,
    pub because: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColoursExplained {
    /// One board, or those of an encounter.
    #[serde(skip)]
    pub boards: Vec<u32>,
    #[serde(flatten)]
    pub reason: Explained,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundExplanation {
    pub round: u32,
    /// The order used.
    pub order: Vec<Ranked>,
    /// By priority; empty if the format has none.
    pub criteria: Vec<CriterionValue>,
    /// The pairs with their reasons.
    pub pairs: Vec<Explained>,
    pub byes: Vec<Explained>,
    pub colours: Vec<ColoursExplained>,
    /// The number of equivalent rounds, this one included; none if the format leaves no choice.
    pub equals: Option<Equals>,
    /// The pairs of an equivalent round, if one was searched for and found.
    pub another: Option<Vec<(PlayerId, PlayerId)>>,
    pub another_byes: Vec<PlayerId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Another {
    pub pairs: Vec<(PlayerId, PlayerId)>,
    pub byes: Vec<PlayerId>,
}

impl RoundExplanation {
    /// Without reasons, which are added later.
    pub(crate) fn of(paired: &RoundPaired) -> RoundExplanation {
        RoundExplanation {
            round: paired.round,
            order: paired.order.clone(),
            criteria: Vec::new(),
            pairs: Vec::new(),
            byes: Vec::new(),
            colours: Vec::new(),
            equals: paired.equals,
            another: None,
            another_byes: Vec::new(),
        }
    }

    pub(crate) fn with(self, another: Option<Another>) -> RoundExplanation {
        let (another, another_byes) = another.map(|Another { pairs, byes }| (pairs, byes)).unzip();
        RoundExplanation { another, another_byes: another_byes.unwrap_or_default(), ..self }
    }
}

/// Why something is not in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyNot {
    /// For example `anna against bela`.
    pub asked: String,
    /// In the round, or in an equivalent one.
    pub possible: bool,
    /// The paragraph that excludes it.
    pub paragraph: Option<String>,
    /// The first criterion on which the best round with it is worse, and that round's value.
    pub loses_on: Option<(CriterionValue, i64)>,
    pub answer: String,
}
