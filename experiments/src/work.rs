//! The amount of work, the completed part, and the remaining time.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use annals_learning::Network;

use crate::Diagnostics;

/// The cost of one position in training, in units of similar duration for every network: products, and a constant for the
/// other work.
pub fn cost(network: &Network) -> f64 {
    const REST: f64 = 60_000.0;
    (network.spots() * network.window() * network.filters + network.flat() * network.hidden) as f64 + REST
}

/// The progress of the work.
pub struct Work<'a> {
    all: f64,
    began: Instant,
    diagnostics: &'a dyn Diagnostics,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Units of the stages that are over.
    over: f64,
    stage: String,
    /// Units of each part of that stage that are done.
    under_way: Vec<f64>,
}

impl Work<'_> {
    /// Work of a number of units.
    pub fn new(all: f64, diagnostics: &dyn Diagnostics) -> Work<'_> {
        Work { all, began: Instant::now(), diagnostics, state: Mutex::default() }
    }

    /// Begins a stage with a number of simultaneous parts.
    pub fn begin(&self, stage: &str, parts: usize) {
        self.with(|state| {
            stage.clone_into(&mut state.stage);
            state.under_way = vec![0.0; parts.max(1)];
        });
    }

    /// Sets the completed units of a part of the stage.
    pub fn at(&self, part: usize, units: f64) {
        self.with(|state| {
            if let Some(done) = state.under_way.get_mut(part) {
                *done = units;
            }
            let done = state.over + state.under_way.iter().sum::<f64>();
            let share = (done / self.all.max(1.0)).clamp(0.0, 1.0);
            let left = self.began.elapsed().as_secs_f64() * (1.0 - share) / share.max(1e-6);
            self.diagnostics.progress(share, &state.stage, Duration::from_secs_f64(left.min(1e8)));
        });
    }

    /// Ends the stage, which had this number of units.
    pub fn end(&self, units: f64) {
        self.with(|state| {
            state.over += units;
            state.under_way.clear();
        });
    }

    fn with(&self, change: impl FnOnce(&mut State)) {
        // The numbers are valid even after a panic of a thread.
        change(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}
