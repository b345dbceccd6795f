use annals_events::tournament::{
    BanRecorded, Disqualification, Disqualified, Ground, Invited, PenaltyRecorded,
};
use annals_events::{PlayerId, TournamentEvent};

use super::rulings::cited;
use crate::check::{EventMeta, JudgingContext, ban_until, costs_penalty};
use crate::formats::{self, qualifier::propose as qualifier};
use crate::refusal::Refusal;
use crate::rulebook::RuleId;

/// The order of the stage before the final, with who advances.
pub(super) fn draft_qualify(case: &JudgingContext<'_>) -> Result<Vec<TournamentEvent>, Refusal> {
    let Some(stage) = case.rulebook.stages.iter().find(|stage| stage.places.is_some()) else {
        return Err(Refusal::lacking(format!("no player goes on from a stage of {}", case.rulebook.name)));
    };
    let qualified = formats::outcome_of(case.tournament, case.rulebook, stage.stage)?;
    if qualified.order.is_empty() {
        let what = "no player has entered, so there is no order, no final and no champion";
        return Err(Refusal::by(case.rulebook.rule(RuleId::FieldPlaces), what)
            .hint("close the tournament, or rule what is to happen"));
    }
    Ok(vec![TournamentEvent::Qualified(qualified)])
}

/// Invites the next in the order for a vacated place.
pub(super) fn draft_invite(
    case: &JudgingContext<'_>,
    when: &EventMeta,
    replaces: Option<&PlayerId>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let Some(days) = case.rulebook.invitation else {
        return Err(Refusal::lacking(format!("the rulebook {} invites no player", case.rulebook.name)));
    };
    let vacancy = case.rulebook.rule(RuleId::InvitationVacancy);
    let vacant = qualifier::vacancies(case.tournament, case.rulebook);
    let replaces = match (replaces, vacant.as_slice()) {
        (Some(player), _) => player.clone(),
        (None, [only]) => only.clone(),
        (None, []) => return Err(Refusal::by(vacancy, "no place is vacant")),
        (None, several) => {
            let names: Vec<String> = several.iter().map(|player| format!("`{player}`")).collect();
            let what = format!("several places are vacant: those of {}", names.join(", "));
            return Err(Refusal::by(vacancy, what).hint("say whose place it is"));
        }
    };
    let Some(next) = qualifier::next_invited(case.tournament, case.rulebook)? else {
        return Err(Refusal::by(
            case.rulebook.rule(RuleId::InvitationNext),
            "no player is left in the order to be invited",
        )
        .hint("the final is played by those who are in"));
    };
    let grounds = [RuleId::InvitationNext, RuleId::InvitationDays, RuleId::InvitationFee];
    let invited = Invited {
        player: next.player,
        replaces: Some(replaces),
        rank: next.rank,
        due: Some(when.at.saturating_add(days)),
        fee_at_risk: false,
        grounds: case.rulebook.grounds(&grounds),
    };
    Ok(vec![TournamentEvent::Invited(invited)])
}

pub(super) struct Cause<'a> {
    pub cause: Disqualification,
    pub reason: Option<&'a str>,
    pub rules: &'a [String],
}

/// A disqualification, with the penalty and ban for its cause.
pub(super) fn draft_disqualify(
    case: &JudgingContext<'_>,
    when: &EventMeta,
    player: &PlayerId,
    &Cause { cause, reason, rules }: &Cause<'_>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let rulebook = case.rulebook;
    let Some(entrant) = case.tournament.entrants.get(player) else {
        let what = format!("`{player}` never entered, so cannot be disqualified");
        return Err(Refusal::by(rulebook.rule(RuleId::RegistrationKnown), what));
    };
    let broken = RuleId::broken_by(cause);
    let rule = rulebook.rule(broken);
    let grounds: Vec<Ground> = if rules.is_empty() {
        rule.iter().map(|rule| rule.ground(reason.map(str::to_owned))).collect()
    } else {
        rules.iter().map(|rule| cited(case, rule)).collect()
    };
    let mut events = vec![TournamentEvent::Disqualified(Disqualified {
        player: player.clone(),
        cause,
        grounds: grounds.clone(),
        reason: reason.map(str::to_owned),
    })];
    let reason = reason.map_or_else(|| format!("disqualified: {cause}"), str::to_owned);
    let penalty = case.fees().map_or(0, |fees| fees.penalty);
    if penalty > 0 && rulebook.rule(RuleId::Penalty).is_some() && costs_penalty(entrant, broken) {
        events.push(TournamentEvent::PenaltyRecorded(PenaltyRecorded {
            player: player.clone(),
            amount: penalty,
            grounds: grounds.clone(),
            evidence: Vec::new(),
            reason: reason.clone(),
        }));
    }
    let stands = case
        .tournament
        .bans
        .iter()
        .any(|ban| ban.fact.player == *player && case.rules_in(&ban.fact.grounds).contains(&broken));
    if let Some(until) = ban_until(case, when.at, broken).filter(|_| !stands) {
        events.push(TournamentEvent::BanRecorded(BanRecorded {
            player: player.clone(),
            developers: entrant.entry.fact.developers.clone(),
            series: case.series().map(str::to_owned),
            until,
            grounds,
            evidence: Vec::new(),
            reason,
        }));
    }
    Ok(events)
}
