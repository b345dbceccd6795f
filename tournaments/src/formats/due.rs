//! Which stage is due, and which one ranks the players.

use annals_events::tournament::Stage;

use super::dispatch::module;
use super::elimination::finalists::final_begins;
use super::stage_format::{StageFormat, StageState};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Tournament;

/// The stage of the next round.
///
/// # Errors
/// If no further round can be paired: a stage is to be concluded first, or the tournament is over.
pub fn next_stage(tournament: &Tournament, rulebook: &Rulebook) -> Result<Stage, Refusal> {
    if tournament.closed.is_some() {
        return Err(Refusal::by(rulebook.rule(RuleId::Closed), "the tournament is closed").hint(Remedy::Show));
    }
    for rules in &rulebook.stages {
        let Some(format) = module(&rules.format) else { continue };
        if let Some(stage) = format.due(&StageState { tournament, rulebook, stage: rules.stage })? {
            return Ok(stage);
        }
    }
    Err(Refusal::lacking(format!("the rulebook {} has no stage with rounds", rulebook.name)))
}

/// The format that ranks the players at present, with its stage; none if nothing can be ranked yet.
pub(super) fn ranked<'a>(
    tournament: &'a Tournament,
    rulebook: &'a Rulebook,
) -> Option<(&'static dyn StageFormat, StageState<'a>)> {
    for rules in &rulebook.stages {
        let state = StageState { tournament, rulebook, stage: rules.stage };
        match module(&rules.format) {
            Some(format) if format.ranks(&state) => return Some((format, state)),
            // A stage without rounds ranks no player until its order is published.
            None if final_begins(tournament).is_none() && tournament.order_to_final().is_none() => {
                return None;
            }
            _ => {}
        }
    }
    None
}
