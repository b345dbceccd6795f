use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use annals_learning::grid::{Cell, Grid, GridError, run_kept};
use annals_learning::{Keep, Optimizer, Regularizer, Samples, Settings, Split, TrainError, Trained, train};

use crate::data::Made;
use crate::training::{searched, small};

fn keep(path: PathBuf, resume: bool) -> Keep {
    Keep { every: Duration::ZERO, ..Keep::at(path, resume) }
}

fn run(samples: Samples<'_>, settings: Settings, keep: Option<&Keep>) -> Result<Trained, TrainError> {
    train(samples, &samples.rows(), settings, keep, &|_| {})
}

#[test]
fn training_that_is_killed_at_any_batch_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let made = Made::games(20, 10, 1);
    let samples = made.samples();
    // Four batches in an epoch; the kill comes after every one of them in turn.
    for (name, base) in [("paper", small()), ("searched", Settings { batch: 40, ..searched() })] {
        let settings = Settings { epochs: 3, dropout: 0.1, ..base };
        let whole = run(samples, settings, None).unwrap();
        for kill in [1, 3, 4, 5, 8, 11] {
            let path = folder.path().join(format!("{name}-{kill}.checkpoint"));
            let heard = AtomicUsize::new(0);
            let killed = catch_unwind(AssertUnwindSafe(|| {
                train(samples, &samples.rows(), settings, Some(&keep(path.clone(), false)), &|_| {
                    assert!(heard.fetch_add(1, Ordering::Relaxed) < kill, "killed");
                })
            }));
            assert!(killed.is_err());
            assert_eq!(path.exists(), kill > 0);
            let resumed = run(samples, settings, Some(&keep(path, true))).unwrap();
            assert_eq!(resumed, whole, "{name} after {kill} batches");
        }
    }
}

#[test]
fn training_that_is_stopped_keeps_the_batch_before() {
    let folder = tempfile::tempdir().unwrap();
    let made = Made::games(20, 10, 1);
    let samples = made.samples();
    let settings = Settings { epochs: 3, ..small() };
    let whole = run(samples, settings, None).unwrap();
    // Four batches in an epoch: within one, and at its end.
    for batches in [2, 4] {
        let path = folder.path().join(format!("{batches}.checkpoint"));
        let stopping = Keep::at(path.clone(), false);
        let heard = AtomicUsize::new(0);
        let stopped = train(samples, &samples.rows(), settings, Some(&stopping), &|_| {
            let enough = heard.fetch_add(1, Ordering::Relaxed) + 1 == batches;
            stopping.stop.fetch_or(enough, Ordering::Relaxed);
        });
        assert!(matches!(stopped, Err(TrainError::Stopped)), "{stopped:?}");
        assert_eq!(heard.load(Ordering::Relaxed), batches);
        assert_eq!(run(samples, settings, Some(&Keep::at(path, true))).unwrap(), whole);
    }
}

#[test]
fn training_that_is_over_is_there_at_once_and_can_be_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let made = Made::games(20, 10, 2);
    let settings = Settings { epochs: 2, ..small() };
    let first = run(made.samples(), settings, Some(&keep(path.clone(), false))).unwrap();
    assert_eq!(run(made.samples(), settings, Some(&keep(path.clone(), true))).unwrap(), first);
    let longer = Settings { epochs: 4, ..settings };
    let on = run(made.samples(), longer, Some(&keep(path, true))).unwrap();
    assert_eq!(on, run(made.samples(), longer, None).unwrap());
}

#[test]
fn a_checkpoint_is_refused_when_it_is_cut_off_changed_or_of_another_training() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let made = Made::games(20, 10, 3);
    let settings = Settings { epochs: 1, ..small() };
    run(made.samples(), settings, Some(&keep(path.clone(), false))).unwrap();
    let refused = |settings: Settings, resume| {
        run(made.samples(), settings, Some(&keep(path.clone(), resume))).unwrap_err().to_string()
    };

    let unfinished = refused(settings, false);
    assert!(unfinished.contains("did not end") && unfinished.contains("--resume"), "{unfinished}");
    let other = refused(Settings { network: "conv6".parse().unwrap(), ..settings }, true);
    assert!(other.contains("of another training: the network was conv filters=3"), "{other}");
    let other = refused(Settings { seed: 9, ..settings }, true);
    assert!(other.contains("of another training: the settings"), "{other}");

    let bytes = fs::read(&path).unwrap();
    for length in [0, 5, 40, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        let cut = refused(settings, true);
        assert!(
            cut.contains("is truncated or damaged") && cut.contains("delete it and train again"),
            "{length}: {cut}"
        );
    }
    let mut changed = bytes.clone();
    let last = changed.len() - 9;
    changed[last] ^= 1;
    fs::write(&path, &changed).unwrap();
    assert!(refused(settings, true).contains("its digest is another"));
    // The version is in a JSON text within another, so its quotes are escaped.
    let earlier = replaced(&bytes, br#"\"version\":2"#, br#"\"version\":1"#);
    fs::write(&path, earlier).unwrap();
    let earlier = refused(settings, true);
    assert!(earlier.contains("has format 1, which an earlier version of the program wrote"), "{earlier}");
    assert!(earlier.contains("delete the file, or train without --resume"), "{earlier}");
    fs::write(&path, b"This is a letter, and no checkpoint.").unwrap();
    assert!(refused(settings, true).contains("is not a checkpoint of Annals"));
}

/// The bytes with the only occurrence of some of them replaced by as many others.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let found: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    let [at] = found[..] else { panic!("found {} times", found.len()) };
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

fn grid(dropouts: &[f32]) -> Grid {
    let (regularizers, optimizers) = (vec![Regularizer::L1], vec![Optimizer::Nesterov]);
    Grid { dropouts: dropouts.to_vec(), regularizers, optimizers, kernels: vec![[3, 3]], ..Grid::default() }
}

/// Searches, and says how many trainings that took.
fn search(
    made: &Made,
    base: &Settings,
    dropouts: &[f32],
    keep: Option<&Keep>,
) -> (Result<Vec<Cell>, GridError>, usize) {
    let trained = AtomicUsize::new(0);
    let samples = made.samples();
    let how = (Split::Position, 2);
    let watch = |_, _| {
        trained.fetch_add(1, Ordering::Relaxed);
    };
    let found = run_kept(samples, &samples.rows(), base, &grid(dropouts), how, keep, &watch);
    (found, trained.into_inner())
}

#[test]
fn a_search_goes_on_with_what_it_has_not_done_and_comes_to_the_same_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grid");
    let made = Made::games(20, 10, 4);
    let base = Settings { epochs: 1, ..small() };
    let whole = search(&made, &base, &[0.0, 0.1, 0.25], None).0.unwrap();
    let (first, trained) = search(&made, &base, &[0.1], Some(&keep(path.clone(), false)));
    assert_eq!((first.unwrap().len(), trained), (1, 2));
    let (all, trained) = search(&made, &base, &[0.0, 0.1, 0.25], Some(&keep(path.clone(), true)));
    assert_eq!((all.unwrap(), trained), (whole.clone(), 4), "one of three was done");
    let (again, trained) = search(&made, &base, &[0.0, 0.1, 0.25], Some(&keep(path.clone(), true)));
    assert_eq!((again.unwrap(), trained), (whole, 0));

    let refused = |base: &Settings, resume| {
        search(&made, base, &[0.1], Some(&keep(path.clone(), resume))).0.unwrap_err().to_string()
    };
    assert!(refused(&base, false).contains("did not end"));
    let other = refused(&Settings { epochs: 2, ..base }, true);
    assert!(other.contains("of another training: the settings"), "{other}");
    let bytes = fs::read(&path).unwrap();
    for length in [0, 40, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(refused(&base, true).contains("is truncated or damaged"), "{length}");
    }
    let trained = keep(path.clone(), false);
    fs::remove_file(&path).unwrap();
    run(made.samples(), base, Some(&trained)).unwrap();
    assert!(refused(&base, true).contains("is not a grid checkpoint of Annals: it is a checkpoint"));
}
