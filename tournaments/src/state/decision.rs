//! The play, result and colours of a pairing, each with its source.

use annals_events::tournament::{ColourChosen, ColourDrawn, Outcome, ResultRecorded};
use annals_events::{Micros, PlayerId, Side, Termination};

use crate::state::Noted;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Play {
    /// No result; may be played.
    Open,
    /// A ruling halted its game, and no later one is attached.
    Halted,
    Decided(Decision),
}

/// The result in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub source: ResultSource,
    /// Ruled territory in squares; it replaces that of `source`.
    pub territory_ruled: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultSource {
    Recorded(Noted<ResultRecorded>),
    Ruled {
        outcome: Outcome,
        /// The time of the ruling, or of the result that it changed.
        at: Micros,
        /// If the ruling states it.
        termination: Option<Termination>,
        /// The territory of the previous result, which the ruling kept.
        territory: Option<u32>,
    },
}

impl Decision {
    pub const fn at(&self) -> Micros {
        match &self.source {
            ResultSource::Recorded(result) => result.at,
            ResultSource::Ruled { at, .. } => *at,
        }
    }

    pub const fn outcome(&self) -> Outcome {
        match &self.source {
            ResultSource::Recorded(result) => result.fact.outcome,
            ResultSource::Ruled { outcome, .. } => *outcome,
        }
    }

    pub const fn termination(&self) -> Option<Termination> {
        match &self.source {
            ResultSource::Recorded(result) => result.fact.termination,
            ResultSource::Ruled { termination, .. } => *termination,
        }
    }

    /// In squares, if known.
    pub fn territory(&self) -> Option<u32> {
        self.territory_ruled.or(match &self.source {
            ResultSource::Recorded(result) => result.fact.territory,
            ResultSource::Ruled { territory, .. } => *territory,
        })
    }

    /// None if ruled.
    pub const fn recorded(&self) -> Option<&Noted<ResultRecorded>> {
        match &self.source {
            ResultSource::Recorded(result) => Some(result),
            ResultSource::Ruled { .. } => None,
        }
    }
}

/// What decided the colours after publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColourDecision {
    Drawn(Noted<ColourDrawn>),
    Chosen(Noted<ColourChosen>),
    /// The player with Gold.
    Ruled(Noted<PlayerId>),
}

/// 2 for a win, 1 for a draw, 0 for a loss; none without a decision.
pub(crate) const fn half_points(outcome: Outcome, side: Side) -> Option<u32> {
    match (outcome, side) {
        (Outcome::Gold, Side::Gold) | (Outcome::Silver, Side::Silver) | (Outcome::DoubleWin, _) => Some(2),
        (Outcome::Draw, _) => Some(1),
        (Outcome::Gold | Outcome::Silver | Outcome::DoubleLoss, _) => Some(0),
        (Outcome::NoDecision, _) => None,
    }
}
