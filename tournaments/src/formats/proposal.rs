//! A proposed round with its reasons and proof.

use annals_events::tournament::RoundPaired;
use annals_events::{BoardId, PlayerId};

use super::elimination::FinalRound;
use super::encounters::OlympiadPairing;
use super::ring::RingDraw;
use super::swiss::SwissPairing;
use crate::explain::RoundExplanation;
use crate::rulebook::{Rule, RuleId};

#[derive(Debug, Clone)]
pub struct Proposal {
    /// The round as it is to be recorded.
    pub paired: RoundPaired,
    /// Boards whose colours a coin decides, with the rule.
    pub coins: Vec<(BoardId, Rule)>,
    /// Boards whose colours a player chooses, with the rule.
    pub choices: Vec<(BoardId, PlayerId, Rule)>,
    pub reasons: RoundExplanation,
    /// What the text leaves undetermined and was decided here, with its rule.
    pub(crate) undetermined: Option<(RuleId, &'static str)>,
    pub(crate) proof: Proof,
}

impl Proposal {
    /// A round without coins and choices.
    pub(super) fn of(paired: RoundPaired, reasons: RoundExplanation, proof: Proof) -> Proposal {
        Proposal { paired, coins: Vec::new(), choices: Vec::new(), reasons, undetermined: None, proof }
    }
}

/// What [`why_not`] uses.
#[derive(Debug, Clone)]
pub(crate) enum Proof {
    Elimination(Box<FinalRound>),
    Swiss(Box<SwissPairing>),
    Playoff,
    /// The ring of ratings, or all-play-all.
    Ring(Box<RingDraw>),
    /// All-play-all in encounters.
    AllPlayAll,
    /// The least vector or the walk, over encounters.
    Encounters(Box<OlympiadPairing>),
}
