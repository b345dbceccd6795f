//! How far training is.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use annals_report::{duration, grouped};

use crate::progress::Progress;

/// Hears of every batch of every fold.
pub struct Reporter {
    progress: Progress,
    folds: Mutex<Vec<At>>,
}

#[derive(Clone, Copy, Default)]
struct At {
    done: u64,
    all: u64,
    rate: f64,
    left: Duration,
}

impl Reporter {
    /// For so many folds at the same time.
    pub fn new(folds: usize) -> Reporter {
        let progress = Progress::new("training {wide_bar} {percent}%  {msg}");
        Reporter { progress, folds: Mutex::new(vec![At::default(); folds]) }
    }

    /// One batch of a fold is over.
    pub fn hear(&self, fold: usize, progress: &annals_learning::Progress<'_>) {
        // A thread that panicked leaves numbers behind that are as good as any.
        let mut folds = self.folds.lock().unwrap_or_else(PoisonError::into_inner);
        let batches = progress.batches as u64;
        let Some(at) = folds.get_mut(fold) else { return };
        *at = At {
            done: u64::from(progress.epochs_done) * batches + progress.batches_done as u64,
            all: u64::from(progress.epochs) * batches,
            rate: progress.rate(),
            left: progress.left().unwrap_or_default(),
        };
        let sum = |of: fn(&At) -> u64| folds.iter().map(of).sum::<u64>();
        let rate: f64 = folds.iter().map(|at| at.rate).sum();
        let left = folds.iter().map(|at| at.left).max().unwrap_or_default();
        let error = progress.errors.last().map_or(String::new(), |error| format!(", last error {error:.4}"));
        let message = format!(
            "epoch {} of {}{error}, {} positions/s, {} left",
            progress.epochs_done + 1,
            progress.epochs,
            grouped(rate as u64),
            duration(left)
        );
        let done = (sum(|at| at.done), sum(|at| at.all));
        self.progress.show(done, message, |message| format!("fold {fold}: {message}"));
    }

    /// Training is over.
    pub fn finish(&self) {
        self.progress.finish();
    }
}
