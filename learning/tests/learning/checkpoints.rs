use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use annals_learning::{Keep, Place, Samples, Settings, TrainError, Trained, train};

use crate::data::Made;
use crate::training::small;

fn keep(path: PathBuf, resume: bool) -> Keep {
    Keep { every: Duration::ZERO, ..Keep::at(path, resume) }
}

fn run(samples: Samples<'_>, settings: Settings, keep: Option<&Keep>) -> Result<Trained, TrainError> {
    train(samples, &samples.rows(), settings, Place::Processor, keep, &|_| {})
}

#[test]
fn training_that_is_killed_at_any_batch_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let made = Made::games(20, 10, 1);
    let samples = made.samples();
    let settings = Settings { epochs: 3, dropout: 0.1, ..small() };
    let whole = run(samples, settings, None).unwrap();
    // Four batches in an epoch; the kill comes after every one of them in turn.
    for kill in [1, 3, 4, 5, 8, 11] {
        let path = folder.path().join(format!("{kill}.checkpoint"));
        let heard = AtomicUsize::new(0);
        let killed = catch_unwind(AssertUnwindSafe(|| {
            train(
                samples,
                &samples.rows(),
                settings,
                Place::Processor,
                Some(&keep(path.clone(), false)),
                &|_| {
                    assert!(heard.fetch_add(1, Ordering::Relaxed) < kill, "killed");
                },
            )
        }));
        assert!(killed.is_err());
        assert_eq!(path.exists(), kill > 0);
        let resumed = run(samples, settings, Some(&keep(path, true))).unwrap();
        assert_eq!(resumed, whole, "after {kill} batches");
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
    fs::write(&path, b"This is a letter, and no checkpoint.").unwrap();
    assert!(refused(settings, true).contains("is no checkpoint of Annals"));
}
