//! Published rounds of a final held against the rules: what follows, what is one of several, and which rule each fault departs
//! from; the same at the desk; and the answers to why not.

use annals_events::tournament::{
    Bye, ColourDrawn, Draw, Equals, Outcome, Pair, PairingRevoked, RoundPaired, RoundStarted, Stage,
    Withdrawal,
};
use annals_events::{BoardId, Side, TournamentEvent};
use annals_tournaments::commands::Command;
use annals_tournaments::formats::{next_round, why_not};
use annals_tournaments::lot;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::{RuleId, Rulebook};
use annals_tournaments::verdict::Compliance;

use super::finals_desk::{Desk, favourite, seed};

/// The better seed always wins.
/// The worse seed always wins.
fn upset(gold: &annals_events::PlayerId, silver: &annals_events::PlayerId) -> Outcome {
    if gold < silver { Outcome::Silver } else { Outcome::Gold }
}

fn is_violation(desk: &Desk, paired: &RoundPaired) -> Vec<&'static str> {
    desk.violations(&TournamentEvent::RoundPaired(paired.clone()))
}

fn text(desk: &Desk, paired: &RoundPaired, rule: &str) -> String {
    let texts = desk.holds(paired, rule).into_iter().filter_map(|holds| match holds {
        Compliance::Violation { expected, found } => Some(format!("{found}; {expected}")),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" | ")
}

/// What was published beside the pairs, left out.
fn bare(mut paired: RoundPaired) -> RoundPaired {
    paired.order.clear();
    paired.measures.clear();
    paired.equals = None;
    for pair in &mut paired.pairs {
        pair.colour = None;
    }
    paired
}

/// Exchanges two players wherever they stand.
fn exchange(paired: &mut RoundPaired, one: u32, other: u32) {
    let (one, other) = (seed(one), seed(other));
    let swap = |player: &mut annals_events::PlayerId| {
        if *player == one {
            *player = other.clone();
        } else if *player == other {
            *player = one.clone();
        }
    };
    for pair in &mut paired.pairs {
        swap(&mut pair.upper);
        swap(&mut pair.lower);
    }
    for bye in &mut paired.byes {
        swap(&mut bye.player);
    }
}

fn after(
    rounds: usize,
    players: u32,
    result: fn(&annals_events::PlayerId, &annals_events::PlayerId) -> Outcome,
) -> Desk {
    let mut desk = Desk::of_seeds("wcc-2015", players);
    for _ in 0..rounds {
        desk.play(result).expect("a round");
    }
    desk
}

#[test]
fn the_first_round_of_eight_is_the_fold_and_everything_published_with_it_follows() {
    let desk = after(0, 8, favourite);
    let paired = desk.next().expect("a round");
    let pairs: Vec<(String, String)> =
        paired.pairs.iter().map(|pair| (pair.upper.to_string(), pair.lower.to_string())).collect();
    assert_eq!(
        pairs,
        [("s01", "s08"), ("s02", "s07"), ("s03", "s06"), ("s04", "s05")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    assert_eq!(paired.equals, Some(Equals::Exactly(1)));
    assert_eq!(paired.measures.last().map(|measure| measure.values.clone()), Some(vec![-84]));
    let verdicts = desk.check(&TournamentEvent::RoundPaired(paired.clone()));
    for verdict in &verdicts {
        // Of the first round all colours are arbitrary, and either is in order.
        let arbitrary = verdict.rule.id == RuleId::Colour;
        let holds = if arbitrary { Compliance::OneOf(Equals::Exactly(2)) } else { Compliance::Compliant };
        assert_eq!(verdict.holds, holds, "{verdict:?}");
    }
    for rule in ["round.order", "round.needed", "round.players", "pairing.best", "pairing.order", "colour"] {
        assert!(verdicts.iter().any(|verdict| verdict.rule.id.name() == rule), "{rule} was not asked");
    }
    let rule_six = paired.pairs[0].colour.as_ref().expect("a ground");
    assert_eq!(rule_six.paragraph.as_deref(), Some("2015 WCC, Color Assignment 6"));
}

#[test]
fn a_wrong_bye_departs_from_its_choice_and_a_second_one_from_the_fewest() {
    let desk = after(0, 7, favourite);
    let mut paired = bare(desk.next().expect("a round"));
    assert_eq!(paired.byes[0].player, seed(1));
    exchange(&mut paired, 1, 2);
    let rules = is_violation(&desk, &paired);
    assert!(
        rules.contains(&"bye.choice") && rules.contains(&"pairing.best") && !rules.contains(&"bye.fewest"),
        "{rules:?}"
    );
    assert!(
        text(&desk, &paired, "bye.choice").contains("seed of the player with the bye"),
        "{}",
        text(&desk, &paired, "bye.choice")
    );
    // The desk refuses it with the same rule.
    let refused =
        desk.ask(&Command::Record(Box::new(TournamentEvent::RoundPaired(paired)))).expect_err("refused");
    assert_eq!(refused.rule.map(|rule| rule.id.name()), Some("bye.choice"));

    let desk = after(1, 7, favourite);
    let mut paired = bare(desk.next().expect("a round"));
    exchange(&mut paired, 1, 2);
    assert_eq!(paired.byes[0].player, seed(1));
    let rules = is_violation(&desk, &paired);
    assert!(
        rules.contains(&"bye.fewest") && rules.contains(&"pairing.best") && !rules.contains(&"bye.choice"),
        "{rules:?}"
    );
    assert!(text(&desk, &paired, "bye.fewest").contains("has had the bye 1 times"));
}

#[test]
fn two_players_exchanged_between_pairs_depart_from_the_best_pairing_with_the_criterion_that_is_lost() {
    let desk = after(0, 8, favourite);
    let mut paired = bare(desk.next().expect("a round"));
    exchange(&mut paired, 7, 8);
    assert_eq!(is_violation(&desk, &paired), ["pairing.best"]);
    let said = text(&desk, &paired, "pairing.best");
    assert!(
        said.contains("2015 WCC, Tournament format 10") && said.contains("-82 where -84 is possible"),
        "{said}"
    );
    let desk = after(1, 8, favourite);
    let mut paired = bare(desk.next().expect("a round"));
    // 1-8 again: the repeat is named first.
    exchange(&mut paired, 4, 8);
    let rules = is_violation(&desk, &paired);
    assert!(rules.contains(&"pairing.best"), "{rules:?}");
    let said = text(&desk, &paired, "pairing.best");
    assert!(said.contains("pairings for the 2nd time"));
}

#[test]
fn a_wrong_colour_departs_from_the_colour_rules_and_names_the_right_one() {
    let desk = after(2, 8, favourite);
    let mut paired = bare(desk.next().expect("a round"));
    let pair = &mut paired.pairs[1];
    pair.upper_side = pair.upper_side.map(Side::other);
    assert_eq!(is_violation(&desk, &paired), ["colour"]);
    let said = text(&desk, &paired, "colour");
    assert!(
        said.contains("2015 WCC, Color Assignment 3") && said.contains("both streaks are broken"),
        "{said}"
    );
    // The right colours by another rule.
    let mut paired = desk.next().expect("a round");
    if let Some(ground) = &mut paired.pairs[1].colour {
        ground.paragraph = Some("2015 WCC, Color Assignment 5".to_owned());
    }
    assert_eq!(is_violation(&desk, &paired), ["colour"]);
}

#[test]
fn a_round_has_its_number_its_stage_its_players_and_all_results_before_it() {
    let mut desk = after(1, 4, favourite);
    let right = desk.next().expect("a round");
    assert_eq!(is_violation(&desk, &right), [""; 0]);
    let with = |change: fn(&mut RoundPaired)| {
        let mut paired = bare(right.clone());
        change(&mut paired);
        is_violation(&desk, &paired)
    };
    assert_eq!(with(|paired| paired.round = 3), ["round.order"]);
    assert_eq!(with(|paired| paired.round = 1), ["round.order"]);
    assert_eq!(with(|paired| paired.stage = Stage::Continuation), ["round.needed"]);
    assert_eq!(with(|paired| paired.stage = Stage::Ring), ["round.order"]);
    assert_eq!(with(|paired| paired.stage = Stage::Qualifier), ["round.order"]);
    assert_eq!(with(|paired| drop(paired.pairs.pop())), ["round.players"]);
    // Somebody twice and a stranger; the colours of such a pair may be wrong besides.
    let twice = with(|paired| paired.pairs[1].upper = seed(1));
    let stranger = with(|paired| paired.pairs[1].upper = seed(9));
    for rules in [twice, stranger] {
        assert!(rules.contains(&"round.players") && !rules.contains(&"pairing.best"), "{rules:?}");
    }
    assert_eq!(with(|paired| paired.pairs[1].board = 7), ["round.order", "round.players"]);
    let all_byes = with(|paired| {
        let players = paired.pairs.drain(..).flat_map(|pair| [pair.upper, pair.lower]);
        paired.byes = players.map(|player| Bye { player, half_points: None, grounds: Vec::new() }).collect();
    });
    assert_eq!(all_byes, ["round.players"]);
    // A result is missing.
    desk.push(TournamentEvent::RoundPaired(right.clone()));
    desk.start(2);
    desk.result(2, 1, Outcome::Gold);
    let refused = desk.next().expect_err("no result");
    assert_eq!(refused.rule.map(|rule| rule.id.name()), Some("round.order"));
    assert!(refused.to_string().contains("r2.2 has no result"), "{refused}");
    let mut third = bare(right);
    third.round = 3;
    assert_eq!(is_violation(&desk, &third), ["round.order"]);
    // Somebody who left is paired.
    desk.result(2, 2, Outcome::Gold);
    desk.withdraw(&seed(4), Withdrawal::Own);
    assert!(is_violation(&desk, &third).contains(&"round.players"));
    assert!(text(&desk, &third, "round.players").contains("not in any more, or never: s04"));
    assert_eq!(desk.next().expect("a round").order.len(), 3);
}

#[test]
fn what_is_published_beside_the_pairs_is_recomputed() {
    let desk = after(2, 7, upset);
    let right = desk.next().expect("a round");
    assert_eq!(is_violation(&desk, &right), [""; 0]);
    let mut paired = right.clone();
    (paired.order[0].rank, paired.order[1].rank) = (2, 1);
    assert_eq!(is_violation(&desk, &paired), ["pairing.order"]);
    let mut paired = right.clone();
    paired.order[0].measures[1].values[0] += 5;
    assert_eq!(is_violation(&desk, &paired), ["pairing.order"]);
    let mut paired = right.clone();
    paired.measures[0].values[0] += 1;
    assert_eq!(is_violation(&desk, &paired), ["pairing.best"]);
    let mut paired = right;
    paired.equals = Some(Equals::Exactly(77));
    assert_eq!(is_violation(&desk, &paired), ["pairing.best"]);
}

/// Every way to pair players, the first with each of the others in turn.
fn matchings(players: &[u32]) -> Vec<Vec<(u32, u32)>> {
    let Some((&first, rest)) = players.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for at in 0..rest.len() {
        let others: Vec<u32> =
            rest.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, player)| *player).collect();
        for mut matching in matchings(&others) {
            matching.push((first, rest[at]));
            all.push(matching);
        }
    }
    all
}

#[test]
fn every_one_of_several_equal_rounds_is_accepted_and_counted_and_no_other() {
    let desk = after(1, 7, upset);
    let best = desk.next().expect("a round");
    let Some(Equals::Exactly(equals)) = best.equals else { panic!("not counted") };
    assert!(equals > 1, "the worked example has several best rounds");
    assert_eq!(best.byes[0].player, seed(5));
    let mut accepted = 0;
    for bye in 1..=7 {
        let others: Vec<u32> = (1..=7).filter(|player| *player != bye).collect();
        for matching in matchings(&others) {
            let pairs = (1..).zip(&matching).map(|(board, (one, other))| Pair {
                board,
                upper: seed(*one),
                lower: seed(*other),
                upper_side: None,
                colour: None,
                encounter: None,
            });
            let mut paired = bare(best.clone());
            paired.pairs = pairs.collect();
            paired.byes[0].player = seed(bye);
            match &desk.holds(&paired, "pairing.best")[..] {
                [Compliance::OneOf(Equals::Exactly(found))] => {
                    assert_eq!(*found, equals);
                    accepted += 1;
                }
                [Compliance::Violation { .. }] => {}
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(accepted, equals);
}

#[test]
fn an_inferred_round_is_open_since_nobody_published_it() {
    let desk = after(1, 8, favourite);
    let mut paired = desk.next().expect("a round");
    exchange(&mut paired, 1, 3);
    paired.inferred = true;
    let verdicts = desk.check(&TournamentEvent::RoundPaired(paired));
    assert!(!verdicts.is_empty() && verdicts.iter().all(|verdict| !verdict.is_violation()));
    assert!(verdicts.iter().any(|verdict| verdict.rule.id.name() == "pairing.best"
        && matches!(verdict.holds, Compliance::Undetermined { .. })));
}

#[test]
fn a_coin_is_drawn_where_the_reading_asks_for_one_and_only_there() {
    let mut desk = Desk::of_seeds("wcc-2015", 4);
    desk.rulebook.read("arbitrary_colour", "coin").expect("a reading");
    let refused = desk.ask(&Command::Pair { seed: None }).expect_err("no seed");
    assert_eq!(refused.rule.map(|rule| rule.id.name()), Some("colour"));
    assert_eq!(refused.next, Some(Remedy::PairWithSeed));
    let decision = desk.ask(&Command::Pair { seed: Some("2015".to_owned()) }).expect("a round");
    assert_eq!(decision.events.len(), 3);
    let (first, rest) = decision.events.split_first().expect("events");
    desk.push(first.clone());
    assert_eq!(
        desk.violations(&TournamentEvent::RoundStarted(RoundStarted {
            round: 1,
            pairing: None,
            game: None,
            programs: Vec::new()
        })),
        ["round.order"]
    );
    let TournamentEvent::ColourDrawn(drawn) = &rest[0] else { panic!("no coin") };
    assert_eq!(drawn.gold, *lot::gold("2015", 1, &seed(1), &seed(4)));
    // Another player than the seed gives, a stranger, a commitment to another seed.
    let other = if drawn.gold == seed(1) { seed(4) } else { seed(1) };
    let wrong = ColourDrawn { gold: other, ..drawn.clone() };
    assert_eq!(desk.violations(&TournamentEvent::ColourDrawn(wrong)), ["colour"]);
    let stranger = ColourDrawn { gold: seed(2), ..drawn.clone() };
    assert_eq!(desk.violations(&TournamentEvent::ColourDrawn(stranger)), ["colour"]);
    let draw = Draw { commitment: Some(lot::commitment("2016")), ..drawn.draw.clone() };
    let committed = ColourDrawn { draw, ..drawn.clone() };
    assert_eq!(desk.violations(&TournamentEvent::ColourDrawn(committed)), ["colour"]);
    let nowhere = ColourDrawn { pairing: BoardId { round: 1, board: 9 }, ..drawn.clone() };
    assert_eq!(desk.violations(&TournamentEvent::ColourDrawn(nowhere)), ["colour"]);
    let never = ColourDrawn { pairing: BoardId { round: 4, board: 1 }, ..drawn.clone() };
    assert_eq!(desk.violations(&TournamentEvent::ColourDrawn(never)), ["round.order"]);
    for event in rest {
        assert_eq!(desk.violations(event), [""; 0]);
        desk.push(event.clone());
    }
    assert_eq!(desk.violations(&rest[0]), ["colour"]);
    // The better seed has Gold under the default reading: there a coin departs.
    let mut desk = Desk::of_seeds("wcc-2015", 4);
    let paired = desk.next().expect("a round");
    desk.push(TournamentEvent::RoundPaired(paired));
    assert_eq!(desk.violations(&rest[0]), ["colour"]);
}

#[test]
fn a_pairing_is_revoked_only_before_its_round_has_begun() {
    for rulebook in Rulebook::all() {
        assert!(
            rulebook.rule(annals_tournaments::rulebook::RuleId::RoundRevoked).is_some(),
            "{}",
            rulebook.name
        );
    }
    let mut desk = after(1, 4, favourite);
    let paired = desk.next().expect("a round");
    desk.push(TournamentEvent::RoundPaired(paired.clone()));
    let revoked = |round, board| {
        TournamentEvent::PairingRevoked(PairingRevoked { round, board, reason: "a slip".to_owned() })
    };
    assert_eq!(desk.violations(&revoked(2, None)), [""; 0]);
    assert_eq!(desk.violations(&revoked(2, Some(2))), [""; 0]);
    assert_eq!(desk.violations(&revoked(2, Some(3))), ["round.revoked"]);
    assert_eq!(desk.violations(&revoked(1, None)), ["round.revoked"]);
    assert_eq!(desk.violations(&revoked(7, None)), ["round.order"]);
    let mut undone = desk.clone();
    undone.push(revoked(2, None));
    assert_eq!(undone.next().expect("a round"), paired);
    desk.start(2);
    assert_eq!(desk.violations(&revoked(2, None)), ["round.revoked"]);
    let again = RoundStarted { round: 2, pairing: None, game: None, programs: Vec::new() };
    assert_eq!(desk.violations(&TournamentEvent::RoundStarted(again)), ["round.order"]);
}

#[test]
fn the_reasons_of_a_round_name_criteria_bye_and_colours_with_their_paragraphs() {
    let desk = after(2, 7, favourite);
    let next = next_round(&desk.tournament, &desk.rulebook).expect("a round");
    let told = &next.reasons;
    assert_eq!(told.criteria.len(), next.paired.measures.len());
    for (criterion, measure) in told.criteria.iter().zip(&next.paired.measures) {
        assert_eq!((&criterion.counts, vec![criterion.value]), (&measure.name, measure.values.clone()));
        assert!(criterion.paragraph.starts_with("2015 WCC, Tournament format "));
    }
    assert_eq!((told.pairs.len(), told.byes.len(), told.colours.len()), (3, 1, 3));
    assert!(told.byes[0].because.contains("rating"), "{:?}", told.byes);
    assert!(told.colours.iter().all(|one| one.reason.because.starts_with("rule ")), "{:?}", told.colours);
    assert!(told.colours.iter().all(|one| !one.reason.because.contains("player")), "{:?}", told.colours);
    assert_eq!(told.equals, next.paired.equals);
}

#[test]
fn why_not_names_the_first_criterion_that_is_lost_or_what_forbids_it() {
    let desk = after(1, 8, favourite);
    let next = next_round(&desk.tournament, &desk.rulebook).expect("a round");
    let ask = |one: u32, other: Option<u32>| {
        let other = other.map(seed);
        why_not(&next, &desk.rulebook, &seed(one), other.as_ref()).expect("an answer")
    };
    let again = ask(1, Some(8));
    let (criterion, alternative) = again.loses_on.clone().expect("a criterion");
    assert_eq!(
        (criterion.counts.as_str(), criterion.value, alternative),
        ("pairings for the 2nd time", 0, 1)
    );
    assert_eq!(again.paragraph.as_deref(), Some("2015 WCC, Tournament format 4"));
    assert!(!again.possible && again.answer.contains("s01 meets s04"), "{}", again.answer);
    assert!(ask(1, Some(4)).possible);
    let even = ask(1, None);
    assert!(!even.possible && even.answer.contains("even"), "{}", even.answer);
    assert!(why_not(&next, &desk.rulebook, &seed(1), Some(&seed(12))).is_err());
    assert!(why_not(&next, &desk.rulebook, &seed(1), Some(&seed(1))).is_err());

    let desk = after(1, 7, favourite);
    let next = next_round(&desk.tournament, &desk.rulebook).expect("a round");
    let barred = why_not(&next, &desk.rulebook, &seed(1), None).expect("an answer");
    assert_eq!(barred.paragraph.as_deref(), Some("2015 WCC, Tournament format 3"));
    let lost = why_not(&next, &desk.rulebook, &seed(7), None).expect("an answer");
    assert_eq!(lost.paragraph.as_deref(), Some("2015 WCC, Tournament format 5"));

    let desk = after(1, 7, upset);
    let next = next_round(&desk.tournament, &desk.rulebook).expect("a round");
    let level =
        (1..=7).flat_map(|one| (one + 1..=7).map(move |other| (one, other))).filter(|(one, other)| {
            let answer = why_not(&next, &desk.rulebook, &seed(*one), Some(&seed(*other))).expect("an answer");
            answer.possible && answer.answer.contains("as good on every criterion")
        });
    assert!(level.count() > 0, "several rounds are as good");
}

#[test]
fn beyond_sixteen_players_another_round_as_good_is_shown_and_accepted() {
    let mut several = 0;
    let mut desk = Desk::of_seeds("wcc-2015", 18);
    for round in 0..4 {
        let next = next_round(&desk.tournament, &desk.rulebook).expect("a round");
        let told = next.reasons.clone();
        match next.paired.equals {
            Some(Equals::Exactly(equals)) => assert_eq!((equals, told.another), (1, None)),
            Some(Equals::AtLeast(_)) => {
                let another = told.another.expect("another round");
                let mut paired = bare(next.paired.clone());
                for (pair, (upper, lower)) in paired.pairs.iter_mut().zip(another) {
                    (pair.upper, pair.lower, pair.upper_side) = (upper, lower, None);
                }
                assert_ne!(bare(next.paired.clone()).pairs, paired.pairs);
                let holds = desk.holds(&paired, "pairing.best");
                assert_eq!(holds, [Compliance::OneOf(Equals::AtLeast(2))]);
                several += 1;
            }
            None => panic!("round {round} is not compared"),
        }
        desk.play(|gold, _| if round == 0 && *gold < seed(5) { Outcome::DoubleLoss } else { Outcome::Gold })
            .expect("a round");
    }
    assert!(several > 0, "no round had an equal");
}
