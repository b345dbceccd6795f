//! The next step after a violation, where it depends on the tournament.

use annals_events::Micros;
use annals_events::tournament::Milestone;

use crate::formats::elimination::finalists::final_begins;
use crate::refusal::Remedy;
use crate::rulebook::{RuleId, rulebook_in_force};
use crate::state::Tournament;
use crate::state::calendar::date;
use crate::verdict::Verdict;

pub(super) fn of(tournament: &Tournament, at: Micros, verdict: &Verdict) -> Remedy {
    let rule = verdict.rule.id;
    let of_the_state = match rule {
        RuleId::RegistrationWindow => Some(for_a_late_entry(tournament, at)),
        RuleId::RegistrationStanding => forfeit(tournament, verdict),
        RuleId::EligibilityKind => {
            let rulebook = rulebook_in_force(tournament).ok().flatten();
            rulebook.and_then(|rulebook| rulebook.players.first().copied()).map(Remedy::EnterAs)
        }
        RuleId::PlayEnds => Some(Remedy::MoveDates(vec![Milestone::PlayEnds])),
        RuleId::RoundDates => Some(Remedy::MoveDates(vec![Milestone::PlayBegins])),
        // A wrong order is struck first, while nothing rests on it.
        RuleId::FieldPlaces
            if tournament.order_to_final().is_some() && final_begins(tournament).is_none() =>
        {
            tournament.index.order.map(Remedy::Strike)
        }
        RuleId::QualifierNamed => Some(Remedy::MoveDates(vec![Milestone::QualifiersNamed])),
        _ => None,
    };
    of_the_state.unwrap_or(Remedy::Breach(rule))
}

/// A round that has not begun can be revoked, and then a date that was not used can be moved.
fn for_a_late_entry(tournament: &Tournament, at: Micros) -> Remedy {
    if let Some((&number, round)) = tournament.rounds.last_key_value() {
        let only = tournament.rounds.len() == 1 && !round.has_begun();
        return if only { Remedy::RevokeRound(number) } else { Remedy::Show };
    }
    if date(tournament, Milestone::RegistrationOpens).is_some_and(|opens| at <= opens) {
        return Remedy::MoveDates(vec![Milestone::RegistrationOpens]);
    }
    let late = [Milestone::RegistrationCloses, Milestone::PlayBegins];
    let late: Vec<Milestone> = late
        .into_iter()
        .filter(|milestone| date(tournament, *milestone).is_some_and(|due| at >= due))
        .collect();
    if late.is_empty() { Remedy::Show } else { Remedy::MoveDates(late) }
}

/// For a game of a player who left.
fn forfeit(tournament: &Tournament, verdict: &Verdict) -> Option<Remedy> {
    let pairing = verdict.subject.pairing()?;
    let players = tournament.board(pairing)?.players();
    let gone = players
        .into_iter()
        .find(|player| tournament.entrants.get(*player).is_some_and(|entrant| entrant.left.is_some()))?;
    Some(Remedy::Forfeit(pairing, gone.clone()))
}
