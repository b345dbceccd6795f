//! The input of a check: the state before the event, the rulebook, the context in the log, and the event's own times.

use std::sync::Arc;

use annals_events::tournament::{Fees, Ground};
use annals_events::{BoardId, Micros};

use crate::context::TournamentContext;
use crate::formats::proposal::Proposal;
use crate::rulebook::{RuleId, Rulebook};
use crate::state::{Board, Round, Tournament};

#[derive(Clone, Copy)]
pub struct JudgingContext<'a> {
    pub tournament: &'a Tournament,
    /// The rulebook with its readings.
    pub rulebook: &'a Rulebook,
    pub context: &'a dyn TournamentContext,
    /// The next round if it was proposed on this tournament already.
    pub proposal: Option<&'a Arc<Proposal>>,
}

impl<'a> JudgingContext<'a> {
    pub const fn new(
        tournament: &'a Tournament,
        rulebook: &'a Rulebook,
        context: &'a dyn TournamentContext,
    ) -> JudgingContext<'a> {
        JudgingContext { tournament, rulebook, context, proposal: None }
    }

    /// As announced, else as in the rulebook.
    pub(crate) fn fees(&self) -> Option<&'a Fees> {
        let announced = self.tournament.announced.as_ref().and_then(|announced| announced.fees.as_ref());
        announced.or(self.rulebook.fees.as_ref())
    }

    pub(crate) fn series(&self) -> Option<&'a str> {
        let announced = self.tournament.announced.as_ref().and_then(|announced| announced.series.as_deref());
        announced.or(self.rulebook.series)
    }

    /// The announced time control of a round's stage, else the rulebook's.
    pub(crate) fn time_control(&self, round: u32) -> Option<String> {
        let stage = self.tournament.rounds.get(&round)?.stage;
        let plan = self.tournament.announced.as_ref()?.stages.iter().find(|plan| plan.stage == stage);
        let announced = plan.and_then(|plan| plan.time_control.clone());
        announced.or_else(|| self.rulebook.stage(stage)?.time_control.map(str::to_owned))
    }

    pub(crate) fn board(&self, pairing: BoardId) -> Option<(&'a Round, &'a Board)> {
        let round = self.tournament.rounds.get(&pairing.round)?;
        Some((round, round.boards.get(&pairing.board)?))
    }

    pub(crate) fn rules_in(&self, grounds: &[Ground]) -> Vec<RuleId> {
        grounds.iter().filter_map(|ground| Some(self.rulebook.rule_named(&ground.rule)?.id)).collect()
    }
}

/// The event's position and its two times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventMeta {
    pub seq: u64,
    pub at: Micros,
    pub recorded_at: Micros,
    /// The recording time of an import is ignored.
    pub imported: bool,
}
