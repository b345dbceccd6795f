use crate::rulebook::{Prizes, RuleId};
use annals_events::tournament::{PrizeAwarded, PrizeReturned};
use annals_events::{PlayerId, TournamentEvent};

use crate::check::JudgingContext;
use crate::fund;
use crate::refusal::{Refusal, Remedy};

/// All prizes due, after the events of forfeited ones.
pub(super) fn award(case: &JudgingContext<'_>) -> Result<Vec<TournamentEvent>, Refusal> {
    let (tournament, rulebook) = (case.tournament, case.rulebook);
    fund::play_is_over(tournament, rulebook)?;
    fund::awards_rest_on_results(tournament, rulebook)?;
    let forfeited = fund::forfeited(tournament, rulebook)?.into_iter().map(TournamentEvent::PrizeForfeited);
    let awards = fund::awards(tournament, rulebook)?.into_iter().map(TournamentEvent::PrizeAwarded);
    let events: Vec<TournamentEvent> = forfeited.chain(awards).collect();
    if events.is_empty() {
        let what = match rulebook.prizes {
            Prizes::None => format!(
                "the rulebook {} awards no money; the rest of the fund is recorded as left, and no event pays it out",
                rulebook.name
            ),
            _ if fund::prizes(tournament, rulebook)?.is_empty() => {
                "no prize is due: no player has won a share of the fund".to_owned()
            }
            _ => "no prize is due: all are awarded".to_owned(),
        };
        return Err(Refusal::lacking(what).hint(match rulebook.prizes {
            Prizes::None => Remedy::AwardThing,
            _ => Remedy::Show,
        }));
    }
    Ok(events)
}

pub(super) fn award_thing(case: &JudgingContext<'_>, player: &PlayerId, thing: &str) -> TournamentEvent {
    TournamentEvent::PrizeAwarded(PrizeAwarded {
        player: player.clone(),
        amount: 0,
        games_won: None,
        half_points: None,
        thing: Some(thing.to_owned()),
        ground: case.rulebook.rule(RuleId::PrizeGift).map(|rule| rule.ground(None)),
    })
}

/// All refunds that are due.
pub(super) fn refund(case: &JudgingContext<'_>) -> Result<Vec<TournamentEvent>, Refusal> {
    let due = fund::refunds(case.tournament, case.rulebook);
    if due.is_empty() {
        let rule = case.rulebook.rule(RuleId::RefundDue);
        let what = match rule {
            Some(_) => {
                "no refund is due: each player who gets one has it, or may still play, or has no fee recorded"
            }
            None => "the rulebook pays no fee back",
        };
        return Err(Refusal::by(rule, what).hint(Remedy::Show));
    }
    Ok(due.into_iter().map(TournamentEvent::RefundRecorded).collect())
}

pub(super) fn return_prize(
    case: &JudgingContext<'_>,
    player: &PlayerId,
    reason: &str,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let by = fund::keeps_no_prize(case.tournament, case.rulebook, player);
    let rule = case.rulebook.rule(by.map_or(RuleId::PrizeReturned, |(rule, _)| rule));
    let amount = fund::held(case.tournament, player);
    if amount == 0 {
        return Err(Refusal::by(rule, format!("`{player}` holds no prize")).hint(Remedy::Show));
    }
    Ok(vec![TournamentEvent::PrizeReturned(PrizeReturned {
        player: player.clone(),
        amount,
        ground: rule.map(|rule| rule.ground(None)),
        reason: reason.to_owned(),
    })])
}
