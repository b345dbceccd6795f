//! The sequential test: its bounds and ratio worked out apart, and how often it errs, by simulation.

use annals_engine::arena::elo::{Results, score_of};
use annals_engine::arena::sprt::{Sprt, SprtError, SprtVerdict, differences};
use annals_engine::arena::standings::Record;
use annals_rules::seeded::Rng;

#[test]
fn bounds_are_walds_and_the_ratio_is_that_of_the_formula() {
    let test = Sprt::new(0.0, 20.0, 0.05, 0.1).unwrap();
    let (lower, upper) = test.bounds();
    assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-15 && (upper - 18f64.ln()).abs() < 1e-12);
    assert_eq!(test.ratio(&Results::Games(Record::default())), 0.0);
    // 60 won, 40 lost: widened by half a game of each kind, 60.5, 0.5 and 40.5 of 101.5.
    let results = Results::Games(Record { wins: 60, draws: 0, losses: 40 });
    let mean = 60.75 / 101.5;
    let variance =
        (60.5 * (1.0 - mean) * (1.0 - mean) + 0.5 * (0.5 - mean) * (0.5 - mean) + 40.5 * mean * mean) / 101.5;
    let s1 = score_of(20.0);
    let expected = 100.0 * (s1 - 0.5) * (2.0 * 0.6 - 0.5 - s1) / (2.0 * variance);
    assert!((test.ratio(&results) - expected).abs() < 1e-12);
    let standing = test.standing(&results);
    assert_eq!((standing.verdict, standing.ratio), (SprtVerdict::Open, expected));
}

#[test]
fn a_few_equal_results_decide_nothing_and_many_do() {
    let test = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
    let won = |wins| Results::Games(Record { wins, draws: 0, losses: 0 });
    assert_eq!(test.standing(&won(5)).verdict, SprtVerdict::Open);
    assert_eq!(test.standing(&won(100)).verdict, SprtVerdict::Upper);
    assert_eq!(test.standing(&Results::Pairs([50, 0, 0, 0, 0])).verdict, SprtVerdict::Lower);
    assert_eq!(test.standing(&Results::Pairs([0, 0, 1, 0, 0])).verdict, SprtVerdict::Open);
}

#[test]
fn a_test_that_makes_no_sense_is_refused() {
    assert!(matches!(Sprt::new(5.0, 5.0, 0.05, 0.05), Err(SprtError::Differences { .. })));
    assert!(matches!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05), Err(SprtError::Differences { .. })));
    assert!(matches!(Sprt::new(0.0, 5000.0, 0.05, 0.05), Err(SprtError::Differences { .. })));
    for (alpha, beta) in [(0.0, 0.05), (0.05, 0.5), (f64::NAN, 0.05), (0.05, -1.0)] {
        assert!(matches!(Sprt::new(0.0, 5.0, alpha, beta), Err(SprtError::Rates { .. })), "{alpha} {beta}");
    }
}

/// Plays matches of a known difference until the test decides; how many of them it decides for the upper one, and the mean number
/// of observations.
fn decided(test: &Sprt, elo: f64, paired: bool, runs: u64) -> (u64, f64) {
    let (mut upper, mut observations) = (0, 0u64);
    let score = score_of(elo);
    for run in 0..runs {
        let mut rng = Rng::of(&[run, elo.to_bits(), u64::from(paired)]);
        let mut record = Record::default();
        let mut pairs = [0u64; 5];
        loop {
            let won = |rng: &mut Rng, likely: f64| {
                u64::from(f64::from(rng.below(1 << 30)) < likely * f64::from(1 << 30))
            };
            if paired {
                // Gold is favoured by the opening in every pair, by as much as it likes.
                let favour = 0.3;
                let sum = won(&mut rng, score + favour) + won(&mut rng, score - favour);
                pairs[2 * sum as usize] += 1;
            } else {
                record.add(Some(won(&mut rng, score) == 1));
            }
            observations += 1;
            let results = if paired { Results::Pairs(pairs) } else { Results::Games(record) };
            match test.standing(&results).verdict {
                SprtVerdict::Open => assert!(observations < 100_000 * runs, "no end"),
                SprtVerdict::Upper => {
                    upper += 1;
                    break;
                }
                SprtVerdict::Lower => break,
            }
        }
    }
    (upper, observations as f64 / runs as f64)
}

#[test]
fn the_test_errs_about_as_often_as_it_was_allowed_to() {
    let test = Sprt::new(0.0, 40.0, 0.05, 0.1).unwrap();
    let runs = 1_500;
    for paired in [false, true] {
        let (wrong, games) = decided(&test, 0.0, paired, runs);
        let (right, _) = decided(&test, 40.0, paired, runs);
        // 75 wrong ones of 1500 are allowed, and 150 misses; three deviations more are chance.
        assert!(
            wrong <= 75 + 26,
            "{wrong} of {runs} decided wrongly for the upper difference (paired: {paired})"
        );
        assert!(runs - right <= 150 + 35, "{} of {runs} missed (paired: {paired})", runs - right);
        assert!(wrong >= 15, "far fewer errors than allowed: the test is not sequential ({wrong})");
        assert!(games < 1_000.0, "{games} observations on the mean");
        println!(
            "paired {paired}: {wrong} wrong, {} missed of {runs}, {games:.0} observations",
            runs - right
        );
    }
}

#[test]
fn a_test_is_named_by_two_differences() {
    assert_eq!(differences("-10, 20.5"), Ok([-10.0, 20.5]));
    for bad in ["10", "0,", "a,b", "0,inf", "1,2,3"] {
        assert!(differences(bad).is_err(), "{bad}");
    }
}
