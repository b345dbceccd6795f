//! A director's command as draft events. The caller checks and folds each before the next.

mod announce;
mod close;
mod command;
mod field;
mod lots;
mod money;
mod pair;
mod play;
mod remedy;
mod rulings;
mod schedule;

use std::sync::Arc;

use annals_events::{Micros, TournamentEvent};

pub use announce::{AnnounceOrder, announcement};
pub use command::Command;

use crate::check::{EventMeta, JudgingContext};
use crate::formats::Proposal;
use crate::refusal::Refusal;
use crate::state::Tournament;
use crate::verdict::{Compliance, Verdict};

/// A violation as the refusal of the command, with the next step in this tournament.
pub fn refusal(tournament: &Tournament, at: Micros, verdict: &Verdict) -> Refusal {
    let what = match &verdict.holds {
        Compliance::Violation { expected, found } => {
            format!("{}: {found}; expected: {expected}", verdict.subject)
        }
        other => format!("{}: {}", verdict.subject, other.word()),
    };
    Refusal::by(Some(verdict.rule), what).hint(remedy::of(tournament, at, verdict)).in_state(tournament)
}

/// The events of a request.
#[derive(Debug, Clone)]
pub struct Drafts {
    pub events: Vec<TournamentEvent>,
    /// The round that the first event publishes, if it pairs one.
    pub proposal: Option<Arc<Proposal>>,
}

/// Drafts the events of a command. `when.seq` is the position of the first event.
///
/// # Errors
/// A missing fact, or the rule that forbids the event.
pub fn handle(case: &JudgingContext<'_>, when: &EventMeta, command: &Command) -> Result<Drafts, Refusal> {
    drafts(case, when, command).map_err(|refusal| refusal.in_state(case.tournament))
}

fn drafts(case: &JudgingContext<'_>, when: &EventMeta, command: &Command) -> Result<Drafts, Refusal> {
    let events = match command {
        Command::Record(event) => Ok(vec![(**event).clone()]),
        Command::Qualify => field::draft_qualify(case),
        Command::Invite { replaces } => field::draft_invite(case, when, replaces.as_ref()),
        Command::Disqualify { player, cause, reason, rules } => {
            let why = field::Cause { cause: *cause, reason: reason.as_deref(), rules };
            field::draft_disqualify(case, when, player, &why)
        }
        Command::DeclareRounds => lots::declare_rounds(case),
        Command::DrawLots { seed, commitment } => lots::draw_lots(case, seed, commitment.as_deref()),
        Command::ChooseColour { pairing, player, side } => lots::choose_colour(case, *pairing, player, *side),
        Command::Pair { seed } => {
            let (events, proposal) = pair::draft(case, seed.as_deref())?;
            return Ok(Drafts { events, proposal: Some(Arc::new(proposal)) });
        }
        Command::Start { pairing, game } => play::start(case, *pairing, game.as_ref()),
        Command::Result { pairing, outcome, termination, game, territory } => {
            play::result(case, *pairing, game.as_ref(), *outcome, *termination, *territory)
        }
        Command::Forfeit { pairing, absent, waited_until } => {
            play::forfeit(case, *pairing, absent, *waited_until)
        }
        Command::Rule { .. } | Command::Dispute(_) | Command::Appeal(_) | Command::DecideAppeal { .. } => {
            rulings::draft(case, command)
        }
        Command::Schedule { pairing, at, reason } => {
            schedule::appoint(case, when, *pairing, *at, reason.as_deref())
        }
        Command::Notify { stage } => schedule::notify(case, *stage),
        Command::Award => money::award(case),
        Command::AwardThing { player, thing } => Ok(vec![money::award_thing(case, player, thing)]),
        Command::Refund => money::refund(case),
        Command::ReturnPrize { player, reason } => money::return_prize(case, player, reason),
        Command::Close { note } => close::draft(case, note.as_deref()),
    }?;
    Ok(Drafts { events, proposal: None })
}
