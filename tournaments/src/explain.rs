//! Why a round is as it is: the criteria in their order with their values, the bye, the colours, how many rounds are as
//! good; and why two players, or a bye, are not in it.

use annals_events::PlayerId;
use annals_events::tournament::{Equals, Ranked};
use serde::Serialize;

use crate::formats::{NextRound, Proof};
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;

/// One criterion of a round: what it counts, and what the round measures on it. Less is better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CriterionValue {
    /// The paragraph.
    pub paragraph: String,
    /// What is counted.
    pub counts: String,
    /// The value of the round.
    pub value: i64,
}

/// A decision with its paragraph and reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// What was decided: `anna has the bye`, `anna has Gold against bela`.
    pub what: String,
    /// The paragraph.
    pub paragraph: String,
    /// Why.
    pub because: String,
}

/// A round with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundExplanation {
    /// The round.
    pub round: u32,
    /// The order that it rests on.
    pub order: Vec<Ranked>,
    /// The criteria, the most important first; empty where the format has none.
    pub criteria: Vec<CriterionValue>,
    /// The pairs, each with how it came about.
    pub pairs: Vec<Explained>,
    /// The byes.
    pub byes: Vec<Explained>,
    /// The colours.
    pub colours: Vec<Explained>,
    /// How many rounds are as good, itself counted; none where the format leaves no choice.
    pub equals: Option<Equals>,
    /// Another round that is as good, where there is one and it was looked for.
    pub another: Option<Vec<(PlayerId, PlayerId)>>,
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
    /// The answer in words.
    pub answer: String,
}

/// Explains a round.
///
/// # Errors
/// When the proof cannot be read, which is an error of ours.
pub fn explain(next: &NextRound, rulebook: &Rulebook) -> Result<RoundExplanation, Refusal> {
    match &next.proof {
        Proof::Elimination(round) => crate::formats::elimination::explain::explain(next, round, rulebook),
        Proof::Playoff => crate::formats::elimination::explain::explain_playoff(next, rulebook),
        Proof::Swiss(pairing) => crate::formats::swiss::explain::explain(next, pairing, rulebook),
        Proof::Ring(draw) => crate::formats::ring::explain::explain(next, draw, rulebook),
        Proof::AllPlayAll => crate::formats::encounters::explain::explain_all(next, rulebook),
        Proof::Encounters(pairing) => crate::formats::encounters::explain::explain(next, pairing, rulebook),
    }
}

/// Why two players do not meet in a round; with nobody named as the other, why the one has no bye.
///
/// # Errors
/// When somebody is not in the round.
pub fn why_not(
    next: &NextRound,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    match &next.proof {
        Proof::Elimination(round) => {
            crate::formats::elimination::explain::why_not(round, rulebook, one, other)
        }
        Proof::Playoff => crate::formats::elimination::explain::why_not_playoff(next, rulebook, one, other),
        Proof::Swiss(pairing) => crate::formats::swiss::explain::why_not(pairing, rulebook, one, other),
        Proof::Ring(draw) => crate::formats::ring::explain::why_not(draw, rulebook, one, other),
        Proof::AllPlayAll => crate::formats::encounters::explain::why_not_all(next, rulebook, one, other),
        Proof::Encounters(pairing) => {
            crate::formats::encounters::explain::why_not(pairing, rulebook, one, other)
        }
    }
}
