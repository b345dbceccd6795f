//! The published order of a stage held against the one that follows from the record: what each place rests on, the
//! order, who goes on, and the seeds. Each is compared by itself, so that a wrong score is found as a score and a wrong
//! seed as a seed.

use crate::rulebook::RuleId;
use annals_events::PlayerId;
use annals_events::tournament::{Milestone, Qualified, QualifyingRank, Stage};

use super::super::Bench;
use crate::formats::qualifier::propose as qualifier;
use crate::round_check::published::cannot_follow;
use crate::state::calendar::{date, utc};

/// The names of the rules by which an order is judged.
struct Rules {
    /// What a place rests on.
    score: RuleId,
    order: RuleId,
    /// The order among those who have not played, where the rulebook has a rule of its own for them.
    unplayed: Option<RuleId>,
}

/// Judges the publication of an order.
pub(super) fn qualified(bench: &mut Bench<'_>, published: &Qualified) {
    let case = bench.case;
    let subject = format!("the order of the {}", published.from);
    let rules = if published.from == Stage::Qualifier {
        period_over(bench, &subject);
        Rules {
            score: RuleId::QualifierScore,
            order: RuleId::QualifierOrder,
            unplayed: Some(RuleId::QualifierUnplayed),
        }
    } else {
        Rules { score: RuleId::SwissOrder, order: RuleId::SwissOrder, unplayed: None }
    };
    let of_the_next = |round: &&crate::Round| round.stage == published.to;
    let paired = case.tournament.rounds.values().find(of_the_next).map(|round| round.paired.fact.round);
    bench.hold(RuleId::FieldPlaces, format!("{subject}, time"), paired.is_none(), || {
        let round = paired.map_or(String::new(), |round| format!("round {round} is paired already"));
        (format!("published before the {} is paired", published.to), round)
    });
    let again = case.tournament.qualified.iter().any(|earlier| earlier.from == published.from);
    bench.hold(RuleId::FieldPlaces, format!("{subject}, once"), !again, || {
        let expected = "an order is published once; a wrong one is struck first".to_owned();
        (expected, format!("the order of the {} is published already", published.from))
    });
    match qualifier::outcome_of(case.tournament, case.rulebook, published.from) {
        Ok(expected) => compare(bench, &subject, published, &expected, &rules),
        Err(refusal) if published.from == Stage::Qualifier => {
            bench.open(rules.order, subject, refusal.to_string());
        }
        // An order of the Swiss before its last result breaks the rule that the refusal names.
        Err(refusal) => cannot_follow(bench, rules.order, &subject, refusal),
    }
}

/// The order of the qualifier rests on all of its games.
fn period_over(bench: &mut Bench<'_>, subject: &str) {
    if let Some(closes) = date(bench.case.tournament, Milestone::QualifyingCloses) {
        let at = bench.when.at;
        bench.hold(RuleId::QualifierWindow, subject, at >= closes, || {
            (
                format!("published when the period is over, at {}", utc(closes)),
                format!("published at {}", utc(at)),
            )
        });
    }
}

fn compare(bench: &mut Bench<'_>, subject: &str, published: &Qualified, expected: &Qualified, rules: &Rules) {
    for place in &published.order {
        let Some(by_rule) = expected.order.iter().find(|known| known.player == place.player) else {
            bench.hold(RuleId::RegistrationKnown, format!("{} in {subject}", place.player), false, || {
                ("players who are in".to_owned(), format!("`{}` is not", place.player))
            });
            continue;
        };
        let wrong = wrong_measure(place, by_rule);
        bench.hold(rules.score, format!("the score of {}", place.player), wrong.is_none(), || {
            wrong.unwrap_or_default()
        });
    }
    order(bench, subject, published, expected, rules);
    places(bench, subject, published, expected);
}

/// The first measure that is published and is not what it should be. What is not published is not asked for.
fn wrong_measure(place: &QualifyingRank, by_rule: &QualifyingRank) -> Option<(String, String)> {
    let words = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    place.measures.iter().find_map(|measure| {
        let right = by_rule.measures.iter().find(|known| known.name == measure.name);
        let expected: &[i64] = right.map_or(&[], |right| &right.values);
        (expected != measure.values).then(|| {
            let expected = if expected.is_empty() { "nothing".to_owned() } else { words(expected) };
            (format!("{} {expected}", measure.name), format!("{} {}", measure.name, words(&measure.values)))
        })
    })
}

fn order(bench: &mut Bench<'_>, subject: &str, published: &Qualified, expected: &Qualified, rules: &Rules) {
    let found: Vec<&PlayerId> = published.order.iter().map(|place| &place.player).collect();
    let right: Vec<&PlayerId> = expected.order.iter().map(|place| &place.player).collect();
    let apart = (0..found.len().max(right.len())).find(|&i| found.get(i) != right.get(i));
    let word =
        |player: Option<&&PlayerId>| player.map_or("nobody".to_owned(), |player| format!("`{player}`"));
    let unplayed = |player: Option<&&PlayerId>| {
        player.and_then(|player| expected.order.iter().find(|place| place.player == **player)).is_some_and(
            |place| place.measures.iter().any(|measure| measure.name == "played" && measure.values == [0]),
        )
    };
    let both_unplayed = apart.is_some_and(|i| unplayed(found.get(i)) && unplayed(right.get(i)));
    let broken = match rules.unplayed.filter(|_| both_unplayed) {
        Some(rule) => {
            bench.hold(rules.order, subject, true, Default::default);
            rule
        }
        None => rules.order,
    };
    bench.hold(broken, subject, apart.is_none(), || {
        let place = apart.map_or(0, |i| i + 1);
        let at = |list: &[&PlayerId]| word(apart.and_then(|i| list.get(i)));
        (format!("{} in place {place}", at(&right)), format!("{} in place {place}", at(&found)))
    });
    let misnumbered = published.order.iter().zip(1u32..).find(|(place, number)| place.rank != *number);
    bench.hold(rules.order, format!("{subject}, numbers"), misnumbered.is_none(), || {
        let (player, found, number) = misnumbered
            .map_or((String::new(), 0, 0), |(place, number)| (place.player.to_string(), place.rank, number));
        (format!("`{player}` has place {number}"), format!("place {found}"))
    });
}

/// Who goes on, and the seeds, by the order that was published.
fn places(bench: &mut Bench<'_>, subject: &str, published: &Qualified, expected: &Qualified) {
    let go_on =
        |order: &[QualifyingRank]| -> Vec<bool> { order.iter().map(|place| place.seed.is_some()).collect() };
    let (right, found) = (go_on(&expected.order), go_on(&published.order));
    bench.hold(RuleId::FieldPlaces, subject, right == found, || {
        let words = |flags: &[bool]| {
            let places = flags.iter().zip(1u32..).filter(|(goes, _)| **goes);
            let places: Vec<String> = places.map(|(_, place)| place.to_string()).collect();
            if places.is_empty() {
                "nobody goes on".to_owned()
            } else {
                format!("places {} go on", places.join(", "))
            }
        };
        (words(&right), words(&found))
    });
    let wrong = published
        .order
        .iter()
        .filter(|place| place.seed.is_some())
        .zip(1u32..)
        .find(|(place, seed)| place.seed != Some(*seed));
    bench.hold(RuleId::FieldSeeds, subject, wrong.is_none(), || {
        wrong.map_or((String::new(), String::new()), |(place, seed)| {
            let found = place.seed.map_or("none".to_owned(), |seed| seed.to_string());
            (format!("`{}` has seed {seed}", place.player), format!("seed {found}"))
        })
    });
    let to_final = published.to == expected.to;
    bench.hold(RuleId::FieldPlaces, format!("{subject}, stage"), to_final, || {
        (format!("they go on to {}", expected.to), format!("to {}", published.to))
    });
}
