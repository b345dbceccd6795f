//! Rulings with what follows from them, disputes, appeals. Each bears the next number of its kind.

use crate::rulebook::RuleId;
use annals_events::TournamentEvent;
use annals_events::tournament::{
    AppealDecided, AppealFiled, DisputeFiled, Effect, Ground, PairingRevoked, PlayerReinstated, RulingGiven,
};

use super::Command;
use crate::check::{Case, changes_result_of};
use crate::refusal::Refusal;
use crate::rulings::failure_paragraph;
use crate::state::{EntrantStatus, Leaving, Tournament};

/// Drafts one of them.
pub(super) fn draft(case: &Case<'_>, command: &Command) -> Result<Vec<TournamentEvent>, Refusal> {
    let tournament = case.tournament;
    match command {
        Command::Rule { effect, reason, evidence, dispute, supersedes } => {
            let effect = completed(tournament, effect);
            let ruling = RulingGiven {
                number: next(tournament.rulings.len()),
                grounds: grounds(case, &effect),
                effect,
                reason: reason.clone(),
                evidence: evidence.clone(),
                dispute: *dispute,
                supersedes: *supersedes,
            };
            let revoked = revocations(case, &ruling);
            Ok([vec![TournamentEvent::RulingGiven(ruling)], revoked].concat())
        }
        Command::Dispute { by, against, pairing, claim, evidence } => {
            Ok(vec![TournamentEvent::DisputeFiled(DisputeFiled {
                number: next(tournament.disputes.len()),
                by: by.clone(),
                against: against.clone(),
                pairing: *pairing,
                claim: claim.clone(),
                evidence: evidence.clone(),
            })])
        }
        Command::Appeal { by, ruling, pairing, claim, evidence } => {
            Ok(vec![TournamentEvent::AppealFiled(AppealFiled {
                number: next(tournament.appeals.len()),
                by: by.clone(),
                ruling: *ruling,
                pairing: *pairing,
                claim: claim.clone(),
                evidence: evidence.clone(),
            })])
        }
        Command::DecideAppeal { number, accepted, reason } => decide(case, *number, *accepted, reason),
        _ => Err(Refusal::lacking("this is no ruling, dispute or appeal")),
    }
}

fn next(before: usize) -> u32 {
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

/// A halt, an invalidation and a change of the rating name the game that they are about, where one is attached.
fn completed(tournament: &Tournament, effect: &Effect) -> Effect {
    let mut effect = effect.clone();
    if let Effect::Halt { pairing, game, .. }
    | Effect::Invalidate { pairing, game, .. }
    | Effect::SetRated { pairing, game, .. } = &mut effect
        && game.is_none()
    {
        let round = tournament.rounds.get(&pairing.round);
        let board = round.and_then(|round| round.boards.get(&pairing.board));
        *game = board.and_then(|board| board.games.values().next_back().cloned());
    }
    effect
}

/// The rules that a ruling rests on.
fn grounds(case: &Case<'_>, effect: &Effect) -> Vec<Ground> {
    let (names, finding): (&[RuleId], Option<String>) = match effect {
        Effect::Halt { failure, .. } => (
            &[RuleId::RulingHalt, RuleId::RulingCause],
            Some(format!("{}: {}", failure.word(), failure_paragraph(*failure))),
        ),
        Effect::Invalidate { failure, .. } => (
            &[RuleId::RulingInvalidate, RuleId::RulingCause],
            Some(format!("{}: {}", failure.word(), failure_paragraph(*failure))),
        ),
        Effect::Rematch { failure, .. } => (&[RuleId::RulingRematch], Some(failure.word().to_owned())),
        Effect::SetTerritory { .. } => (&[RuleId::Territory], None),
        Effect::Reinstate { .. } => (&[RuleId::ForfeitRemoved], None),
        Effect::Place { place, .. } => match place {
            1 => (&[RuleId::PlaceChampion], None),
            2 => (&[RuleId::PlaceSecond, RuleId::PlaceOrder], None),
            _ => (&[RuleId::PlaceThird, RuleId::PlaceOrder], None),
        },
        Effect::Read { .. } => (&[RuleId::RulingReading], None),
        _ => (&[RuleId::RulingFinal], None),
    };
    let rules = names.iter().filter_map(|&rule| case.rulebook.rule(rule));
    rules.map(|rule| rule.ground(finding.clone())).collect()
}

/// The rounds that were paired on a result that the ruling changes, and have not begun: their pairings are revoked, the
/// last first (2015 WCC, Technical Problems 1 and 3). Where nothing is frozen, later rounds rest on no earlier result.
fn revocations(case: &Case<'_>, ruling: &RulingGiven) -> Vec<TournamentEvent> {
    let Some(changed) = changes_result_of(case.tournament, ruling) else { return Vec::new() };
    if case.rulebook.rule(RuleId::RulingFrozen).is_none() {
        return Vec::new();
    }
    let later = case.tournament.rounds.range(changed.saturating_add(1)..).rev();
    later
        .filter(|(_, round)| !round.has_begun())
        .map(|(&round, _)| {
            let number = ruling.number;
            let reason = format!("paired on a result of round {changed} that ruling {number} changed");
            TournamentEvent::PairingRevoked(PairingRevoked { round, board: None, reason })
        })
        .collect()
}

/// An accepted appeal of a player who is out brings them back; after a forfeit, one on that forfeit.
fn decide(
    case: &Case<'_>,
    number: u32,
    accepted: bool,
    reason: &str,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let tournament = case.tournament;
    let known = tournament.appeals.iter().find(|(appeal, _)| appeal.fact.number == number);
    let Some((filed, _)) = known else {
        let what = format!("there is no appeal {number}: {} were filed", tournament.appeals.len());
        return Err(Refusal::by(case.rulebook.rule(RuleId::RulingNumber), what));
    };
    let appeal = &filed.fact;
    let rule = case.rulebook.rule(RuleId::ForfeitRemoved);
    let mut events = vec![TournamentEvent::AppealDecided(AppealDecided {
        number,
        by: appeal.by.clone(),
        accepted,
        reason: reason.to_owned(),
        grounds: rule.iter().map(|rule| rule.ground(None)).collect(),
    })];
    let entrant = tournament.entrants.get(&appeal.by);
    let left = entrant.and_then(|entrant| entrant.left.as_ref());
    let by_forfeit = left.is_some_and(|left| left.how == Leaving::Forfeit);
    let is_out = entrant.is_some_and(|entrant| entrant.status == EntrantStatus::Withdrawn);
    if accepted && is_out && (!by_forfeit || tournament.is_on_a_forfeit(filed)) {
        events.push(TournamentEvent::PlayerReinstated(PlayerReinstated {
            player: appeal.by.clone(),
            appeal: Some(number),
            reason: Some(reason.to_owned()),
        }));
    }
    Ok(events)
}
