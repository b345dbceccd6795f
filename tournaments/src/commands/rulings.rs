//! Rulings with what follows from them, disputes, appeals. Each has the next number of its kind.

use crate::rulebook::RuleId;
use annals_events::tournament::{
    AppealDecided, AppealFiled, DisputeFiled, Effect, Ground, PairingRevoked, PlayerReinstated, RulingGiven,
};
use annals_events::{GameKind, TournamentEvent};

use super::Command;
use crate::check::{JudgingContext, first_changed, next_number, rules_of};
use crate::refusal::{Refusal, Remedy};
use crate::rulings::{failure_paragraph, is_between_setups};
use crate::state::{Leaving, Left, Noted};

pub(super) fn draft(case: &JudgingContext<'_>, command: &Command) -> Result<Vec<TournamentEvent>, Refusal> {
    let tournament = case.tournament;
    match command {
        Command::Rule { effect, reason, evidence, dispute, supersedes } => {
            let effect = completed(case, effect);
            can_go_on(case, &effect)?;
            let ruling = RulingGiven {
                number: next_number(tournament.rulings.len()),
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
        Command::Dispute(dispute) => {
            let number = next_number(tournament.disputes.len());
            let grounds = dispute.grounds.iter().map(|ground| cited(case, &ground.rule)).collect();
            Ok(vec![TournamentEvent::DisputeFiled(DisputeFiled { number, grounds, ..dispute.clone() })])
        }
        Command::Appeal(appeal) => {
            let number = next_number(tournament.appeals.len());
            Ok(vec![TournamentEvent::AppealFiled(AppealFiled { number, ..appeal.clone() })])
        }
        Command::DecideAppeal { number, accepted, reason } => decide(case, *number, *accepted, reason),
        _ => Err(Refusal::lacking("this is no ruling, dispute or appeal")),
    }
}

/// A rule by its name, with its paragraph where the rulebook has it.
pub(super) fn cited(case: &JudgingContext<'_>, rule: &str) -> Ground {
    match case.rulebook.rule_named(rule) {
        Some(rule) => rule.ground(None),
        None => Ground { rule: rule.to_owned(), paragraph: None, finding: None },
    }
}

/// Adds the attached game to a halt, an invalidation or a change of rating.
fn completed(case: &JudgingContext<'_>, effect: &Effect) -> Effect {
    let mut completed = effect.clone();
    if let Effect::Halt { game, .. } | Effect::Invalidate { game, .. } | Effect::SetRated { game, .. } =
        &mut completed
    {
        *game = case.tournament.game_of(effect).cloned();
    }
    completed
}

/// A game of the log is halted or invalidated at a ply after which another attempt can begin.
fn can_go_on(case: &JudgingContext<'_>, effect: &Effect) -> Result<(), Refusal> {
    let (Effect::Halt { pairing, game: Some(game), ply, .. }
    | Effect::Invalidate { pairing, game: Some(game), ply, .. }) = effect
    else {
        return Ok(());
    };
    let kind = case.tournament.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game);
    if !is_between_setups(kind, *ply) || case.context.game(game).is_none() {
        return Ok(());
    }
    let what = format!(
        "{pairing} cannot go on after ply {ply}: it is between the two setups; possible is 0, or from 2 on"
    );
    let rules = [RuleId::RulingResume, RuleId::RulingRematch, RuleId::RulingNumber];
    let rule = rules.into_iter().find_map(|rule| case.rulebook.rule(rule));
    Err(Refusal::by(rule, what).hint(Remedy::Breach(RuleId::RulingResume)))
}

/// The rules on which a ruling is based.
fn grounds(case: &JudgingContext<'_>, effect: &Effect) -> Vec<Ground> {
    let finding = match effect {
        Effect::Halt { failure, .. } | Effect::Invalidate { failure, .. } => {
            Some(format!("{}: {}", failure.word(), failure_paragraph(*failure)))
        }
        Effect::Rematch { failure, .. } => Some(failure.word().to_owned()),
        _ => None,
    };
    let rules = rules_of(effect).iter().filter_map(|&rule| case.rulebook.rule(rule));
    rules.map(|rule| rule.ground(finding.clone())).collect()
}

/// Revokes rounds not begun that were paired on a changed result, the last first (2015 WCC, Technical
/// Problems 1 and 3).
fn revocations(case: &JudgingContext<'_>, ruling: &RulingGiven) -> Vec<TournamentEvent> {
    let Some(changed) = first_changed(case, ruling) else { return Vec::new() };
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

/// An accepted appeal reinstates the player; after forfeits, the appeal is about the last one without an
/// appeal.
fn decide(
    case: &JudgingContext<'_>,
    number: u32,
    accepted: bool,
    reason: &str,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let tournament = case.tournament;
    let known = tournament.appeals.iter().find(|(appeal, _)| appeal.fact.number == number);
    let Some((Noted { fact: appeal, .. }, _)) = known else {
        let what = format!("there is no appeal {number}: {} were filed", tournament.appeals.len());
        return Err(Refusal::by(case.rulebook.rule(RuleId::RulingNumber), what));
    };
    let mut events = vec![TournamentEvent::AppealDecided(AppealDecided {
        number,
        by: appeal.by.clone(),
        accepted,
        reason: reason.to_owned(),
        grounds: case.rulebook.grounds(&[RuleId::ForfeitRemoved]),
    })];
    let entrant = tournament.entrants.get(&appeal.by);
    let left = entrant.and_then(|entrant| entrant.left.as_ref());
    let left = left.filter(|left| left.how != Leaving::Disqualified);
    let heard = |left: &Left| left.how != Leaving::Forfeit || tournament.heard(&appeal.by, Some(number));
    if accepted && left.is_some_and(heard) {
        events.push(TournamentEvent::PlayerReinstated(PlayerReinstated {
            player: appeal.by.clone(),
            appeal: Some(number),
            reason: Some(reason.to_owned()),
        }));
    }
    Ok(events)
}
