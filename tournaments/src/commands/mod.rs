//! Deciding: what a director's request makes happen, as events, or why it is refused. Every event is judged as an audit
//! would judge it, on top of those before it; one that departs from a rule is refused with that rule, and nothing of the
//! request happens.

mod announce;
mod close;
mod command;
mod field;
mod lots;
mod money;
mod pair;
mod play;
mod rulings;
mod schedule;

use annals_events::TournamentEvent;

pub use announce::{AnnounceOrder, announcement, published_schedule};
pub use command::Command;

use crate::check::{Case, When, judge};
use crate::refusal::{Refusal, Remedy};
use crate::verdict::{Holds, Verdict};

/// What follows from a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The events to be appended, in order.
    pub events: Vec<TournamentEvent>,
    /// What the rules say of each.
    pub verdicts: Vec<Verdict>,
}

/// Decides about a request, on the tournament as it stands. `when.seq` is the position that the first event would take.
///
/// # Errors
/// The refusal: the rule with its paragraph, or what is lacking.
pub fn decide(case: &Case<'_>, when: &When, command: &Command) -> Result<Decision, Refusal> {
    let events = draft(case, when, command)?;
    let mut tournament = case.tournament.clone();
    let mut verdicts = Vec::new();
    for (seq, event) in (when.seq..).zip(&events) {
        let when = When { seq, ..*when };
        let found = check(&Case { tournament: &tournament, ..*case }, &when, event)?;
        verdicts.extend(found);
        tournament.evolve(seq, when.at, event);
    }
    Ok(Decision { events, verdicts })
}

/// Judges one event, and refuses it where it departs from a rule.
///
/// # Errors
/// The first departure, as a refusal.
pub fn check(case: &Case<'_>, when: &When, event: &TournamentEvent) -> Result<Vec<Verdict>, Refusal> {
    let verdicts = judge(case, when, event);
    for verdict in &verdicts {
        if let Holds::Departs { expected, found } = &verdict.holds {
            let what = format!("{}: {found}; expected: {expected}", verdict.subject);
            return Err(Refusal::by(Some(verdict.rule), what).hint(Remedy::Breach(verdict.rule.id)));
        }
    }
    Ok(verdicts)
}

/// The events that a request stands for.
fn draft(case: &Case<'_>, when: &When, command: &Command) -> Result<Vec<TournamentEvent>, Refusal> {
    match command {
        Command::Record(event) => Ok(vec![(**event).clone()]),
        Command::Qualify { ratings } => field::draft_qualify(case, when, ratings),
        Command::Invite { replaces } => field::draft_invite(case, when, replaces.as_ref()),
        Command::Disqualify { player, cause, reason } => {
            field::draft_disqualify(case, when, player, *cause, reason.as_deref())
        }
        Command::DeclareRounds => lots::declare_rounds(case),
        Command::DrawLots { seed, commitment } => lots::draw_lots(case, seed, commitment.as_deref()),
        Command::ChooseColour { pairing, player, side } => lots::choose_colour(case, *pairing, player, *side),
        Command::Pair { seed } => pair::draft(case, when, seed.as_deref()),
        Command::Start { pairing, game } => play::start(case, *pairing, game.as_ref()),
        Command::Result { pairing, outcome, termination, game, territory } => {
            let said = play::Said { outcome: *outcome, termination: *termination, territory: *territory };
            play::result(case, *pairing, game.as_ref(), &said)
        }
        Command::Forfeit { pairing, absent, waited_until } => {
            play::forfeit(case, *pairing, absent, *waited_until)
        }
        Command::Rule { .. }
        | Command::Dispute { .. }
        | Command::Appeal { .. }
        | Command::DecideAppeal { .. } => rulings::draft(case, command),
        Command::Schedule { pairing, at, reason } => {
            schedule::appoint(case, *pairing, *at, reason.as_deref())
        }
        Command::Notify { stage } => schedule::notify(case, *stage),
        Command::Award => money::award(case),
        Command::Refund => money::refund(case),
        Command::Close { note } => close::draft(case, note.as_deref()),
    }
}
