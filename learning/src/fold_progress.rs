//! How far the trainings of all folds of an experiment are together.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use annals_report::{duration, grouped};

use crate::train::Progress;

/// The progress of folds that are trained at the same time.
#[derive(Debug)]
pub struct FoldProgress(Mutex<Vec<At>>);

#[derive(Debug, Clone, Copy, Default)]
struct At {
    done: u64,
    all: u64,
    rate: f64,
    left: Duration,
}

impl FoldProgress {
    #[must_use]
    pub fn new(folds: usize) -> FoldProgress {
        FoldProgress(Mutex::new(vec![At::default(); folds]))
    }

    /// Counts a batch of a fold; returns the batches that are done, those of all folds, and a message.
    pub fn count(&self, fold: usize, progress: &Progress<'_>) -> ((u64, u64), String) {
        // A thread that panicked leaves valid numbers.
        let mut folds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let batches = progress.batches as u64;
        if let Some(at) = folds.get_mut(fold) {
            *at = At {
                done: u64::from(progress.epochs_done) * batches + progress.batches_done as u64,
                all: u64::from(progress.epochs) * batches,
                rate: progress.rate(),
                left: progress.left().unwrap_or_default(),
            };
        }
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
        ((sum(|at| at.done), sum(|at| at.all)), message)
    }
}
