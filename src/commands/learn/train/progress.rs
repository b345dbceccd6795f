//! How far training is, on standard error: a bar for a person, a line now and then for a pipe.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use annals_learning::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::{grouped, talks_to_a_person};

/// How long a pipe waits for the next line.
const PAUSE: Duration = Duration::from_secs(10);

/// Hears of every batch of every fold.
pub struct Reporter {
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

struct State {
    folds: Vec<At>,
    spoken: Instant,
}

#[derive(Clone, Copy, Default)]
struct At {
    done: u64,
    all: u64,
    rate: f64,
    left: Duration,
    epoch: u32,
    error: Option<f64>,
}

impl Reporter {
    /// For so many folds at the same time.
    pub fn new(folds: usize) -> Reporter {
        let bar = talks_to_a_person().then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template("training {wide_bar} {percent}%  {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Reporter {
            bar,
            state: Mutex::new(State { folds: vec![At::default(); folds], spoken: Instant::now() }),
        }
    }

    /// One batch of a fold is over.
    pub fn hear(&self, fold: usize, progress: &Progress<'_>) {
        // A thread that died while it spoke leaves numbers behind that are as good as any.
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let batches = progress.batches as u64;
        let Some(at) = state.folds.get_mut(fold) else { return };
        *at = At {
            done: u64::from(progress.epochs_done) * batches + progress.batches_done as u64,
            all: u64::from(progress.epochs) * batches,
            rate: progress.rate(),
            left: progress.left().unwrap_or_default(),
            epoch: progress.epochs_done + 1,
            error: progress.errors.last().copied(),
        };
        let sum = |of: fn(&At) -> u64| state.folds.iter().map(of).sum::<u64>();
        let rate: f64 = state.folds.iter().map(|at| at.rate).sum();
        let left = state.folds.iter().map(|at| at.left).max().unwrap_or_default();
        let at = state.folds[fold];
        let error = at.error.map_or(String::new(), |error| format!(", last error {error:.4}"));
        let words = format!(
            "epoch {} of {}{error}, {} positions/s, {} left",
            at.epoch,
            progress.epochs,
            grouped(rate as u64),
            duration(left)
        );
        match &self.bar {
            Some(bar) => {
                bar.set_length(sum(|at| at.all));
                bar.set_position(sum(|at| at.done));
                bar.set_message(words);
            }
            None if state.spoken.elapsed() >= PAUSE => {
                eprintln!("annals: fold {fold}: {words}");
                state.spoken = Instant::now();
            }
            None => {}
        }
    }

    /// Training is over.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A time to wait: `4 s`, `3 min 20 s`, `2 h 5 min`.
pub fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_exact_as_one_cares() {
        let text = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([text(7), text(200), text(7_530)], ["7 s", "3 min 20 s", "2 h 5 min"]);
    }
}
