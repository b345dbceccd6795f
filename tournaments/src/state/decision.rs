//! How far play of a pairing has come, its result and its colours, each with what decided it.

use annals_events::tournament::{ColourChosen, ColourDrawn, Outcome, ResultRecorded};
use annals_events::{Micros, PlayerId, Termination};

use crate::state::Noted;

/// How far play of a pairing has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Play {
    /// It has no result, and may be played.
    Open,
    /// A ruling halted its game, and no other was attached since.
    Halted,
    Decided(Decision),
}

/// The result of a pairing that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub source: ResultSource,
    /// The winner's territory by a ruling, in squares; it replaces that of the source.
    pub territory_ruled: Option<u32>,
}

/// What gave a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultSource {
    Recorded(Noted<ResultRecorded>),
    Ruled {
        outcome: Outcome,
        /// When the pairing had a result: that of the ruling, or of the result that it changed.
        at: Micros,
        /// How the game ended, where the ruling states it.
        termination: Option<Termination>,
        /// The territory of the result before it, which the ruling left as it was.
        territory: Option<u32>,
    },
}

impl Decision {
    /// When the pairing had a result.
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

    /// How the game ended, where stated.
    pub const fn termination(&self) -> Option<Termination> {
        match &self.source {
            ResultSource::Recorded(result) => result.fact.termination,
            ResultSource::Ruled { termination, .. } => *termination,
        }
    }

    /// The winner's territory in squares, where it is known.
    pub fn territory(&self) -> Option<u32> {
        self.territory_ruled.or(match &self.source {
            ResultSource::Recorded(result) => result.fact.territory,
            ResultSource::Ruled { territory, .. } => *territory,
        })
    }

    /// The recorded result; none where a ruling gave it.
    pub const fn recorded(&self) -> Option<&Noted<ResultRecorded>> {
        match &self.source {
            ResultSource::Recorded(result) => Some(result),
            ResultSource::Ruled { .. } => None,
        }
    }
}

/// What decided the colours of a pairing after it was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColourDecision {
    Drawn(Noted<ColourDrawn>),
    /// The choice of a player.
    Chosen(Noted<ColourChosen>),
    /// The ruling of an event: the player who has Gold.
    Ruled(Noted<PlayerId>),
}
