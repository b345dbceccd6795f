use annals_learning::{Optimizer, Regularizer, Samples, Settings, TrainError, Trained, train};

use crate::data::Made;

/// A small network that learns fast.
pub fn small() -> Settings {
    Settings {
        network: "conv filters=3 kernel=3 hidden=16".parse().unwrap(),
        batch: 64,
        epochs: 5,
        learning_rate: 0.05,
        seed: 5,
        ..Settings::default()
    }
}

fn trained(samples: Samples<'_>, settings: Settings) -> Result<Trained, TrainError> {
    train(samples, &samples.rows(), settings, None, &|_| {})
}

#[test]
fn what_is_not_chosen_is_as_in_the_paper() {
    let settings = Settings::default();
    assert_eq!((settings.epochs, settings.batch), (30, 4_096));
    assert_eq!(
        (settings.optimizer, settings.regularizer, settings.dropout),
        (Optimizer::Nesterov, Regularizer::L1, 0.0)
    );
    assert_eq!(settings.network.kernel, [4, 4]);
}

#[test]
fn a_network_learns_a_law_that_can_be_learnt() {
    let made = Made::games(60, 20, 1);
    let trained = trained(made.samples(), Settings { epochs: 30, ..small() }).unwrap();
    let (first, last) = (trained.errors[0], *trained.errors.last().unwrap());
    assert!(last < 0.05 && last < first / 3.0, "{first} {last}");
    assert!(trained.best_epoch > 20);
}

#[test]
fn every_rule_and_regularizer_learns_with_and_without_dropout() {
    let made = Made::games(40, 10, 2);
    for optimizer in Optimizer::ALL {
        for regularizer in Regularizer::ALL {
            let learning_rate = match optimizer {
                Optimizer::Rmsprop => 0.001,
                Optimizer::Sgd => 0.2,
                _ => 0.05,
            };
            let base = Settings {
                optimizer: *optimizer,
                regularizer: *regularizer,
                learning_rate,
                epochs: 12,
                ..small()
            };
            for dropout in [0.0, 0.1] {
                let errors = trained(made.samples(), Settings { dropout, ..base }).unwrap().errors;
                let (first, last) = (errors[0], *errors.last().unwrap());
                assert!(last < first * 0.8, "{optimizer} {regularizer} {dropout}: {errors:?}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_does_not_show_in_the_result() {
    let made = Made::games(50, 20, 3);
    let settings = Settings { batch: 900, epochs: 2, dropout: 0.1, ..small() };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(made.samples(), settings)).unwrap()
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(5));
    assert_ne!(one.parameters, trained(made.samples(), Settings { seed: 6, ..settings }).unwrap().parameters);
}

#[test]
fn training_ends_when_nothing_gets_better_and_keeps_the_best() {
    let made = Made::games(30, 4, 4);
    // Steps that are too long: the error leaps about.
    let settings =
        Settings { learning_rate: 0.6, epochs: 200, optimizer: Optimizer::Sgd, stable: 2, ..small() };
    match trained(made.samples(), settings) {
        Ok(trained) => {
            assert!(trained.errors.len() < 200, "{:?}", trained.errors.len());
            let least = trained.errors.iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(trained.errors[trained.best_epoch as usize - 1], least);
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn divergence_is_an_error_that_says_when_and_what_to_do() {
    let made = Made::games(30, 10, 5);
    let network = "conv filters=3 kernel=3 hidden=16 activation=linear output=linear".parse().unwrap();
    let settings = Settings { network, learning_rate: 50.0, ..small() };
    let error = trained(made.samples(), settings).unwrap_err();
    assert!(matches!(error, TrainError::Diverged { epoch: 1, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("diverged in epoch 1, batch ") && text.contains("try 0.1, or another"), "{text}");
    let huge = trained(made.samples(), Settings { learning_rate: 1e30, ..settings }).unwrap_err().to_string();
    assert!(huge.contains("the learning rate 1e30 is too large for nesterov, try 0.1, or another"), "{huge}");
}

#[test]
fn a_network_whose_output_died_is_an_error_and_not_a_result() {
    let made = Made::games(30, 10, 6);
    let settings = Settings {
        learning_rate: 20.0,
        optimizer: Optimizer::Sgd,
        regularizer: Regularizer::None,
        ..small()
    };
    let error = trained(made.samples(), settings).unwrap_err().to_string();
    assert!(error.contains("the network died in epoch") && error.contains("--seed"), "{error}");
}

#[test]
fn settings_and_samples_that_teach_nothing_are_refused() {
    let made = Made::games(3, 3, 7);
    let refused = |settings| trained(made.samples(), settings).unwrap_err().to_string();
    assert_eq!(
        refused(Settings { learning_rate: 0.0, ..small() }),
        "the learning rate is 0; it must be above 0"
    );
    assert!(refused(Settings { dropout: 1.0, ..small() }).starts_with("the dropout rate is 1;"));
    assert!(refused(Settings { batch: 0, ..small() }).starts_with("the batch is 0;"));
    let none = Samples { planes: &[], labels: &[], heights: &[], games: &[], game_ids: &[], digest: [0; 32] };
    assert!(trained(none, small()).unwrap_err().to_string().starts_with("there are no positions"));
    let short = Samples { heights: &[1, 2], ..made.samples() };
    assert!(trained(short, small()).unwrap_err().to_string().contains("9 labels, but 2 heights"));
}
