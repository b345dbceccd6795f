//! The matching against every other matching: all rounds are tried, and counted over subsets. Criteria are random and poor,
//! so that there are many equals, or follow the shapes that rulebooks give them.

use annals_tournaments::pairing::{
    Bar, COUNTED_PLAYERS, Candidate, Criteria, Criterion, Matching, Optima, PairingError, PairingProblem,
    WhyNotVerdict,
};
use proptest::prelude::*;

/// A small generator, so that cases are the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

pub fn criteria(count: usize) -> Vec<Criterion> {
    (1..=count)
        .map(|number| Criterion::new(format!("rule {number}"), format!("criterion {number}")))
        .collect()
}

/// Whether every one of so many players appears exactly once.
pub fn is_perfect(pairing: &Matching, players: usize) -> bool {
    let mut all: Vec<usize> = pairing.pairs.iter().flat_map(|&(a, b)| [a, b]).chain(pairing.bye).collect();
    all.sort_unstable();
    all.into_iter().eq(0..players)
}

/// The opponent of a player; none for the bye.
fn opponent(pairing: &Matching, player: usize) -> Option<usize> {
    pairing.pairs.iter().find_map(|&(a, b)| match player {
        _ if a == player => Some(b),
        _ if b == player => Some(a),
        _ => None,
    })
}

/// A problem with small random values, each candidate forbidden with a chance of one in `bar_one_in` (0: never).
pub fn random_problem(random: &mut Random, players: usize, count: usize, bar_one_in: u64) -> PairingProblem {
    let spread: Vec<u64> = (0..count).map(|_| [1, 2, 3, 6, 1000][random.below(5) as usize]).collect();
    PairingProblem::new(criteria(count), players, |_, row| {
        for (value, spread) in row.iter_mut().zip(&spread) {
            *value = random.below(*spread) as i64 - i64::from(*spread > 2);
        }
        if bar_one_in > 0 && random.below(bar_one_in) == 0 {
            return Err(Bar { paragraph: "rule 0".into(), because: "forbidden by lot".into() });
        }
        Ok(())
    })
    .expect("small values and enough players")
}

/// Every round of a problem that contains nothing forbidden.
pub fn all_rounds(problem: &PairingProblem) -> Vec<Matching> {
    fn extend(
        problem: &PairingProblem,
        left: &[usize],
        part: &mut Vec<(usize, usize)>,
        all: &mut Vec<Matching>,
    ) {
        let Some((&first, rest)) = left.split_first() else {
            let (byes, pairs): (Vec<_>, Vec<_>) = part.iter().partition(|(_, b)| *b == problem.players());
            let bye = byes.first().map(|(player, _): &(usize, usize)| *player);
            all.push(Matching::of(problem, &pairs, bye).expect("candidates"));
            return;
        };
        for (at, &partner) in rest.iter().enumerate() {
            let candidate = if partner == problem.players() {
                Candidate::Bye(first)
            } else {
                Candidate::Pair(first, partner)
            };
            if problem.bar(candidate).expect("a candidate").is_some() {
                continue;
            }
            let mut others = rest.to_vec();
            others.remove(at);
            part.push((first, partner));
            extend(problem, &others, part, all);
            part.pop();
        }
    }
    let vertices: Vec<usize> = (0..problem.players() + problem.players() % 2).collect();
    let mut all = Vec::new();
    extend(problem, &vertices, &mut Vec::new(), &mut all);
    all
}

/// The canonical order among equals: for each player in turn the last partner of those that stand below, a bye last of all.
pub fn canonical_key(pairing: &Matching, players: usize) -> Vec<i64> {
    (0..players)
        .map(|player| match opponent(pairing, player) {
            Some(opponent) if opponent > player => -(opponent as i64) - 1,
            _ => 0,
        })
        .collect()
}

fn agrees_with_all_rounds(problem: &PairingProblem) {
    let all = all_rounds(problem);
    let players = problem.players();
    let Some(least) = all.iter().map(|round| &round.value).min() else {
        assert!(matches!(problem.best(), Err(PairingError::NoAllowedRound { .. })));
        return;
    };
    let equals: Vec<&Matching> = all.iter().filter(|round| round.value == *least).collect();
    let canonical = equals.iter().min_by_key(|round| canonical_key(round, players)).expect("one");
    let best = problem.best().expect("there are rounds");
    assert_eq!(&best, *canonical);
    assert!(is_perfect(&best, players));
    assert_eq!(problem.optima(&best), Ok(Optima::Exactly(equals.len() as u64)));
}

fn why_not_agrees_with_all_rounds(problem: &PairingProblem) {
    let all = all_rounds(problem);
    let Ok(best) = problem.best() else { return };
    for a in 0..problem.players() {
        for b in a + 1..problem.players() + problem.players() % 2 {
            let candidate = if b == problem.players() { Candidate::Bye(a) } else { Candidate::Pair(a, b) };
            let contains = |round: &&Matching| match candidate {
                Candidate::Pair(a, b) => round.pairs.contains(&(a, b)),
                Candidate::Bye(player) => round.bye == Some(player),
            };
            let with = all.iter().filter(contains).map(|round| &round.value).min();
            let answer = problem.why_not(candidate, &best).expect("a candidate");
            assert_eq!(answer.alternative.as_ref().map(|round| &round.value), with);
            match answer.verdict {
                WhyNotVerdict::Chosen => assert!(contains(&&best)),
                WhyNotVerdict::Forbidden { .. } => {
                    assert!(problem.bar(candidate).expect("a candidate").is_some())
                }
                WhyNotVerdict::LeavesNoRound => assert!(with.is_none()),
                WhyNotVerdict::EquallyGood => assert_eq!(with, Some(&best.value)),
                WhyNotVerdict::Loses { criterion, chosen, alternative, .. } => {
                    let with = with.expect("an alternative").values();
                    assert_eq!(with[..criterion], best.value.values()[..criterion]);
                    assert!(alternative > chosen);
                    assert_eq!((chosen, alternative), (best.value.values()[criterion], with[criterion]));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(super::vectors::cases(400, 40_000) as u32))]

    #[test]
    fn the_best_round_is_the_best_of_all_rounds(seed: u64, players in 2_usize..=10, count in 0_usize..7) {
        agrees_with_all_rounds(&random_problem(&mut Random(seed), players, count, 0));
    }

    #[test]
    fn what_is_forbidden_is_never_paired(seed: u64, players in 2_usize..=8, count in 0_usize..4, bars in 2_u64..6) {
        agrees_with_all_rounds(&random_problem(&mut Random(seed), players, count, bars));
    }

    #[test]
    fn why_not_names_the_first_criterion_that_is_lost(seed: u64, players in 2_usize..=7, count in 0_usize..4, bars in 0_u64..6) {
        why_not_agrees_with_all_rounds(&random_problem(&mut Random(seed), players, count, bars));
    }

    #[test]
    fn counting_over_subsets_agrees_up_to_sixteen(seed: u64, players in 11_usize..=16, count in 0_usize..4) {
        let problem = random_problem(&mut Random(seed), players, count, 0);
        let best = problem.best().expect("nothing is forbidden");
        // The count goes another way than the matching, and refuses a round whose value is not the one it finds.
        let Ok(Optima::Exactly(number)) = problem.optima(&best) else { panic!("counted up to {COUNTED_PLAYERS}") };
        prop_assert!(number >= 1);
    }

    #[test]
    fn a_greater_field_is_proven_by_its_duals_and_by_an_independent_matching(seed: u64, players in 17_usize..=90) {
        let mut random = Random(seed);
        let spread = [2, 10, 1_000_000][random.below(3) as usize];
        let problem = PairingProblem::new(criteria(1), players, |_, row| {
            row[0] = random.below(spread) as i64;
            Ok(())
        })
        .expect("small values");
        let best = problem.best().expect("proven");
        prop_assert!(is_perfect(&best, players));
        prop_assert_eq!(best.value, Criteria::from(vec![least_by_the_library(&problem)]));
    }

    #[test]
    fn permuting_the_players_keeps_the_value(seed: u64, players in 2_usize..=40, count in 1_usize..6) {
        let problem = random_problem(&mut Random(seed), players, count, 0);
        let mut order: Vec<usize> = (0..players).collect();
        let mut random = Random(seed ^ 1);
        for at in (1..players).rev() {
            order.swap(at, random.below(at as u64 + 1) as usize);
        }
        let permuted = PairingProblem::new(criteria(count), players, |candidate, row| {
            let original = match candidate {
                Candidate::Pair(a, b) => Candidate::pair(order[a], order[b]),
                Candidate::Bye(player) => Candidate::Bye(order[player]),
            };
            row.copy_from_slice(problem.values(original).expect("a candidate").values());
            Ok(())
        })
        .expect("the same values");
        prop_assert_eq!(problem.best().expect("a round").value, permuted.best().expect("a round").value);
    }
}

/// The least value of a problem with one criterion, by the matching library `integer-blossom`.
fn least_by_the_library(problem: &PairingProblem) -> i64 {
    let vertices = problem.players() + problem.players() % 2;
    let mut weights = vec![0_i64; vertices * vertices];
    for a in 0..vertices {
        for b in a + 1..vertices {
            let candidate = if b == problem.players() { Candidate::Bye(a) } else { Candidate::Pair(a, b) };
            let value = problem.values(candidate).expect("a candidate").values()[0];
            weights[a * vertices + b] = value;
            weights[b * vertices + a] = value;
        }
    }
    let partners = integer_blossom::min_weight_perfect_matching(&weights, vertices);
    (0..vertices).filter(|&a| partners[a] > a).map(|a| weights[a * vertices + partners[a]]).sum()
}

#[test]
fn beyond_sixteen_players_another_equal_round_is_shown_or_there_is_none() {
    let mut random = Random(7);
    let all_equal = PairingProblem::new(criteria(1), 20, |_, _| Ok(())).expect("twenty players");
    let best = all_equal.best().expect("a round");
    let Ok(Optima::Another(other)) = all_equal.optima(&best) else { panic!("all rounds are equal") };
    assert!(is_perfect(&other, 20) && other.pairs.iter().all(|pair| !best.pairs.contains(pair)));
    let planted: Vec<usize> = (0..20).map(|player| player ^ 1).collect();
    let only = PairingProblem::new(criteria(1), 20, |candidate, row| {
        let Candidate::Pair(a, b) = candidate else { panic!("no byes among twenty") };
        row[0] = if planted[a] == b { 0 } else { 1 + random.below(9) as i64 };
        Ok(())
    })
    .expect("twenty players");
    let best = only.best().expect("a round");
    assert_eq!(only.optima(&best), Ok(Optima::Only));
}

#[test]
fn among_equals_the_first_player_gets_the_last_partner_then_the_next() {
    let problem = PairingProblem::new(Vec::new(), 6, |_, _| Ok(())).expect("six players");
    assert_eq!(problem.best().expect("a round").pairs, [(0, 5), (1, 4), (2, 3)]);
    let odd = PairingProblem::new(Vec::new(), 5, |_, _| Ok(())).expect("five players");
    let best = odd.best().expect("a round");
    assert_eq!((best.pairs, best.bye), (vec![(0, 4), (1, 3)], Some(2)));
    for players in [63, 64] {
        let all_equal = PairingProblem::new(Vec::new(), players, |_, _| Ok(())).expect("players");
        let best = all_equal.best().expect("a round");
        let fold: Vec<(usize, usize)> =
            (0..players / 2).map(|player| (player, players - 1 - player)).collect();
        assert_eq!(best.pairs, fold);
    }
}

#[test]
fn too_few_players_too_many_and_too_great_values_are_refused() {
    let make = |players| PairingProblem::new(criteria(1), players, |_, _| Ok(())).map(|_| ());
    assert_eq!(make(0), Err(PairingError::NobodyToPair));
    assert_eq!(make(1), Err(PairingError::OnlyOnePlayer));
    assert_eq!(make(2), Ok(()));
    assert_eq!(make(5000), Err(PairingError::TooManyPlayers { players: 5000 }));
    let great = PairingProblem::new(criteria(1), 2, |_, row| {
        row[0] = i64::MIN;
        Ok(())
    });
    assert!(matches!(great, Err(PairingError::ValueTooGreat { value: i64::MIN, .. })));
}

#[test]
fn what_is_no_candidate_is_refused() {
    let even = PairingProblem::new(criteria(1), 4, |_, _| Ok(())).expect("four players");
    let best = even.best().expect("a round");
    for candidate in [Candidate::Bye(0), Candidate::Pair(1, 1), Candidate::Pair(0, 4)] {
        let refused = Err(PairingError::NoSuchCandidate { candidate, players: 4 });
        assert_eq!(even.why_not(candidate, &best), refused);
    }
}

#[test]
fn long_vectors_and_values_at_the_limit_are_added_exactly() {
    // Forty criteria, each near the greatest value: no two share a limb, and no sum may wrap.
    let limit = 1_i64 << 40;
    for seed in 0..20 {
        let mut random = Random(seed);
        let problem = PairingProblem::new(criteria(40), 8, |_, row| {
            for value in row.iter_mut() {
                *value = [limit, -limit, limit - 1][random.below(3) as usize];
            }
            Ok(())
        })
        .expect("values at the limit");
        agrees_with_all_rounds(&problem);
    }
}
