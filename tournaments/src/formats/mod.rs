//! The formats of stages: one module each, one trait, and one dispatch.
//!
//! [`next_round`] is the round by the rules with its reasons, [`ranking`] the rulebook's order, [`places`]
//! the places decided so far; [`why_not`] explains why a pair or bye is not in a proposed round.

mod as_published;
mod byes;
mod colours;
mod dispatch;
mod due;
pub mod elimination;
pub mod encounters;
pub(crate) mod meetings;
pub(crate) mod proposal;
pub mod qualifier;
mod question;
mod ranks;
mod reasons;
pub mod ring;
mod round_pairing;
mod ruled;
mod stage_format;
pub mod swiss;
mod value;
mod why_not;

use annals_events::BoardId;
use annals_events::tournament::{Qualified, Stage};

use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId, Rulebook};
use crate::state::{Board, Tournament};

pub use as_published::as_published;
pub(crate) use colours::{Decided, Decider};
pub(crate) use dispatch::module;
pub use due::next_stage;
pub(crate) use proposal::Proof;
pub use proposal::Proposal;
pub(crate) use question::Question;
pub use ranks::{Places, RankGroup, RankedPlayer};
pub(crate) use ranks::{gameroom_rating, measure, order, shared_ranks};
pub use round_pairing::RoundPairing;
pub(crate) use stage_format::{RoundRules, RoundsDue, StageFormat, StageState, Texts};
pub(crate) use value::{Value, Worse};
pub use why_not::why_not;

/// The next round by the rules. Published pairings of that round are ignored.
///
/// # Errors
/// If the record is incomplete (a result, lots or qualified players are missing), or the tournament is over.
pub fn next_round(tournament: &Tournament, rulebook: &Rulebook) -> Result<Proposal, Refusal> {
    proposed(tournament, rulebook)
        .map_err(|refusal| start_first(tournament, rulebook, results_first(tournament, refusal)))
}

/// Before an order can be published, every game of it needs its result.
fn results_first(tournament: &Tournament, refusal: Refusal) -> Refusal {
    match tournament.open_board() {
        Some(open) if refusal.next == Some(Remedy::Qualify) => {
            Refusal::lacking(format!("{open} has no result")).hint(Remedy::Result(Some(open)))
        }
        _ => refusal,
    }
}

/// Before the start of its round is recorded, a game can have no result; before that, it needs its colours. A game that was
/// taken out of force is followed by another attempt, which is to begin.
pub(crate) fn start_first(tournament: &Tournament, rulebook: &Rulebook, refusal: Refusal) -> Refusal {
    let (of, only) = match refusal.next {
        Some(Remedy::Result(Some(pairing))) => (pairing.round, Some(pairing.board)),
        Some(Remedy::Result(None) | Remedy::ResultOrForfeit) => (tournament.last_round(), None),
        _ => return refusal,
    };
    let Some(round) = tournament.rounds.get(&of) else { return refusal };
    let owed =
        |(board, known): &(&u32, &Board)| only.is_none_or(|only| only == **board) && known.lacks_attempt();
    match round.boards.iter().find(owed) {
        Some((&board, _)) => refusal.hint(Remedy::StartGame(BoardId { round: of, board })),
        None if !round.is_started() => {
            let choice = elimination::propose::colour_to_choose(tournament, rulebook);
            refusal.hint(choice.unwrap_or(Remedy::Breach(RuleId::ResultPaired)))
        }
        _ => refusal,
    }
}

fn proposed(tournament: &Tournament, rulebook: &Rulebook) -> Result<Proposal, Refusal> {
    let stage = next_stage(tournament, rulebook)?;
    let rules = rulebook
        .stage(stage)
        .ok_or_else(|| Refusal::lacking(format!("the rulebook {} has no stage {stage}", rulebook.name)))?;
    match module(&rules.format) {
        Some(format) => format.propose(&StageState { tournament, rulebook, stage }),
        None => Err(Refusal::lacking("the qualifier is not paired").hint(Remedy::Qualify)),
    }
}

/// The ambiguous texts that a round of a stage depends on.
pub fn texts_of_round(rulebook: &Rulebook, stage: Stage) -> &'static [&'static str] {
    let format = rulebook.stage(stage).and_then(|rules| module(&rules.format));
    format.map_or(&[], |format| format.texts(stage).rounds)
}

/// The ambiguous texts that the present ranking depends on.
pub fn texts_of_ranking(tournament: &Tournament, rulebook: &Rulebook) -> &'static [&'static str] {
    due::ranked(tournament, rulebook).map_or(&[], |(format, state)| format.texts(state.stage).ranking)
}

/// The number of rounds to be declared.
///
/// # Errors
/// If the rulebook has no such number, or there are too few players.
pub(crate) fn rounds_due(tournament: &Tournament, rulebook: &Rulebook) -> Result<RoundsDue, Refusal> {
    let mut refused = None;
    for rules in &rulebook.stages {
        let Some(format) = module(&rules.format) else { continue };
        match format.rounds(&StageState { tournament, rulebook, stage: rules.stage }) {
            Ok(due) => return Ok(due),
            Err(refusal) if refusal.rule.is_some() => return Err(refusal),
            Err(refusal) => refused = Some(refusal),
        }
    }
    Err(refused.unwrap_or_else(|| Refusal::lacking("the rulebook has no stage")))
}

/// The players in the rulebook's order; empty if nothing ranks them yet.
///
/// # Errors
/// If the record contradicts itself.
pub fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<RankedPlayer>, Refusal> {
    if let Some(order) = tournament.published_order() {
        return Ok(order);
    }
    match due::ranked(tournament, rulebook) {
        Some((format, state)) => format.rank(&state),
        None => Ok(Vec::new()),
    }
}

/// The places decided so far, by rulings in force and by the rules, best first.
///
/// # Errors
/// If the record contradicts itself.
pub fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    if tournament.is_without_players() {
        // Without players there is no place to decide, and the tournament can be closed.
        return Ok(Places { decided: true, ..Places::default() });
    }
    match due::ranked(tournament, rulebook) {
        Some((format, state)) => {
            let places = match tournament.published_order() {
                Some(order) => Places::by_rank(order, true, None),
                None => format.places(&state)?,
            };
            Ok(ruled::with_rulings(places, &state))
        }
        None => Ok(Places::default()),
    }
}

/// The final order of the qualifier or the Swiss as it is to be published, with who advances.
///
/// # Errors
/// If no player advances from the stage, or the record is incomplete.
pub fn outcome_of(tournament: &Tournament, rulebook: &Rulebook, from: Stage) -> Result<Qualified, Refusal> {
    match rulebook.stage(from).filter(|stage| stage.places.is_some()).map(|stage| &stage.format) {
        Some(Format::Qualifier { .. }) => qualifier::propose::qualified(tournament, rulebook),
        Some(Format::Swiss) => swiss::propose::qualified(tournament, rulebook),
        _ => Err(Refusal::lacking(format!("nobody goes on from a {from} stage of {}", rulebook.name))),
    }
}
