//! Requests about who goes on: the order of the qualifier, the next invitation, a disqualification with what follows.

use annals_events::tournament::{
    BanRecorded, Disqualification, Disqualified, Ground, Invited, PenaltyRecorded, PlayerRating,
    RatingsRecorded,
};
use annals_events::{PlayerId, TournamentEvent};

use crate::check::{Case, When};
use crate::formats::qualifier::propose as qualifier;
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};
use crate::state::calendar::years_later;

/// The order of the stage that comes before the final, with who goes on; the ratings that were read come first.
pub(super) fn draft_qualify(
    case: &Case<'_>,
    when: &When,
    ratings: &[PlayerRating],
) -> Result<Vec<TournamentEvent>, Refusal> {
    let mut events = Vec::new();
    let mut tournament = case.tournament.clone();
    if !ratings.is_empty() {
        let recorded = RatingsRecorded { ratings: ratings.to_vec(), source: None };
        let event = TournamentEvent::RatingsRecorded(recorded);
        tournament.evolve(when.seq, when.at, &event);
        events.push(event);
    }
    let Some(stage) = case.rulebook.stages.iter().find(|stage| stage.places.is_some()) else {
        return Err(Refusal::lacking(format!("nobody goes on from a stage of {}", case.rulebook.name)));
    };
    let qualified = qualifier::outcome_of(&tournament, case.rulebook, stage.stage)?;
    if qualified.order.is_empty() {
        let what = "nobody has entered, so there is no order, no final and no champion";
        return Err(Refusal::by(case.rulebook.rule(RuleId::FieldPlaces), what)
            .hint("close the tournament, or rule what is to happen"));
    }
    events.push(TournamentEvent::Qualified(qualified));
    Ok(events)
}

/// The next in the order is invited in place of one who fell out.
pub(super) fn draft_invite(
    case: &Case<'_>,
    when: &When,
    replaces: Option<&PlayerId>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let Some(days) = case.rulebook.invitation else {
        return Err(Refusal::lacking(format!("the rulebook {} invites nobody", case.rulebook.name)));
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
            "nobody is left in the order to be invited",
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
        grounds: grounds.iter().filter_map(|name| ground(case.rulebook, *name, None)).collect(),
    };
    Ok(vec![TournamentEvent::Invited(invited)])
}

fn ground(rulebook: &Rulebook, rule: RuleId, finding: Option<&str>) -> Option<Ground> {
    rulebook.rule(rule).map(|rule| rule.ground(finding.map(str::to_owned)))
}

/// The rule that a cause breaks.
const fn broken(cause: Disqualification) -> RuleId {
    match cause {
        Disqualification::NotUploaded => RuleId::ProgramDeadline,
        Disqualification::QualifyingRules => RuleId::QualifierConduct,
        Disqualification::FasterHardware => RuleId::QualifierHardware,
        Disqualification::ProgramChanged => RuleId::ProgramFrozen,
        Disqualification::HardwareChanged => RuleId::HardwareUnchanged,
        Disqualification::LimitedProgram => RuleId::ProgramUnlimited,
        Disqualification::OutsideHelp | Disqualification::Other => RuleId::DisqualificationCause,
    }
}

/// A disqualification, with the penalty and the ban that the rulebook ties to its cause.
pub(super) fn draft_disqualify(
    case: &Case<'_>,
    when: &When,
    player: &PlayerId,
    cause: Disqualification,
    reason: Option<&str>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let rulebook = case.rulebook;
    let Some(entrant) = case.tournament.entrants.get(player) else {
        let what = format!("`{player}` never entered, so cannot be disqualified");
        return Err(Refusal::by(rulebook.rule(RuleId::RegistrationKnown), what));
    };
    let grounds: Vec<Ground> = ground(rulebook, broken(cause), reason).into_iter().collect();
    let mut events = vec![TournamentEvent::Disqualified(Disqualified {
        player: player.clone(),
        cause,
        grounds: grounds.clone(),
        reason: reason.map(str::to_owned),
    })];
    let reason = reason.map_or_else(|| format!("disqualified: {cause}"), str::to_owned);
    let announced = case.tournament.announced.as_ref();
    let fees = announced.and_then(|announced| announced.fees.as_ref()).or(rulebook.fees.as_ref());
    let penalised = match cause {
        // Nothing is at risk for one who was invited and is not set up in time.
        Disqualification::NotUploaded => entrant.invited.is_none(),
        Disqualification::QualifyingRules | Disqualification::FasterHardware => true,
        _ => false,
    };
    if let Some(fees) =
        fees.filter(|fees| penalised && fees.penalty > 0 && rulebook.rule(RuleId::Penalty).is_some())
    {
        events.push(TournamentEvent::PenaltyRecorded(PenaltyRecorded {
            player: player.clone(),
            amount: fees.penalty,
            grounds: grounds.clone(),
            evidence: Vec::new(),
            reason: reason.clone(),
        }));
    }
    let until = match cause {
        Disqualification::FasterHardware => rulebook.ban_years.map(|years| Some(years_later(when.at, years))),
        Disqualification::LimitedProgram => rulebook.rule(RuleId::Ban).map(|_| None),
        _ => None,
    };
    if let Some(until) = until {
        let series = announced.and_then(|announced| announced.series.as_deref()).or(rulebook.series);
        events.push(TournamentEvent::BanRecorded(BanRecorded {
            player: player.clone(),
            developers: entrant.entry.fact.developers.clone(),
            series: series.map(str::to_owned),
            until,
            grounds,
            evidence: Vec::new(),
            reason,
        }));
    }
    Ok(events)
}
