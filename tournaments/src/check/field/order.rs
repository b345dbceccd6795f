//! Compares the published order of a stage with the computed one: scores, order, who advances, and seeds,
//! each separately.

use std::collections::{BTreeMap, BTreeSet};

use crate::rulebook::RuleId;
use annals_events::PlayerId;
use annals_events::tournament::{Measure, Milestone, Qualified, QualifyingRank, Stage};

use super::super::Checker;
use crate::formats;
use crate::formats::elimination::finalists::by_performance;
use crate::round_check::published::{cannot_follow, measure_in_words};
use crate::state::calendar::{date, utc};

/// The rules by which an order is checked.
struct OrderRules {
    score: RuleId,
    order: RuleId,
    /// The order of players without games, if a rule of its own gives it.
    unplayed: Option<RuleId>,
}

pub(crate) fn qualified(check: &mut Checker<'_>, published: &Qualified) {
    let case = check.case;
    let subject = format!("the order of the {}", published.from);
    let rules = if published.from == Stage::Qualifier {
        period_over(check, &subject);
        if let Some(due) = date(case.tournament, Milestone::QualifiersNamed) {
            check.in_time(RuleId::QualifierNamed, format!("{subject}, date"), due, "published");
        }
        OrderRules {
            score: RuleId::QualifierScore,
            order: RuleId::QualifierOrder,
            unplayed: Some(RuleId::QualifierUnplayed),
        }
    } else {
        OrderRules { score: RuleId::SwissOrder, order: RuleId::SwissOrder, unplayed: None }
    };
    let of_the_next = |round: &&crate::Round| round.stage == published.to;
    let paired = case.tournament.rounds.values().find(of_the_next).map(|round| round.paired.fact.round);
    check.none(RuleId::FieldPlaces, format!("{subject}, time"), paired, |round| {
        let expected = format!("published before the {} is paired", published.to);
        (expected, format!("round {round} is paired already"))
    });
    let again = case.tournament.qualified.iter().any(|earlier| earlier.from == published.from);
    check.hold(RuleId::FieldPlaces, format!("{subject}, once"), !again, || {
        let expected = "an order is published once; a wrong one is struck first";
        (expected, format!("the order of the {} is published already", published.from))
    });
    if case.rulebook.games_only {
        at_most_as_many_as_go_on(check, &subject, published);
    }
    match formats::outcome_of(case.tournament, case.rulebook, published.from) {
        Ok(expected) => compare(check, &subject, published, &expected, &rules),
        Err(refusal) if published.from == Stage::Qualifier => {
            check.open(rules.order, subject, refusal.to_string());
        }
        // An order of the Swiss before its last result breaks the rule that the refusal names.
        Err(refusal) => cannot_follow(check, rules.order, &subject, refusal),
    }
}

/// If the record lacks the games of a stage, only the number who advance is checked.
fn at_most_as_many_as_go_on(check: &mut Checker<'_>, subject: &str, published: &Qualified) {
    let places = check.case.rulebook.stage(published.from).and_then(|stage| stage.places);
    let seeded = published.order.iter().filter(|place| place.seed.is_some()).count();
    let more = places.filter(|places| u32::try_from(seeded).is_ok_and(|seeded| seeded > *places));
    check.none(RuleId::FieldPlaces, format!("{subject}, number"), more, |places| {
        (format!("at most {places} go on"), format!("{seeded} go on"))
    });
}

fn period_over(check: &mut Checker<'_>, subject: &str) {
    if let Some(closes) = date(check.case.tournament, Milestone::QualifyingCloses) {
        let at = check.when.at;
        check.hold(RuleId::QualifierWindow, subject, at >= closes, || {
            (
                format!("published when the period is over, at {}", utc(closes)),
                format!("published at {}", utc(at)),
            )
        });
    }
}

fn compare(
    check: &mut Checker<'_>,
    subject: &str,
    published: &Qualified,
    expected: &Qualified,
    rules: &OrderRules,
) {
    let by_player: BTreeMap<&PlayerId, &QualifyingRank> =
        expected.order.iter().map(|place| (&place.player, place)).collect();
    for place in &published.order {
        let Some(by_rule) = by_player.get(&place.player) else {
            check.hold(RuleId::RegistrationKnown, format!("{} in {subject}", place.player), false, || {
                ("players who are in", format!("`{}` is not", place.player))
            });
            continue;
        };
        let wrong = wrong_measure(place, by_rule, published.from != Stage::Qualifier);
        check.none(rules.score, format!("the score of {}", place.player), wrong, |wrong| wrong);
    }
    order(check, subject, published, expected, rules);
    places(check, subject, published, expected);
}

/// The first published value of a tie-break that differs. Unpublished ones are skipped.
fn wrong_measure(place: &QualifyingRank, by_rule: &QualifyingRank, halves: bool) -> Option<(String, String)> {
    place.measures.iter().find_map(|measure| {
        let right = by_rule.measures.iter().find(|known| known.name == measure.name);
        let values = right.map_or_else(Vec::new, |right| right.values.clone());
        let expected = Measure { name: measure.name.clone(), values };
        let words = |measure: &Measure| measure_in_words(measure, halves);
        (expected != *measure).then(|| (words(&expected), words(measure)))
    })
}

fn order(
    check: &mut Checker<'_>,
    subject: &str,
    published: &Qualified,
    expected: &Qualified,
    rules: &OrderRules,
) {
    let found: Vec<&PlayerId> = published.order.iter().map(|place| &place.player).collect();
    let right: Vec<&PlayerId> = expected.order.iter().map(|place| &place.player).collect();
    let apart = (0..found.len().max(right.len())).find(|&i| found.get(i) != right.get(i));
    let word =
        |player: Option<&&PlayerId>| player.map_or("no player".to_owned(), |player| format!("`{player}`"));
    let unplayed = |player: Option<&&PlayerId>| {
        player.and_then(|player| expected.order.iter().find(|place| place.player == **player)).is_some_and(
            |place| place.measures.iter().any(|measure| measure.name == "played" && measure.values == [0]),
        )
    };
    let both_unplayed = apart.is_some_and(|i| unplayed(found.get(i)) && unplayed(right.get(i)));
    let broken = match rules.unplayed.filter(|_| both_unplayed) {
        Some(rule) => {
            check.compliant(rules.order, subject);
            rule
        }
        None => rules.order,
    };
    check.none(broken, subject, apart, |i| {
        let place = i + 1;
        let at = |list: &[&PlayerId]| word(list.get(i));
        (format!("{} in place {place}", at(&right)), format!("{} in place {place}", at(&found)))
    });
    let misnumbered = published.order.iter().zip(1u32..).find(|(place, number)| place.rank != *number);
    check.none(rules.order, format!("{subject}, numbers"), misnumbered, |(place, number)| {
        (format!("`{}` has place {number}", place.player), format!("place {}", place.rank))
    });
}

fn places(check: &mut Checker<'_>, subject: &str, published: &Qualified, expected: &Qualified) {
    let go_on =
        |order: &[QualifyingRank]| -> Vec<bool> { order.iter().map(|place| place.seed.is_some()).collect() };
    let (right, found) = (go_on(&expected.order), go_on(&published.order));
    let who = |order: &[QualifyingRank]| -> BTreeSet<PlayerId> {
        order.iter().filter(|place| place.seed.is_some()).map(|place| place.player.clone()).collect()
    };
    let (due, named) = (who(&expected.order), who(&published.order));
    check.hold(RuleId::FieldPlaces, subject, right == found && due == named, || {
        if right == found {
            let only = |these: &BTreeSet<PlayerId>, others: &BTreeSet<PlayerId>| {
                let players = these.difference(others).map(|player| format!("`{player}`"));
                format!("{} among those who go on", players.collect::<Vec<_>>().join(", "))
            };
            return (only(&due, &named), only(&named, &due));
        }
        let words = |flags: &[bool]| {
            let places = flags.iter().zip(1u32..).filter(|(goes, _)| **goes);
            let places: Vec<String> = places.map(|(_, place)| place.to_string()).collect();
            if places.is_empty() {
                "no player goes on".to_owned()
            } else {
                format!("places {} go on", places.join(", "))
            }
        };
        (words(&right), words(&found))
    });
    let seeded: Vec<PlayerId> = published
        .order
        .iter()
        .filter(|place| place.seed.is_some())
        .map(|place| place.player.clone())
        .collect();
    let seeded = match published.from {
        Stage::Swiss => by_performance(check.case.tournament, check.case.rulebook, seeded),
        _ => Ok(seeded),
    };
    match seeded {
        Err(refusal) => check.open(RuleId::FieldSeeds, subject, refusal.to_string()),
        Ok(seeded) => {
            let seeds: BTreeMap<&PlayerId, u32> = seeded.iter().zip(1..).collect();
            let found = published.order.iter().filter_map(|place| Some((&place.player, place.seed?)));
            let wrong = found
                .filter_map(|(player, found)| Some((player, *seeds.get(player)?, found)))
                .find(|(_, seed, found)| seed != found);
            check.none(RuleId::FieldSeeds, subject, wrong, |(player, seed, found)| {
                (format!("`{player}` has seed {seed}"), format!("seed {found}"))
            });
        }
    }
    let to_final = published.to == expected.to;
    check.hold(RuleId::FieldPlaces, format!("{subject}, stage"), to_final, || {
        (format!("they go on to {}", expected.to), format!("to {}", published.to))
    });
}
