use annals_learning::{Loss, Optimizer, Regularizer, Samples, Settings, TrainError, Trained, train};

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

/// The same with all that the paper has not.
pub fn modern() -> Settings {
    Settings {
        network: "conv filters=6 kernel=8 hidden=16 image=sides output=sigmoid skip=linear".parse().unwrap(),
        optimizer: Optimizer::Adam,
        learning_rate: 0.005,
        rate_decay: 0.9,
        loss: Loss::Log,
        mirror: true,
        held_out: 4,
        bootstrap: 0.5,
        ahead: 3,
        ..small()
    }
}

/// The same with labels that are partly chances by searches.
pub fn searched() -> Settings {
    Settings { search_share: 0.3, search_nodes: 20, ..modern() }
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
    // Files of the paper's networks are as before there were other settings.
    let text = serde_json::to_string(&settings).unwrap();
    assert!(
        !["loss", "mirror", "held_out", "rate_decay", "skip", "bootstrap", "ahead", "search"]
            .iter()
            .any(|key| text.contains(key)),
        "{text}"
    );
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
    let written = serde_json::to_string(&searched()).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&written).unwrap(), searched());
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
                Optimizer::Adam => 0.005,
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
    for base in [small(), searched()] {
        let settings = Settings { batch: 700, epochs: 2, dropout: 0.1, ..base };
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| trained(made.samples(), settings)).unwrap()
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(5));
        let other = trained(made.samples(), Settings { seed: 6, ..settings }).unwrap();
        assert_ne!(one.parameters, other.parameters);
    }
}

#[test]
fn the_epoch_that_predicts_held_out_games_best_is_kept() {
    // Labels at random, equal within a game: what is learnt of one game does not help for another.
    let made = Made::games(60, 12, 3);
    let labels: Vec<u8> = made.samples().games.iter().map(|game| (game * 7 / 3 % 2) as u8).collect();
    let samples = Samples { labels: &labels, ..made.samples() };
    let labels_only = Settings { bootstrap: 0.0, rate_decay: 1.0, ..modern() };
    let settings = Settings { epochs: 40, stable: 40, learning_rate: 0.02, ..labels_only };
    let found = trained(samples, settings).unwrap();
    let least = found.errors.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(found.errors[found.best_epoch as usize - 1], least);
    assert!(*found.errors.last().unwrap() > least + 0.02, "{:?}", found.errors);
    // With own predictions of later positions less is learnt of single games.
    let calm = trained(samples, Settings { bootstrap: 0.9, ahead: 1, ..settings }).unwrap();
    assert!(calm.errors.last() < found.errors.last(), "{:?}", calm.errors);
    let all = trained(samples, Settings { held_out: 0, ..settings }).unwrap();
    assert!(all.best_epoch > found.best_epoch && *all.errors.last().unwrap() < 0.1, "{:?}", all.errors);

    let few = Made::games(1, 12, 3);
    let error = trained(few.samples(), modern()).unwrap_err().to_string();
    assert!(error.starts_with("one game in 4 is to be held out, and of 1 games none is "), "{error}");
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
    assert!(
        refused(Settings { rate_decay: 1.5, ..small() }).contains("the decay of the learning rate is 1.5;")
    );
    assert!(
        refused(Settings { bootstrap: 0.5, ..small() })
            .contains("it must be 0, unless some games are held out")
    );
    let share = |search_share| refused(Settings { search_share, ..small() });
    assert_eq!(share(1.1), "the share of searches is 1.1; it must be at least 0 and at most 1");
    assert!(share(f32::NAN).starts_with("the share of searches is NaN;"));
    assert!(
        refused(Settings { search_nodes: 0, ..small() }).contains("a search is 0; it must be at least 1")
    );
    assert!(refused(Settings { held_out: 1, ..small() }).contains("it must be at least 2, or 0 for none"));
    assert_eq!(
        refused(Settings { loss: Loss::Log, ..small() }),
        "the loss is log; it must be squares, unless the network has output=sigmoid"
    );
    let none = Samples { planes: &[], labels: &[], heights: &[], games: &[], game_ids: &[], digest: [0; 32] };
    assert!(trained(none, small()).unwrap_err().to_string().starts_with("there are no positions"));
    let short = Samples { heights: &[1, 2], ..made.samples() };
    assert!(trained(short, small()).unwrap_err().to_string().contains("9 labels, but 2 heights"));
}
