use annals_learning::experiment::{Plan, run};
use annals_learning::grid::{self, Grid};
use annals_learning::{Folds, Optimizer, Regularizer, Settings, Split};

use crate::data::Made;
use crate::training::small;

fn plan(split: Split, eval_folds: u32) -> Plan {
    let settings = Settings { epochs: 12, ..small() };
    Plan { settings, split, folds: 4, eval_folds }
}

#[test]
fn by_game_no_game_is_on_both_sides_and_by_position_most_are() {
    let made = Made::games(40, 10, 1);
    let samples = made.samples();
    let shared = |split| {
        let folds = Folds::new(&samples, &samples.rows(), split, 4, 1).unwrap();
        let mut all = folds.folds.concat();
        all.sort_unstable();
        assert_eq!(all, samples.rows(), "every position is in one fold");
        let training = folds.without(0);
        assert_eq!(training.len() + folds.folds[0].len(), samples.len());
        let games: std::collections::BTreeSet<u32> =
            training.iter().map(|row| samples.games[*row as usize]).collect();
        folds.folds[0].iter().filter(|row| games.contains(&samples.games[**row as usize])).count()
    };
    assert_eq!(shared(Split::Game), 0);
    assert!(shared(Split::Position) > 90);
}

#[test]
fn too_few_games_for_the_folds_are_an_error() {
    let made = Made::games(2, 10, 1);
    let samples = made.samples();
    let error = Folds::new(&samples, &samples.rows(), Split::Game, 5, 1).unwrap_err().to_string();
    assert!(error.contains("is empty: 20 positions of 2 games are too few to split by game"), "{error}");
    // Of a part of the positions only its own games are counted.
    let one = Folds::new(&samples, &samples.rows()[..10], Split::Game, 5, 1).unwrap_err().to_string();
    assert!(one.contains("10 positions of 1 game are too few"), "{one}");
    assert!(Folds::new(&samples, &samples.rows(), Split::Game, 1, 1).is_err());
    for split in [Split::Game, Split::Position] {
        let many = Folds::new(&samples, &samples.rows(), split, u32::MAX, 1).unwrap_err().to_string();
        assert!(many.contains("take at most 1000"), "{many}");
    }
}

#[test]
fn an_experiment_evaluates_every_position_once_with_the_baselines() {
    let made = Made::games(600, 8, 2);
    let samples = made.samples();
    let outcome = run(samples, &samples.rows(), &plan(Split::Game, 4), None, &|_, _| {}).unwrap();
    assert_eq!(outcome.folds.len(), 4);
    assert_eq!(outcome.all.network.all.positions, 4_800);
    assert_eq!(outcome.all.network.by_height.len(), 8);
    assert_eq!(outcome.all.network.calibration.iter().map(|bin| bin.positions).sum::<u64>(), 4_800);
    let names: Vec<&str> = outcome.all.baselines.iter().map(|baseline| baseline.name.as_str()).collect();
    assert_eq!(names, ["constant", "material", "mobility", "annals"]);
    let mse = |name: &str| outcome.all.baselines.iter().find(|b| b.name == name).unwrap().score.all.mse;
    // The law is material, so counting it helps; a constant does not know anything.
    assert!((0.2..0.3).contains(&mse("constant")), "{}", mse("constant"));
    assert!(mse("material") < 0.12, "{}", mse("material"));
    assert!(mse("annals") < mse("constant"));
    assert!(outcome.all.network.all.mse < mse("constant"));
    let filters = &outcome.folds[0].filters;
    assert_eq!((filters.len(), filters[0].len(), filters[0][0].len(), filters[0][0][0].len()), (3, 6, 3, 3));
    // The same again, to the last digit.
    assert_eq!(outcome, run(samples, &samples.rows(), &plan(Split::Game, 4), None, &|_, _| {}).unwrap());
}

#[test]
fn the_split_by_position_is_biased_upward_for_a_network_that_knows_games_by_heart() {
    // Labels by lot, position after position the same: there is nothing to learn but the games themselves.
    let made = Made::games(60, 12, 3);
    let samples = made.samples();
    let labels: Vec<u8> = samples.games.iter().map(|game| (game * 7 / 3 % 2) as u8).collect();
    let samples = annals_learning::Samples { labels: &labels, ..samples };
    let mse = |split| {
        let mut plan = plan(split, 1);
        plan.settings.epochs = 60;
        run(samples, &samples.rows(), &plan, None, &|_, _| {}).unwrap().all.network.all.mse
    };
    let (by_game, by_position) = (mse(Split::Game), mse(Split::Position));
    assert!(by_game > 0.24 && by_position < 0.15, "{by_game} {by_position}");
}

#[test]
fn the_grid_tries_every_combination_and_reports_what_diverged() {
    assert_eq!(Grid::paper().combinations(&Settings::default()).unwrap().len(), 7 * 3 * 4 * 9);
    let made = Made::games(30, 6, 4);
    let samples = made.samples();
    let grid = Grid {
        dropouts: vec![0.0, 0.1],
        regularizers: vec![Regularizer::None],
        optimizers: vec![Optimizer::Nesterov],
        kernels: vec![[3, 3], [1, 8]],
        ..Grid::default()
    };
    let how = (Split::Game, 2);
    let base = Settings { epochs: 3, ..small() };
    let jobs = std::sync::atomic::AtomicUsize::new(0);
    let heard = |_: usize, all: usize| jobs.store(all, std::sync::atomic::Ordering::Relaxed);
    let cells = grid::run(samples, &samples.rows(), &base, &grid, how, &heard).unwrap();
    assert_eq!((cells.len(), jobs.into_inner()), (4, 8));
    let errors: Vec<f64> = cells.iter().map(|cell| cell.figures.unwrap().mse).collect();
    assert!(errors.is_sorted(), "{errors:?}");
    let wild = Settings {
        network: "conv filters=2 kernel=3 hidden=8 activation=linear output=linear".parse().unwrap(),
        learning_rate: 50.0,
        ..base
    };
    let cells = grid::run(samples, &samples.rows(), &wild, &grid, how, &|_, _| {}).unwrap();
    assert!(cells.iter().all(|cell| cell.figures.is_none()));
    assert!(cells[0].failed.as_deref().unwrap().contains("diverged"));
}
