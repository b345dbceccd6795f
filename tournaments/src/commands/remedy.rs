//! The next step after a violation, where it depends on the tournament.

use annals_events::Micros;
use annals_events::tournament::Milestone;

use crate::check::RESUMPTION;
use crate::formats::elimination;
use crate::formats::elimination::finalists::final_begins;
use crate::fund::refunds;
use crate::refusal::Remedy;
use crate::rulebook::{RuleId, rulebook_in_force};
use crate::state::calendar::date;
use crate::state::{Board, Tournament};
use crate::verdict::{Compliance, Verdict};

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
        // Nothing is begun or fixed for a pairing with a result.
        RuleId::ResultPaired | RuleId::ScheduleWindow | RuleId::ScheduleFixed
            if is_decided(tournament, verdict) =>
        {
            Some(Remedy::Rounds)
        }
        RuleId::Territory => played_out(tournament, verdict),
        RuleId::RoundOrder => rulebook_in_force(tournament)
            .ok()
            .flatten()
            .and_then(|rulebook| elimination::propose::colour_to_choose(tournament, &rulebook)),
        RuleId::RefundDue => {
            let rulebook = rulebook_in_force(tournament).ok().flatten();
            let none_due = rulebook.is_some_and(|rulebook| refunds(tournament, &rulebook).is_empty());
            none_due.then_some(Remedy::Show)
        }
        RuleId::RulingFrozen | RuleId::ResultGame => match &verdict.holds {
            Compliance::Violation { found, .. } => Remedy::of_text(rule, found),
            _ => None,
        },
        rule if RESUMPTION.contains(&rule) => {
            let pairing = verdict.subject.pairing();
            let owed = pairing.filter(|pairing| tournament.board(*pairing).is_some_and(Board::lacks_attempt));
            owed.map(Remedy::StartGame)
        }
        RuleId::QualifierNamed => Some(Remedy::MoveDates(vec![Milestone::QualifiersNamed])),
        _ => None,
    };
    of_the_state.unwrap_or(Remedy::Breach(rule))
}

/// A result without a game in the log can be stated with its ending, and a missing territory added to it.
fn played_out(tournament: &Tournament, verdict: &Verdict) -> Option<Remedy> {
    let pairing = verdict.subject.pairing()?;
    let board = tournament.board(pairing)?;
    if let Some(result) = board.result() {
        return board.territory().is_none().then_some(Remedy::Territory(result.seq));
    }
    (board.outcome().is_none() && board.games.is_empty()).then_some(Remedy::PlayedOut(pairing))
}

fn is_decided(tournament: &Tournament, verdict: &Verdict) -> bool {
    let board = verdict.subject.pairing().and_then(|pairing| tournament.board(pairing));
    board.is_some_and(|board| board.outcome().is_some())
}

/// A round that has not begun can be revoked, and then a date that was not used can be moved.
fn for_a_late_entry(tournament: &Tournament, at: Micros) -> Remedy {
    let late = [Milestone::RegistrationCloses, Milestone::PlayBegins].into_iter();
    let late: Vec<Milestone> =
        late.filter(|milestone| date(tournament, *milestone).is_some_and(|due| at >= due)).collect();
    if let Some((&number, round)) = tournament.rounds.last_key_value() {
        let only = tournament.rounds.len() == 1 && !round.has_begun();
        return match late.is_empty() {
            _ if !only => Remedy::Show,
            true => Remedy::RevokeRound(number),
            false => Remedy::RevokeAndMove(number, late),
        };
    }
    if date(tournament, Milestone::RegistrationOpens).is_some_and(|opens| at <= opens) {
        return Remedy::MoveDates(vec![Milestone::RegistrationOpens]);
    }
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
