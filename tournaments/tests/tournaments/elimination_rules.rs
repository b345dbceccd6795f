//! The constraints of both finals, written a second time: all rounds are tried, and each constraint in its turn keeps
//! those that are best by it. The same assembly with one thing wrong must be told apart by the stored states.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::Outcome;
use annals_tournaments::formats::elimination::{EliminationReadings, Rules, pair_round};
use annals_tournaments::pairing::{Candidate, Optima, WhyNotVerdict};
use annals_tournaments::record::{PlayedRound, Tally};
use annals_tournaments::tpr::{Ratings, VirtualDraw};
use serde_json::Value;

use super::elimination_vectors::{past_round, player};
use super::numbered::{Player, field, number, p};
use super::pairing_exact::{Random, is_perfect};
use super::ratings::by_minorisation;
use super::swiss::{game, round};
use super::vectors::{cases, vectors};

type Pairs = Vec<(Player, Player)>;

/// A round by hand: pairs (lower number first, sorted) and the bye.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Round {
    pairs: Pairs,
    bye: Option<Player>,
}

/// Every round of some players.
fn all_rounds(players: &[Player]) -> Vec<Round> {
    fn extend(left: &[Player], round: &Round, all: &mut Vec<Round>) {
        let Some((&first, rest)) = left.split_first() else {
            all.push(round.clone());
            return;
        };
        if round.bye.is_none() && left.len() % 2 == 1 {
            extend(rest, &Round { bye: Some(first), ..round.clone() }, all);
        }
        for (at, &partner) in rest.iter().enumerate() {
            let mut others = rest.to_vec();
            others.remove(at);
            let mut round = round.clone();
            round.pairs.push((first.min(partner), first.max(partner)));
            extend(&others, &round, all);
        }
    }
    let mut all = Vec::new();
    extend(players, &Round { pairs: Vec::new(), bye: None }, &mut all);
    for round in &mut all {
        round.pairs.sort_unstable();
    }
    all
}

/// What may be wrong with a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    Rule3Ignored,
    Swapped(usize, usize),
    Rule4LowestFirst,
    Rule4AsSum,
    Rule6LowestFirst,
    ByeToLowestRating,
    Rule9Before8,
    SquaresAdded,
    SquaresOfUnequalIgnored,
    RankBySeed,
    RankByRawSeed,
    RankByRating,
    CanonicalReversed,
}

/// A state of a tournament of players 1 to n.
struct State {
    tally: Tally,
    active: Vec<Player>,
    /// The place of the rating among different ratings.
    class: BTreeMap<Player, i64>,
}

/// The value of a round of 2015, the most important part first, assembled as one wishes.
fn value_2015(state: &State, round: &Round, wrong: Wrong) -> Vec<i64> {
    let State { tally, active, class } = state;
    let losses = |player: Player| i64::from(tally.record(player).losses);
    let mut order = active.clone();
    order.sort_by_key(|player| match wrong {
        Wrong::RankBySeed | Wrong::RankByRawSeed => (0, 0, number(player)),
        Wrong::RankByRating => (0, class[player], number(player)),
        _ => (losses(*player), class[player], number(player)),
    });
    let rank = |player: Player| match wrong {
        Wrong::RankByRawSeed => i64::from(number(player)),
        _ => order.iter().position(|other| *other == player).expect("active") as i64 + 1,
    };
    let mut times = vec![0_i64; 60];
    let mut apart = vec![0_i64; 12];
    let (mut sum_of_times, mut spread) = (0, 0);
    for &(a, b) in &round.pairs {
        let time = tally.record(a).against(b).meetings as usize + 1;
        times[time] += 1;
        sum_of_times += time as i64;
        let difference = (losses(a) - losses(b)).unsigned_abs() as usize;
        apart[difference] += 1;
        let square = (rank(a) - rank(b)).pow(2);
        spread += match wrong {
            _ if difference == 0 => square,
            Wrong::SquaresAdded => square,
            Wrong::SquaresOfUnequalIgnored => 0,
            _ => -square,
        };
    }
    let falling = |counts: &[i64], from: usize| counts[from..].iter().rev().copied().collect::<Vec<_>>();
    let bye = |value: &dyn Fn(Player) -> i64| round.bye.map_or(0, value);
    let rule_3 = bye(&|player| i64::from(tally.record(player).byes));
    let rule_4 = match wrong {
        Wrong::Rule4LowestFirst => times[2..].to_vec(),
        Wrong::Rule4AsSum => vec![sum_of_times],
        _ => falling(&times, 2),
    };
    let rule_6 = if wrong == Wrong::Rule6LowestFirst { apart[1..].to_vec() } else { falling(&apart, 1) };
    let rule_8 =
        bye(&|player| if wrong == Wrong::ByeToLowestRating { -class[&player] } else { class[&player] });
    let rule_9 = bye(&|player| i64::from(number(player)));
    let (eighth, ninth) = if wrong == Wrong::Rule9Before8 { (rule_9, rule_8) } else { (rule_8, rule_9) };
    let mut parts = vec![
        vec![if wrong == Wrong::Rule3Ignored { 0 } else { rule_3 }],
        rule_4,
        vec![bye(&losses)],
        rule_6,
        vec![eighth],
        vec![ninth],
        vec![-spread],
    ];
    if let Wrong::Swapped(one, other) = wrong {
        parts.swap(one, other);
    }
    if wrong != Wrong::RankByRawSeed {
        let direction = if wrong == Wrong::CanonicalReversed { 1 } else { -1 };
        let partner_below = |position: i64| {
            let partners = round.pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
            partners
                .filter(|(a, b)| rank(*a) == position && rank(*b) > position)
                .map(|(_, b)| rank(b))
                .sum::<i64>()
        };
        parts.push((1..=active.len() as i64).map(|position| direction * partner_below(position)).collect());
    }
    parts.concat()
}

fn best_2015(state: &State, wrong: Wrong) -> Round {
    let rounds = all_rounds(&state.active);
    rounds.into_iter().min_by_key(|round| value_2015(state, round, wrong)).expect("two players")
}

fn best_2009(state: &State) -> Vec<Round> {
    let State { tally, active, .. } = state;
    let mut rounds = all_rounds(active);
    let mut keep = |value: &dyn Fn(&Round) -> i64| {
        let least = rounds.iter().map(value).min().expect("a round");
        rounds.retain(|round| value(round) == least);
    };
    let losses = |player: Player| i64::from(tally.record(player).losses);
    let rank = |player: Player| active.iter().position(|other| *other == player).expect("active") as i64;
    keep(&|round| round.bye.map_or(0, |player| i64::from(tally.record(player).byes)));
    for time in (1..20).rev() {
        keep(&|round| {
            round.pairs.iter().filter(|(a, b)| tally.record(a).against(b).meetings == time).count() as i64
        });
    }
    keep(&|round| round.bye.map_or(0, losses));
    keep(&|round| round.bye.map_or(0, rank));
    for apart in (1..5).rev() {
        keep(&|round| {
            round.pairs.iter().filter(|(a, b)| (losses(*a) - losses(*b)).abs() == apart).count() as i64
        });
    }
    keep(&|round| -round.pairs.iter().map(|(a, b)| (rank(*a) - rank(*b)).pow(2)).sum::<i64>());
    rounds
}

fn state(players: u32, lives: u32, rounds: &[PlayedRound]) -> State {
    let tally = Tally::of(rounds);
    let all: Vec<Player> = (1..=players).map(p).collect();
    let ratings = Ratings::of(field(players).players(), rounds, VirtualDraw::default()).expect("ratings");
    let active = all.iter().copied().filter(|player| tally.record(player).losses < lives).collect();
    let class = all.iter().map(|player| (*player, ratings.class(player).expect("rated") as i64)).collect();
    State { tally, active, class }
}

/// What the crate pairs.
fn paired(rules: &Rules, players: u32, rounds: &[PlayedRound], state: &State) -> (Round, Optima) {
    let field = field(players);
    let ratings = rules
        .needs_ratings()
        .then(|| Ratings::of(field.players(), rounds, VirtualDraw::default()).expect("ratings"));
    let found = pair_round(
        rules,
        &field,
        &state.active,
        &state.tally,
        ratings.as_ref(),
        EliminationReadings::default(),
    )
    .expect("a round");
    let same = |player: &PlayerId| p(number(player));
    let mut pairs: Pairs = found.pairs().map(|(a, b)| (same(a.min(b)), same(a.max(b)))).collect();
    pairs.sort_unstable();
    let optima = found.optima().expect("counted");
    (Round { pairs, bye: found.bye().map(same) }, optima)
}

/// A history that a tournament can have: paired by the rules or anyhow, with draws and double losses.
fn random_history(random: &mut Random, rules: &Rules, players: u32, rounds: u64) -> Vec<PlayedRound> {
    let mut history: Vec<PlayedRound> = Vec::new();
    for _ in 0..rounds {
        let state = state(players, rules.lives, &history);
        if state.active.len() < 3 {
            break;
        }
        let next = if random.below(5) < 3 {
            paired(rules, players, &history, &state).0
        } else {
            let mut order = state.active.clone();
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at as u64 + 1) as usize);
            }
            let bye = if order.len() % 2 == 1 { order.pop() } else { None };
            Round { pairs: order.chunks(2).map(|pair| (pair[0], pair[1])).collect(), bye }
        };
        let games = next
            .pairs
            .into_iter()
            .map(|(one, other)| {
                let (gold, silver) = if random.below(2) == 0 { (one, other) } else { (other, one) };
                let result = match random.below(100) {
                    0..46 => Outcome::Gold,
                    46..92 => Outcome::Silver,
                    92..97 => Outcome::DoubleLoss,
                    _ => Outcome::Draw,
                };
                game(gold, silver, result, false)
            })
            .collect();
        history.push(round(games, next.bye.cloned()));
    }
    history
}

#[test]
fn over_random_histories_every_round_is_the_best_of_all_rounds_rule_by_rule() {
    let mut several = 0;
    for seed in 0..cases(400, 20_000) {
        let mut random = Random(seed);
        let players = 3 + random.below(if seed % 10 == 0 { 8 } else { 6 }) as u32;
        let lives = 2 + random.below(3) as u32;
        let depth = random.below(10);
        if seed % 2 == 0 {
            let rules = Rules { lives, ..Rules::championship_2015() };
            let history = random_history(&mut random, &rules, players, depth);
            let state = state(players, lives, &history);
            if state.active.len() < 2 {
                continue;
            }
            let (found, optima) = paired(&rules, players, &history, &state);
            assert_eq!(found, best_2015(&state, Wrong::Nothing), "seed {seed}");
            // Without the canonical part at the end.
            let value = |round: &Round| {
                let mut value = value_2015(&state, round, Wrong::Nothing);
                value.truncate(value.len() - state.active.len());
                value
            };
            let equals =
                all_rounds(&state.active).iter().filter(|round| value(round) == value(&found)).count();
            assert_eq!(optima, Optima::Exactly(equals as u64), "seed {seed}");
            several += usize::from(equals > 1);
        } else {
            let rules = Rules { lives, ..Rules::world_championship_2009() };
            let history = random_history(&mut random, &rules, players, depth);
            let state = state(players, lives, &history);
            if state.active.len() < 2 {
                continue;
            }
            let (found, optima) = paired(&rules, players, &history, &state);
            let best = best_2009(&state);
            assert!(best.contains(&found), "seed {seed}");
            assert_eq!(optima, Optima::Exactly(best.len() as u64), "seed {seed}");
            several += usize::from(best.len() > 1);
        }
    }
    assert!(several > 0, "no state had several best rounds: the canonical choice was not tried");
}

fn expected(round: &Value) -> Round {
    let mut pairs: Pairs = round["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(|pair| (player(&pair[0]), player(&pair[1])))
        .collect();
    pairs.sort_unstable();
    Round { pairs, bye: Some(&round["bye"]).filter(|bye| !bye.is_null()).map(player) }
}

/// The history, the number of players and lives of a stored state.
fn stored(case: &Value) -> (Vec<PlayedRound>, u32, u32) {
    let number = |key: &str| u32::try_from(case[key].as_u64().expect("a number")).expect("small");
    let rounds =
        case["rounds"].as_array().expect("rounds").iter().map(|round| past_round(round, &player)).collect();
    (rounds, number("n"), number("lives"))
}

#[test]
fn wrong_orders_of_the_constraints_are_told_apart_by_the_stored_states() {
    let Some(file) = vectors("fqe_mutants.json") else { return };
    let cases = file.as_array().expect("states");
    assert_eq!(cases.len(), 16);
    for case in cases {
        let name = case["mutant"].as_str().expect("a name");
        let wrong = match name.split([':', '(']).next().expect("words").trim() {
            "rule 3 ignored" => Wrong::Rule3Ignored,
            "rules 3/4 swapped" => Wrong::Swapped(0, 1),
            "rule 4 lowest N first" => Wrong::Rule4LowestFirst,
            "rule 4 as a plain sum of meeting numbers" => Wrong::Rule4AsSum,
            "rules 4/5 swapped" => Wrong::Swapped(1, 2),
            "rules 5/6 swapped" => Wrong::Swapped(2, 3),
            "rule 6 lowest N first" => Wrong::Rule6LowestFirst,
            "rules 6/8 swapped" => Wrong::Swapped(3, 4),
            "bye to the LOWEST TPR" => Wrong::ByeToLowestRating,
            "rule 9 before rule 8" => Wrong::Rule9Before8,
            "rule 10" if name.contains("added") => Wrong::SquaresAdded,
            "rule 10" if name.contains("ignored") => Wrong::SquaresOfUnequalIgnored,
            "rule 10" if name.contains("raw") => Wrong::RankByRawSeed,
            "rule 10" if name.contains("TPR") => Wrong::RankByRating,
            "rule 10" => Wrong::RankBySeed,
            "canonical tie-break reversed" => Wrong::CanonicalReversed,
            _ => panic!("no such wrong program: {name}"),
        };
        let (rounds, players, lives) = stored(case);
        let state = state(players, lives, &rounds);
        let right = expected(&case["expected"]);
        let rules = Rules { lives, ..Rules::championship_2015() };
        assert_eq!(paired(&rules, players, &rounds, &state).0, right, "{name}");
        assert_eq!(best_2015(&state, Wrong::Nothing), right, "{name}");
        let mistaken = best_2015(&state, wrong);
        assert_ne!(mistaken, right, "{name} was not caught");
        if wrong != Wrong::RankByRawSeed {
            // Raw seeds leave several rounds equal, and any of them may come out.
            assert_eq!(mistaken, expected(&case["mutant_gives"]), "{name}");
        }
    }
}

#[test]
fn wrong_ratings_are_told_apart_by_the_stored_states() {
    let Some(file) = vectors("fqe_tpr_mutants.json") else { return };
    let cases = file.as_array().expect("states");
    assert_eq!(cases.len(), 6);
    for case in cases {
        let name = case["mutant"].as_str().expect("a name");
        let (rounds, players, lives) = stored(case);
        let right_state = state(players, lives, &rounds);
        let right = expected(&case["expected"]);
        let rules = Rules { lives, ..Rules::championship_2015() };
        assert_eq!(paired(&rules, players, &rounds, &right_state).0, right, "{name}");
        let strengths = wrong_strengths(name, players, &right_state, &rounds);
        let mut order: Vec<usize> = (0..strengths.len()).collect();
        order.sort_by(|a, b| strengths[*b].total_cmp(&strengths[*a]));
        let mut class = BTreeMap::new();
        let mut place = 0;
        for (at, &index) in order.iter().enumerate() {
            if at > 0 && strengths[order[at - 1]] - strengths[index] >= 1e-9 {
                place += 1;
            }
            class.insert(p(index as u32 + 1), place);
        }
        let mistaken = best_2015(&State { class, ..state(players, lives, &rounds) }, Wrong::Nothing);
        assert_ne!(mistaken, right, "{name} was not caught");
        assert_eq!(mistaken, expected(&case["mutant_gives"]), "{name}");
    }
}

fn wrong_strengths(name: &str, players: u32, state: &State, rounds: &[PlayedRound]) -> Vec<f64> {
    let games = |counted: &dyn Fn(&PlayerId) -> bool| -> Vec<(usize, usize, f64)> {
        let games = rounds.iter().flat_map(|round| &round.games);
        games
            .filter(|game| counted(&game.gold) && counted(&game.silver))
            .filter_map(|game| Some((game, game.outcome?.winner()?)))
            .map(|(game, won)| [won, won.other()].map(|side| number(game.player(side)) as usize - 1))
            .map(|[winner, loser]| (winner, loser, 1.0))
            .collect()
    };
    let all = |_: &PlayerId| true;
    let active = |player: &PlayerId| state.active.contains(&player);
    let count = players as usize;
    if name.contains("quarter weight") {
        by_minorisation(count, &games(&all), 0.25)
    } else if name.contains("virtual draw") {
        by_minorisation(count, &games(&all), 1.0)
    } else if name.contains("dropped") {
        by_minorisation(count, &games(&active), 0.5)
    } else if name.contains("whole Elo") {
        let strengths = by_minorisation(count, &games(&all), 0.5);
        strengths
            .into_iter()
            .map(|strength| (1500.0 + 400.0 / std::f64::consts::LN_10 * strength).round())
            .collect()
    } else {
        assert!(name.contains("win-loss"), "no such wrong program: {name}");
        let difference = |player: u32| {
            let record = state.tally.record(p(player));
            f64::from(record.wins) - f64::from(record.losses)
        };
        (1..=players).map(difference).collect()
    }
}

#[test]
fn a_round_comes_with_its_reasons_and_says_why_not() {
    // Seven players; in the first round 2, 3 and 4 lose to 7, 6 and 5; in the second 6 beats 7, 3 beats 1, 2 beats 4.
    let game = |gold, silver, result| game(p(gold), p(silver), result, false);
    let (g, s) = (Outcome::Gold, Outcome::Silver);
    let history = [
        round(vec![game(2, 7, s), game(3, 6, s), game(4, 5, s)], Some(p(1).clone())),
        round(vec![game(6, 7, g), game(1, 3, s), game(2, 4, g)], Some(p(5).clone())),
    ];
    let state = state(7, 4, &history);
    let field = field(7);
    let ratings = Ratings::of(field.players(), &history, VirtualDraw::default()).expect("ratings");
    for (player, elo) in
        [(1, 1267.425), (2, 1404.084), (3, 1574.062), (4, 1098.377), (6, 1968.382), (7, 1629.952)]
    {
        assert!((ratings.elo(p(player)).expect("rated") - elo).abs() < 0.001);
    }
    let rules = Rules::championship_2015();
    let round = pair_round(
        &rules,
        &field,
        &state.active,
        &state.tally,
        Some(&ratings),
        EliminationReadings::default(),
    )
    .expect("a round");
    assert_eq!(round.ranking.iter().collect::<Vec<_>>(), [6, 5, 7, 3, 2, 1, 4].map(p));
    assert_eq!(round.bye(), Some(p(6)));
    assert_eq!(round.pairs().collect::<Vec<_>>(), [(5, 7), (3, 2), (1, 4)].map(|(a, b)| (p(a), p(b))));
    let reasons: Vec<(String, i64)> = round
        .problem
        .reasons(&round.pairing.value)
        .map(|(criterion, value)| (criterion.to_string(), value))
        .collect();
    let paragraph = |number| format!("2015 WCC, Tournament format {number}");
    assert_eq!(reasons[0], (format!("pairings for the 2nd time ({})", paragraph(4)), 0));
    assert_eq!(reasons[1], (format!("losses of the player with the bye ({})", paragraph(5)), 0));
    assert_eq!(reasons[2], (format!("pairings of players whose losses differ by 2 ({})", paragraph(6)), 0));
    assert_eq!(reasons[3].1, 2);
    assert_eq!(reasons.last().map(|(_, value)| *value), Some(1));
    // 5 has had a bye; 4 has two losses; 1 and 3 have met.
    let forbidden = round.why_not(p(5), None).expect("in").verdict;
    assert!(matches!(forbidden, WhyNotVerdict::Forbidden { paragraph: found, .. } if found == paragraph(3)));
    let lost = |verdict: WhyNotVerdict| match verdict {
        WhyNotVerdict::Loses { counts, chosen, alternative, .. } => (counts.paragraph, chosen, alternative),
        other => panic!("{other:?}"),
    };
    assert_eq!(lost(round.why_not(p(4), None).expect("in").verdict), (paragraph(5), 0, 2));
    assert_eq!(lost(round.why_not(p(1), Some(p(3))).expect("in").verdict), (paragraph(4), 0, 1));
    assert_eq!(round.why_not(p(7), Some(p(5))).expect("in").verdict, WhyNotVerdict::Chosen);
    assert!(round.why_not(p(7), Some(p(8))).is_err());
    // What the round would have been with losses before byes: (0, 2, …).
    let other = [(1, 7), (2, 3), (5, 6)].map(|(a, b)| (p(a), p(b)));
    let other = round.value_of(other, Some(p(4))).expect("players who are in");
    assert!(is_perfect(&other, 7) && other.value > round.pairing.value);
    assert_eq!(round.problem.values(Candidate::Bye(6)).expect("a candidate").values()[1], 2);
}
