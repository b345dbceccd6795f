//! How much work there is, how much is done, and how long the rest takes.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use annals_learning::Network;

use crate::Diagnostics;

/// What one position costs in training, in units that are about as long for every network: products, and something for all the
/// rest.
pub fn cost(network: &Network) -> f64 {
    const REST: f64 = 60_000.0;
    (network.spots() * network.window() * network.filters + network.flat() * network.hidden) as f64 + REST
}

/// How far the work is.
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

    /// A stage begins, with so many parts at the same time.
    pub fn begin(&self, stage: &str, parts: usize) {
        self.with(|state| {
            stage.clone_into(&mut state.stage);
            state.under_way = vec![0.0; parts.max(1)];
        });
    }

    /// A part of the stage has done so many units.
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

    /// The stage is over, and was so many units.
    pub fn end(&self, units: f64) {
        self.with(|state| {
            state.over += units;
            state.under_way.clear();
        });
    }

    fn with(&self, change: impl FnOnce(&mut State)) {
        // A thread that panicked leaves numbers behind that are as good as any.
        change(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}
