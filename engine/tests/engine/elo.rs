//! Elo from results: small cases worked out apart, error bars against simulation, and the ratings of pools against a
//! search of the likelihood itself.

use annals_engine::arena::elo::{Difference, PairCount, Results, elo_of, score_of, superiority};
use annals_engine::arena::pool::{PoolError, ratings};
use annals_engine::arena::standings::Record;
use annals_rules::seeded::Rng;

fn games(wins: u64, draws: u64, losses: u64) -> Results {
    Results::Games(Record { wins, draws, losses })
}

#[track_caller]
fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected}");
}

#[test]
fn a_difference_is_that_of_the_formula() {
    // 75 of 100 points: 400·log10(3) = 190.848…; ten of eleven: 400·log10(10).
    near(Difference::of(&games(75, 0, 25)).unwrap().elo.unwrap(), 190.848_501_887_865, 1e-9);
    near(elo_of(10.0 / 11.0).unwrap(), 400.0, 1e-9);
    near(score_of(400.0), 10.0 / 11.0, 1e-15);
    assert_eq!((elo_of(0.0), elo_of(1.0)), (None, None));
    // Wilson's bounds for 75 of 100 with z = 1.959964: 0.656955… and 0.824547….
    let bounds = Difference::of(&games(75, 0, 25)).unwrap();
    near(score_of(bounds.low.unwrap()), 0.656_955_37, 1e-7);
    near(score_of(bounds.high.unwrap()), 0.824_547_89, 1e-7);
    // Draws make the same score surer.
    let drawn = Difference::of(&games(50, 50, 0)).unwrap();
    assert!(drawn.low > bounds.low && drawn.high < bounds.high);
    assert_eq!(drawn.elo, bounds.elo);
}

#[test]
fn pairs_count_the_opening_out() {
    // Every opening is won by whoever has Gold: no noise at all is left, though half of the games were lost.
    let pairs = Difference::of(&Results::Pairs([0, 0, 100, 0, 0])).unwrap();
    let single = Difference::of(&games(100, 0, 100)).unwrap();
    assert_eq!((pairs.elo, pairs.games), (Some(0.0), 200));
    assert!(pairs.high.unwrap() < single.high.unwrap() / 2.0);
    // 10 pairs of 1½ points and 10 of ½: mean ½, variance of a pair's mean 1/16.
    let results = Results::Pairs([0, 10, 0, 10, 0]);
    near(results.score().unwrap(), 0.5, 1e-15);
    near(results.variance().unwrap(), 0.0625, 1e-15);
}

#[test]
fn a_match_that_is_all_won_has_a_lower_bound_and_no_infinity_anywhere() {
    let won = Difference::of(&games(10, 0, 0)).unwrap();
    assert_eq!((won.elo, won.high), (None, None));
    // n/(n+z²) = 10/13.8415 is the lower end of the score.
    near(won.low.unwrap(), elo_of(10.0 / (10.0 + 3.841_458_820_694)).unwrap(), 1e-6);
    let lost = Difference::of(&games(0, 0, 10)).unwrap();
    near(lost.high.unwrap(), -won.low.unwrap(), 1e-9);
    assert_eq!((lost.elo, lost.low), (None, None));
    assert_eq!(Difference::of(&games(0, 0, 0)), None);
    for results in
        [games(10, 0, 0), games(0, 0, 1), games(0, 7, 0), games(3, 1, 2), Results::Pairs([0, 0, 0, 0, 9])]
    {
        let text = Difference::of(&results).unwrap().to_string();
        assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
    }
    assert_eq!(won.to_string(), "every game won: +166.2 or more with 95 %, stronger with over 99.9 %");
    assert_eq!(
        Difference::of(&games(6, 0, 4)).unwrap().to_string(),
        "+70.4 (-136.8 to +277.7 with 95 %), stronger with 72.6 %"
    );
}

#[test]
fn the_likelihood_of_being_stronger_is_exact_for_few_games_and_smooth_for_many() {
    near(superiority(&games(0, 0, 0)), 0.5, 1e-15);
    near(superiority(&games(0, 9, 0)), 0.5, 1e-15);
    // Of w + l + 1 throws at most w heads: 3/4 for 1:0, 1 - 2^-11 for 10:0, 386/512 … by counting for 6:4 (11 throws).
    near(superiority(&games(1, 0, 0)), 0.75, 1e-15);
    near(superiority(&games(10, 3, 0)), 1.0 - 2f64.powi(-11), 1e-15);
    let heads: u64 = [1, 11, 55, 165, 330, 462, 462].iter().sum();
    near(superiority(&games(6, 0, 4)), heads as f64 / 2048.0, 1e-14);
    for (wins, losses) in [(5, 3), (100, 80), (3000, 2900), (40, 60)] {
        let both = superiority(&games(wins, 0, losses)) + superiority(&games(losses, 0, wins));
        near(both, 1.0, 1e-12);
    }
    // Where counting ends and the normal distribution begins, both say the same.
    near(superiority(&games(5_050, 0, 4_949)), superiority(&games(5_051, 0, 4_950)), 1e-4);
    assert!(superiority(&Results::Pairs([0, 0, 0, 0, 9])) > 0.99);
    near(superiority(&Results::Pairs([0, 0, 9, 0, 0])), 0.5, 1e-12);
}

#[test]
fn error_bars_hold_the_truth_about_as_often_as_they_say() {
    // 2,000 matches of 60 games each between two of known difference, with three results of known likelihood.
    for (elo, draws) in [(0.0, 0), (80.0, 200), (-150.0, 500)] {
        let wins = (1000.0 * score_of(elo)) as u32 - draws / 2;
        let truth = elo_of(f64::from(wins) / 1000.0 + f64::from(draws) / 2000.0).unwrap();
        let mut held = 0;
        for run in 0..2_000 {
            let mut rng = Rng::of(&[77, draws.into(), run]);
            let mut record = Record::default();
            for _ in 0..60 {
                let throw = rng.below(1000);
                record.add(if throw < wins { Some(true) } else { (throw >= wins + draws).then_some(false) });
            }
            let found = Difference::of(&Results::Games(record)).unwrap();
            let (low, high) = (found.low.unwrap_or(f64::MIN), found.high.unwrap_or(f64::MAX));
            held += u32::from((low..=high).contains(&truth));
        }
        assert!((1_860..=1_975).contains(&held), "{elo} with {draws} draws: held in {held} of 2000");
    }
}

fn table(results: &[(usize, usize, u64, u64, u64)], count: usize) -> Vec<Vec<Record>> {
    let mut table = vec![vec![Record::default(); count]; count];
    for &(a, b, wins, draws, losses) in results {
        let record = Record { wins, draws, losses };
        table[a][b] += record;
        table[b][a] += record.reversed();
    }
    table
}

/// The log likelihood of ratings: draws count as half a win of each.
fn likelihood(table: &[Vec<Record>], elo: &[f64], fixed_draws: f64) -> f64 {
    let mut sum = 0.0;
    for (i, row) in table.iter().enumerate() {
        for (j, record) in row.iter().enumerate().filter(|(j, _)| *j != i) {
            sum += record.half_points() as f64 / 2.0 * score_of(elo[i] - elo[j]).ln();
        }
        sum += fixed_draws / 2.0 * (score_of(elo[i]).ln() + score_of(-elo[i]).ln());
    }
    sum
}

/// The likeliest ratings by trying steps in every direction, ever smaller ones.
fn by_trying(table: &[Vec<Record>], fixed_draws: f64) -> Vec<f64> {
    let mut elo = vec![0.0; table.len()];
    let mut best = likelihood(table, &elo, fixed_draws);
    let mut step = 200.0;
    while step > 1e-6 {
        let mut better = false;
        for i in 0..elo.len() {
            for way in [step, -step] {
                elo[i] += way;
                let found = likelihood(table, &elo, fixed_draws);
                if found > best {
                    best = found;
                    better = true;
                } else {
                    elo[i] -= way;
                }
            }
        }
        if !better {
            step /= 2.0;
        }
    }
    let mean = elo.iter().sum::<f64>() / elo.len() as f64;
    elo.iter().map(|elo| elo - mean).collect()
}

#[test]
fn the_ratings_of_a_pool_are_the_likeliest_of_all() {
    let pools = [
        table(&[(0, 1, 7, 1, 3)], 2),
        table(&[(0, 1, 6, 0, 4), (1, 2, 5, 2, 3), (2, 0, 4, 0, 6)], 3),
        table(&[(0, 1, 9, 0, 1), (1, 2, 9, 0, 1), (2, 3, 9, 1, 0), (3, 0, 1, 0, 0), (1, 3, 3, 3, 2)], 4),
    ];
    for (at, pool) in pools.iter().enumerate() {
        for fixed_draws in [0.0, 1.0, 2.5] {
            let found = ratings(pool, fixed_draws).unwrap();
            let expected = by_trying(pool, fixed_draws);
            for (found, expected) in found.iter().zip(&expected) {
                near(found.elo, *expected, 0.01);
                assert!(found.error > 0.0 && found.error.is_finite(), "pool {at}: {found:?}");
            }
        }
    }
}

#[test]
fn two_who_play_each_other_are_rated_as_their_match_says() {
    let pool = ratings(&table(&[(0, 1, 60, 20, 20)], 2), 0.0).unwrap();
    near(pool[0].elo - pool[1].elo, elo_of(0.7).unwrap(), 1e-6);
    near(pool[0].elo + pool[1].elo, 0.0, 1e-9);
    // The curvature: the difference has the variance (400/ln 10)²/(n·p·(1−p)); each has half the deviation.
    let deviation = 400.0 / 10f64.ln() / (100.0f64 * 0.7 * 0.3).sqrt();
    near(pool[0].error, deviation / 2.0, 1e-6);
}

#[test]
fn errors_of_a_pool_are_those_that_simulated_matches_show() {
    let truth = [120.0, 0.0, -120.0];
    let (mut squares, mut said) = ([0.0; 3], 0.0);
    let runs = 400;
    for run in 0..runs {
        let mut rng = Rng::of(&[5, run]);
        let mut results = Vec::new();
        for (a, b) in [(0usize, 1usize), (0, 2), (1, 2)] {
            let likely = (score_of(truth[a] - truth[b]) * 1000.0).round() as u32;
            let wins = (0..100).filter(|_| rng.chance(likely)).count() as u64;
            results.push((a, b, wins, 0, 100 - wins));
        }
        let found = ratings(&table(&results, 3), 0.0).unwrap();
        for i in 0..3 {
            squares[i] += (found[i].elo - truth[i]).powi(2) / f64::from(runs as u32);
        }
        said += found[1].error / f64::from(runs as u32);
    }
    near(squares[1].sqrt() / said, 1.0, 0.12);
}

#[test]
fn a_pool_that_falls_apart_says_who_is_apart_and_fixed_draws_hold_it_together() {
    let pool = table(&[(0, 1, 5, 0, 5), (0, 2, 4, 0, 0), (1, 2, 4, 0, 0)], 3);
    assert_eq!(ratings(&pool, 0.0), Err(PoolError::Apart { losers: vec![2] }));
    let alone = table(&[(0, 1, 5, 0, 5), (2, 0, 4, 0, 0)], 3);
    assert_eq!(ratings(&alone, 0.0), Err(PoolError::Apart { losers: vec![0, 1] }));
    let held = ratings(&pool, 1.0).unwrap();
    assert!(held[2].elo < held[0].elo && held.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
    assert_eq!(ratings(&[], 0.0), Ok(vec![]));
    let crooked = vec![vec![Record::default(); 2], vec![Record::default(); 1]];
    assert_eq!(ratings(&crooked, 0.0), Err(PoolError::Shape { rows: 2, row: 1, columns: 1 }));
    let mut torn = table(&[(0, 1, 1, 0, 0)], 2);
    torn[1][0] = Record::default();
    assert_eq!(ratings(&torn, 0.0), Err(PoolError::Contradiction { a: 0, b: 1 }));
}

#[test]
fn games_are_counted_in_pairs() {
    let mut count = PairCount::default();
    let whole = [2, 2, 0, 2, 0, 0, 1, 2, 2].map(|half_points| count.add(half_points));
    assert_eq!(whole, [false, true, false, true, false, true, false, true, false]);
    assert_eq!(count.results(), Results::Pairs([1, 0, 1, 1, 1]), "the last game is half a pair");
}

#[test]
fn equal_results_are_a_difference_of_zero_and_not_of_minus_zero() {
    let level = Difference::of(&Results::Pairs([0, 0, 4, 0, 0])).unwrap();
    assert!(level.to_string().starts_with("+0.0 ("), "{level}");
}
