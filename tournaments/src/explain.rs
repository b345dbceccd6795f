//! Why a round is as it is: the criteria in their order with their values, the bye, the colours, how many rounds are as
//! good; and why two players, or a bye, are not in it.

use annals_events::PlayerId;
use annals_events::tournament::{Equals, Ranked, RoundPaired};
use serde::Serialize;

use crate::pairing::Criterion;

/// One criterion of a round: what it counts, and what the round measures on it. Less is better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CriterionValue {
    pub paragraph: String,
    pub counts: String,
    /// The value of the round.
    pub value: i64,
    /// Whether it is about the player with the bye.
    #[serde(skip)]
    pub of_bye: bool,
}

impl From<(&Criterion, i64)> for CriterionValue {
    fn from((criterion, value): (&Criterion, i64)) -> CriterionValue {
        let Criterion { paragraph, counts, of_bye } = criterion.clone();
        CriterionValue { paragraph, counts, value, of_bye }
    }
}

/// A decision with its paragraph and reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// What was decided: `anna has the bye`, `anna has Gold against bela`.
    pub what: String,
    pub paragraph: String,
    pub because: String,
}

/// The colours of boards with their paragraph and reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColoursExplained {
    /// The boards: one, or those of an encounter.
    #[serde(skip)]
    pub boards: Vec<u32>,
    #[serde(flatten)]
    pub reason: Explained,
}

/// A round with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundExplanation {
    pub round: u32,
    /// The order that it rests on.
    pub order: Vec<Ranked>,
    /// The criteria, the most important first; empty where the format has none.
    pub criteria: Vec<CriterionValue>,
    /// The pairs, each with how it came about.
    pub pairs: Vec<Explained>,
    pub byes: Vec<Explained>,
    pub colours: Vec<ColoursExplained>,
    /// How many rounds are as good, itself counted; none where the format leaves no choice.
    pub equals: Option<Equals>,
    /// The pairs of another round that is as good, where there is one and it was looked for.
    pub another: Option<Vec<(PlayerId, PlayerId)>>,
    pub another_byes: Vec<PlayerId>,
}

/// Another round that is as good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Another {
    pub pairs: Vec<(PlayerId, PlayerId)>,
    pub byes: Vec<PlayerId>,
}

impl RoundExplanation {
    /// The order of a round, and how many are as good; reasons are yet to come.
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

    /// With another round that is as good, where there is one.
    pub(crate) fn with(self, another: Option<Another>) -> RoundExplanation {
        let (another, another_byes) = another.map(|Another { pairs, byes }| (pairs, byes)).unzip();
        RoundExplanation { another, another_byes: another_byes.unwrap_or_default(), ..self }
    }
}

/// Why something is not in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyNot {
    /// What was asked about: `anna against bela`, `a bye for anna`.
    pub asked: String,
    /// Whether it is in the round after all, or in one that is as good.
    pub possible: bool,
    /// The paragraph that decides against it.
    pub paragraph: Option<String>,
    /// The first criterion on which the best round with it loses, with both values.
    pub loses_on: Option<(CriterionValue, i64)>,
    pub answer: String,
}
