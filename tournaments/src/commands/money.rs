//! What is due to be paid: prizes when all is played, refunds when a player's play is over.

use crate::rulebook::RuleId;
use annals_events::TournamentEvent;
use annals_events::tournament::{PrizeAwarded, PrizeForfeited};

use crate::check::Case;
use crate::formats;
use crate::fund;
use crate::refusal::{Refusal, Remedy};
use crate::state::Money;

/// All prizes that are due; those that are forfeited are recorded first.
pub(super) fn award(case: &Case<'_>) -> Result<Vec<TournamentEvent>, Refusal> {
    let (tournament, rulebook) = (case.tournament, case.rulebook);
    fund::play_is_over(tournament, rulebook)?;
    let mut events = Vec::new();
    for prize in fund::prizes(tournament, rulebook)? {
        let player = &prize.player;
        let recorded = fund::booked(tournament, Money::PrizeForfeited, player);
        let awarded = tournament.prizes.iter().any(|old| old.fact.player == *player && old.fact.amount > 0);
        if fund::forfeits_prizes(tournament, player) && !recorded && !awarded {
            events.push(TournamentEvent::PrizeForfeited(PrizeForfeited {
                player: player.clone(),
                amount: prize.amount,
                ground: rulebook.rule(RuleId::PrizeForfeited).map(|rule| rule.ground(None)),
                reason: "disqualified for much faster hardware or other help".to_owned(),
            }));
        }
    }
    let mut due = fund::awards(tournament, rulebook)?;
    certificate(case, &mut due);
    events.extend(due.into_iter().map(TournamentEvent::PrizeAwarded));
    if events.is_empty() {
        let what = "no prize is due: all are awarded, or the rulebook divides no fund";
        return Err(Refusal::lacking(what).hint(Remedy::Show));
    }
    Ok(events)
}

/// The first also gets the title, by a certificate (2015 WCC, Prizes).
fn certificate(case: &Case<'_>, due: &mut Vec<PrizeAwarded>) {
    let Some(rule) = case.rulebook.rule(RuleId::PlaceTitle) else { return };
    let places = formats::places(case.tournament, case.rulebook).unwrap_or_default();
    for placing in places.placings.iter().filter(|placing| placing.place == 1) {
        let Some(title) = placing.titles.first() else { continue };
        let thing = format!("certificate: {title}");
        let known = |prize: &PrizeAwarded| prize.player == placing.player && prize.thing.is_some();
        if case.tournament.prizes.iter().any(|prize| known(&prize.fact)) {
            continue;
        }
        match due.iter_mut().find(|prize| prize.player == placing.player) {
            Some(prize) => prize.thing = Some(thing),
            None => due.push(PrizeAwarded {
                player: placing.player.clone(),
                amount: 0,
                games_won: None,
                half_points: None,
                thing: Some(thing),
                ground: Some(rule.ground(None)),
            }),
        }
    }
}

/// All refunds that are due.
pub(super) fn refund(case: &Case<'_>) -> Result<Vec<TournamentEvent>, Refusal> {
    let due = fund::refunds(case.tournament, case.rulebook);
    if due.is_empty() {
        let rule = case.rulebook.rule(RuleId::RefundDue);
        let what = match rule {
            Some(_) => {
                "no refund is due: everybody who gets one has it, or still plays, or has no fee recorded"
            }
            None => "the rulebook pays no fee back",
        };
        return Err(Refusal::by(rule, what).hint(Remedy::Show));
    }
    Ok(due.into_iter().map(TournamentEvent::RefundRecorded).collect())
}
