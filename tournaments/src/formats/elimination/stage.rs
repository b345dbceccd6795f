//! The floating eliminations of 2015 and 2009, with their continuation and playoffs, as a format.

use annals_events::PlayerId;
use annals_events::tournament::{ColourChosen, ColourDrawn, RoundPaired};

use super::{check, explain, places, propose, ranking};
use crate::check::Bench;
use crate::explain::WhyNot;
use crate::formats::{Places, Proof, Proposal, StageFormat, StageState, Standing};
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;

/// A floating elimination.
pub(crate) struct FloatingElimination;

impl StageFormat for FloatingElimination {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal> {
        let mut proposal = propose::next_round(state.tournament, state.rulebook, state.stage)?;
        proposal.reasons = match &proposal.proof {
            Proof::Elimination(round) => explain::explain(&proposal, round, state.rulebook)?,
            _ => explain::explain_playoff(&proposal, state.rulebook)?,
        };
        Ok(proposal)
    }

    fn rank(&self, state: &StageState<'_>) -> Result<Vec<Standing>, Refusal> {
        ranking::ranking(state.tournament, state.rulebook)
    }

    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal> {
        places::places(state.tournament, state.rulebook)
    }

    fn why_not(
        &self,
        rulebook: &Rulebook,
        proposal: &Proposal,
        one: &PlayerId,
        other: Option<&PlayerId>,
    ) -> Result<WhyNot, Refusal> {
        match &proposal.proof {
            Proof::Elimination(round) => explain::why_not(round, rulebook, one, other),
            _ => explain::why_not_playoff(proposal, rulebook, one, other),
        }
    }

    fn check_round(&self, bench: &mut Bench<'_>, paired: &RoundPaired) {
        check::pairing(bench, paired);
    }

    fn check_coin(&self, bench: &mut Bench<'_>, drawn: &ColourDrawn) {
        check::coin(bench, drawn);
    }

    fn check_choice(&self, bench: &mut Bench<'_>, chosen: &ColourChosen) {
        check::choice(bench, chosen);
    }
}
