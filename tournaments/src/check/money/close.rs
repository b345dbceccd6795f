//! The close: the final order, titles, who advances, and the remainder of the fund.

use crate::rulebook::RuleId;
use std::collections::{BTreeMap, BTreeSet};

use annals_events::PlayerId;
use annals_events::tournament::{Closed, Placing};

use crate::check::checker::Checker;
use crate::check::rulings::rule_of_place;
use crate::formats;
use crate::fund;
use crate::state::{Filed, Money};

pub(crate) fn check(check: &mut Checker<'_>, closed: &Closed) {
    let (tournament, rulebook) = (check.case.tournament, check.case.rulebook);
    let subject = "the close";
    let first = rule_of_place(check, 1);
    check.hold(first, subject, tournament.closed.is_none(), || {
        ("a tournament is closed once", "it is closed already")
    });
    if let Err(open) = fund::play_is_over(tournament, rulebook) {
        check.hold(first, subject, false, || {
            ("all games are played and all places decided", open.to_string())
        });
        return;
    }
    match formats::places(tournament, rulebook) {
        Err(why) => check.open(first, subject, why.to_string()),
        Ok(due) => compare(check, &due.placings, &closed.places),
    }
    if let Some(left) = closed.fund_left {
        let due = fund::left(tournament, rulebook);
        check.hold(RuleId::PrizeLeft, "what is left of the fund", i64::try_from(left) == Ok(due), || {
            (format!("{due} cents"), format!("{left} cents"))
        });
    }
    owed(check);
    undecided(check);
}

/// Disputes and appeals that the close leaves without a decision: the texts state no date for it.
fn undecided(check: &mut Checker<'_>) {
    for (filed, by) in check.case.tournament.undecided() {
        let of_its_kind = match filed {
            Filed::Dispute(_) => RuleId::DisputeEvidence,
            Filed::Appeal(_) => RuleId::ForfeitRemoved,
        };
        let rule = check.first_rule(&[of_its_kind, RuleId::RulingFinal, RuleId::RulingNumber]);
        check.open(rule, "the close", format!("{filed} of `{by}` is not decided"));
    }
}

/// Payments due at the close: the texts require them without a date.
fn owed(check: &mut Checker<'_>) {
    let (tournament, rulebook) = (check.case.tournament, check.case.rulebook);
    let mut open = |rule: RuleId, what: &str, players: Vec<&PlayerId>| {
        if !players.is_empty() {
            let names: Vec<&str> = players.into_iter().map(PlayerId::as_str).collect();
            check.open(rule, "the close", format!("{what} {}", names.join(", ")));
        }
    };
    let prizes = fund::awards(tournament, rulebook).unwrap_or_default();
    let prizes = prizes.iter().filter(|prize| prize.amount > 0).map(|prize| &prize.player);
    open(RuleId::PrizeShare, "prizes are still to be awarded:", prizes.collect());
    let refunds = fund::refunds(tournament, rulebook);
    let refunds = refunds.iter().map(|refund| &refund.player);
    open(RuleId::RefundDue, "fees are still to go back:", refunds.collect());
    for rule in [RuleId::PrizeReturned, RuleId::PrizeForfeited] {
        let holders = tournament.entrants.keys().filter(|player| {
            let by = fund::keeps_no_prize(tournament, rulebook, player).map(|(by, _)| by);
            by == Some(rule) && fund::held(tournament, player) > 0
        });
        open(rule, "a prize is to be returned by", holders.collect());
    }
    let entrants = tournament.entrants.keys();
    let unpaid = entrants.filter(|player| !tournament.booked(Money::Fee, player));
    open(RuleId::RegistrationFee, "no fee is recorded of", unpaid.collect());
}

fn compare(check: &mut Checker<'_>, due: &[Placing], found: &[Placing]) {
    let by_place = |placings: &[Placing]| {
        let mut names: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
        for placing in placings {
            names.entry(placing.place).or_default().insert(placing.player.to_string());
        }
        names
    };
    let (by_rule, by_event) = (by_place(due), by_place(found));
    let places: BTreeSet<u32> = by_rule.keys().chain(by_event.keys()).copied().collect();
    for place in places {
        let names = |of: &BTreeMap<u32, BTreeSet<String>>| {
            let names = of.get(&place).map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
            names.map_or("no player".to_owned(), |names| names.join(", "))
        };
        let rule = rule_of_place(check, place);
        let same = by_rule.get(&place) == by_event.get(&place);
        check.hold(rule, format!("place {place}"), same, || (names(&by_rule), names(&by_event)));
    }
    let due: BTreeMap<&PlayerId, &Placing> = due.iter().map(|placing| (&placing.player, placing)).collect();
    for placing in found {
        let due = due.get(&placing.player);
        let titles = due.map_or(&[][..], |due| due.titles.as_slice());
        let rule = check.first_rule(&[RuleId::PlaceTitle, RuleId::PlaceOrder]);
        check.hold(rule, format!("the titles of {}", placing.player), titles == placing.titles, || {
            let words =
                |titles: &[String]| if titles.is_empty() { "none".to_owned() } else { titles.join(", ") };
            (words(titles), words(&placing.titles))
        });
        let contender = due.is_some_and(|due| due.contender);
        let subject = format!("whether {} goes on", placing.player);
        check.hold(RuleId::PlaceContenders, subject, contender == placing.contender, || {
            let word = |goes_on| if goes_on { "goes on" } else { "does not go on" };
            (word(contender).to_owned(), word(placing.contender).to_owned())
        });
    }
}
