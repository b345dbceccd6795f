//! What a format of stages provides: the round, the order, the places, and how a published round is checked.

use std::collections::BTreeMap;

use annals_events::tournament::{Pair, RoundPaired, Stage};
use annals_events::{BoardId, TournamentEvent};

use super::byes::same_byes;
use super::colours::{Decided, Decider};
use super::meetings::{Two, two};
use super::proposal::Proposal;
use super::question::Question;
use super::ranks::{Places, RankedPlayer};
use super::value::Value;
use crate::check::checker::Checker;
use crate::explain::WhyNot;
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};
use crate::state::{Board, Tournament};

#[derive(Debug, Clone, Copy)]
pub(crate) struct StageState<'a> {
    pub tournament: &'a Tournament,
    /// The rulebook with its readings.
    pub rulebook: &'a Rulebook,
    pub stage: Stage,
}

impl<'a> StageState<'a> {
    /// The tournament of the checked event.
    pub(crate) fn of(check: &Checker<'a>, stage: Stage) -> StageState<'a> {
        StageState { tournament: check.case.tournament, rulebook: check.case.rulebook, stage }
    }
}

/// The number of rounds of a stage by its number of players.
pub(crate) struct RoundsDue {
    pub stage: Stage,
    pub rounds: u32,
    pub players: u32,
    pub rule: RuleId,
}

/// The ambiguous texts of a stage, by register number.
pub(crate) struct Texts {
    /// For pairings and colours.
    pub rounds: &'static [&'static str],
    /// For ranks and places.
    pub ranking: &'static [&'static str],
}

/// The rules that check a stage's published rounds.
pub(crate) struct RoundRules {
    pub pairing: RuleId,
    pub bye: RuleId,
    pub order: RuleId,
    pub colour: RuleId,
    /// Rules that any comparable round satisfies: that it is due, and who plays.
    pub kept: &'static [RuleId],
    /// Whether coin colours need a recorded coin; else the director decides.
    pub coin_recorded: bool,
}

pub(crate) trait StageFormat {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal>;

    /// The stage of the next round; none if a later stage of the rulebook is due.
    ///
    /// # Errors
    /// If no round can follow: a result is missing, a place has to be ruled, or everything is played.
    fn due(&self, state: &StageState<'_>) -> Result<Option<Stage>, Refusal>;

    /// Whether the format currently ranks the players.
    fn ranks(&self, _state: &StageState<'_>) -> bool {
        true
    }

    /// The number of rounds, which is declared before the first.
    ///
    /// # Errors
    /// If the stage declares no number of rounds, or has too few players.
    fn rounds(&self, state: &StageState<'_>) -> Result<RoundsDue, Refusal> {
        Err(Refusal::lacking(format!("the rulebook {} asks for no number of rounds", state.rulebook.name)))
    }

    fn rank(&self, state: &StageState<'_>) -> Result<Vec<RankedPlayer>, Refusal>;

    /// The places that the rules have decided so far.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal>;

    fn why_not(&self, question: &Question<'_>) -> Result<WhyNot, Refusal>;

    /// The rules that check a published round of a stage.
    fn rules(&self, stage: Stage) -> RoundRules;

    fn texts(&self, stage: Stage) -> Texts;

    /// Compares a published round with the proposed one. Without a choice it has to be that one.
    ///
    /// # Errors
    /// If its players are not those to be paired.
    fn value(
        &self,
        _state: &StageState<'_>,
        proposal: &Proposal,
        paired: &RoundPaired,
    ) -> Result<Value, Refusal> {
        Ok(Value::of_the_only_round(&proposal.paired, paired))
    }

    /// The colours of published pairs by the rules. Pairs without a rule are omitted.
    fn colours<'a>(
        &self,
        _state: &StageState<'_>,
        proposal: &Proposal,
        paired: &'a RoundPaired,
    ) -> Vec<(&'a Pair, Decided)> {
        let due = proposal.paired.pairs.iter().map(|pair| (two(&pair.upper, &pair.lower), pair));
        let due: BTreeMap<Two, &Pair> = due.collect();
        let decided = |pair: &Pair| due.get(&two(&pair.upper, &pair.lower)).copied().map(Decided::from);
        paired.pairs.iter().filter_map(|pair| Some((pair, decided(pair)?))).collect()
    }

    /// What gives the colours of a recorded board.
    ///
    /// # Errors
    /// If the record is incomplete before the board.
    fn decider(&self, state: &StageState<'_>, pairing: BoardId, board: &Board) -> Result<Decider, Refusal>;

    /// Checks of a round that do not depend on the record before it.
    fn check_pairs(&self, _check: &mut Checker<'_>, _paired: &RoundPaired) {}

    fn check_byes(&self, check: &mut Checker<'_>, proposal: &Proposal, paired: &RoundPaired) {
        same_byes(check, self.rules(paired.stage).bye, &proposal.paired, paired);
    }

    /// Checks the other events of a stage: number of rounds, lots, published order.
    fn check_other(&self, _check: &mut Checker<'_>, _event: &TournamentEvent) {}
}

pub(super) fn over(rulebook: &Rulebook, what: impl Into<String>) -> Refusal {
    Refusal::by(rulebook.rule(RuleId::RoundNeeded).or(rulebook.rule(RuleId::RoundOrder)), what)
}
