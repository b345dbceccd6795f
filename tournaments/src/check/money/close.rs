//! The close: the final order, titles, who goes on, and what is left of the fund.

use crate::rulebook::RuleId;
use annals_events::tournament::{Closed, Placing};

use crate::check::Bench;
use crate::check::results::first_rule;
use crate::check::rulings::rule_of_place;
use crate::formats;
use crate::fund;
use crate::state::Money;

/// Judges it.
pub(super) fn judge(bench: &mut Bench<'_>, closed: &Closed) {
    let (tournament, rulebook) = (bench.case.tournament, bench.case.rulebook);
    let subject = "the close";
    let first = rule_of_place(bench, 1);
    bench.hold(first, subject, tournament.closed.is_none(), || {
        ("a tournament is closed once".to_owned(), "it is closed already".to_owned())
    });
    if let Err(open) = fund::play_is_over(tournament, rulebook) {
        bench.hold(first, subject, false, || {
            ("all games are played and all places decided".to_owned(), open.to_string())
        });
        return;
    }
    match formats::places(tournament, rulebook) {
        Err(why) => bench.open(first, subject, why.to_string()),
        Ok(due) => compare(bench, &due.placings, &closed.places),
    }
    if let Some(left) = closed.fund_left {
        let due = tournament.fund();
        bench.hold(RuleId::PrizeLeft, "what is left of the fund", i64::try_from(left) == Ok(due), || {
            (format!("{due} cents"), format!("{left} cents"))
        });
    }
    owed(bench);
}

/// What is still to be paid when a tournament is closed: the texts say that it is due, and not by when.
fn owed(bench: &mut Bench<'_>) {
    let (tournament, rulebook) = (bench.case.tournament, bench.case.rulebook);
    let names = |players: Vec<String>| players.join(", ");
    let prizes = fund::awards(tournament, rulebook).unwrap_or_default().into_iter();
    let prizes: Vec<String> =
        prizes.filter(|prize| prize.amount > 0).map(|prize| prize.player.to_string()).collect();
    if !prizes.is_empty() {
        bench.open(
            RuleId::PrizeShare,
            "the close",
            format!("prizes are still to be awarded: {}", names(prizes)),
        );
    }
    let refunds: Vec<String> =
        fund::refunds(tournament, rulebook).into_iter().map(|refund| refund.player.to_string()).collect();
    if !refunds.is_empty() {
        bench.open(RuleId::RefundDue, "the close", format!("fees are still to go back: {}", names(refunds)));
    }
    let unpaid: Vec<String> = tournament
        .entrants
        .keys()
        .filter(|player| !fund::booked(tournament, Money::Fee, player))
        .map(ToString::to_string)
        .collect();
    if !unpaid.is_empty() {
        bench.open(RuleId::RegistrationFee, "the close", format!("no fee is recorded of {}", names(unpaid)));
    }
}

fn compare(bench: &mut Bench<'_>, due: &[Placing], found: &[Placing]) {
    let words = |placings: &[&Placing]| -> String {
        let names: Vec<&str> = placings.iter().map(|placing| placing.player.as_str()).collect();
        if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
    };
    let mut places: Vec<u32> = due.iter().chain(found).map(|placing| placing.place).collect();
    places.sort_unstable();
    places.dedup();
    for place in places {
        let at = |placings: &'_ [Placing]| -> Vec<Placing> {
            let mut at: Vec<Placing> =
                placings.iter().filter(|placing| placing.place == place).cloned().collect();
            at.sort_by(|one, other| one.player.cmp(&other.player));
            at
        };
        let (due, found) = (at(due), at(found));
        let same = due.iter().map(|placing| &placing.player).eq(found.iter().map(|placing| &placing.player));
        let rule = rule_of_place(bench, place);
        bench.hold(rule, format!("place {place}"), same, || {
            (words(&due.iter().collect::<Vec<_>>()), words(&found.iter().collect::<Vec<_>>()))
        });
    }
    for placing in found {
        let due = due.iter().find(|due| due.player == placing.player);
        let titles = due.map_or(&[][..], |due| due.titles.as_slice());
        let rule = first_rule(bench, &[RuleId::PlaceTitle, RuleId::PlaceOrder]);
        bench.hold(rule, format!("the titles of {}", placing.player), titles == placing.titles, || {
            (format!("{titles:?}"), format!("{:?}", placing.titles))
        });
        let contender = due.is_some_and(|due| due.contender);
        let subject = format!("whether {} goes on", placing.player);
        bench.hold(RuleId::PlaceContenders, subject, contender == placing.contender, || {
            let word = |goes_on| if goes_on { "goes on" } else { "does not go on" };
            (word(contender).to_owned(), word(placing.contender).to_owned())
        });
    }
}
