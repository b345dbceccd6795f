//! A request decided as the command handler decides it: each event that it drafts is checked on the tournament before it,
//! and folded. The first violation refuses the whole.

use annals_events::TournamentEvent;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::{Command, handle, refusal};
use annals_tournaments::refusal::Refusal;
use annals_tournaments::verdict::Verdict;

/// The events of a request, and what the rules say of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub events: Vec<TournamentEvent>,
    pub verdicts: Vec<Verdict>,
}

pub fn decide(case: &JudgingContext<'_>, when: &EventMeta, command: &Command) -> Result<Decision, Refusal> {
    let events = handle(case, when, command)?.events;
    let mut tournament = case.tournament.clone();
    let mut verdicts = Vec::new();
    for (seq, event) in (when.seq..).zip(&events) {
        let when = EventMeta { seq, ..*when };
        let found = check(&JudgingContext { tournament: &tournament, ..*case }, &when, event);
        if let Some(violated) = found.iter().find(|verdict| verdict.is_violation()) {
            return Err(refusal(&tournament, when.at, violated));
        }
        verdicts.extend(found);
        tournament.evolve(seq, when.at, event);
    }
    Ok(Decision { events, verdicts })
}
