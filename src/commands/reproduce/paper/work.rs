//! How much work there is, how much is done, and how long the rest takes.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use annals_learning::Network;
use indicatif::{ProgressBar, ProgressStyle};

use crate::commands::learn::train::duration;
use crate::output::talk;
use crate::terminal::talks_to_a_person;

/// How long a pipe waits for the next line.
const PAUSE: Duration = Duration::from_secs(10);

/// What one position costs in training, in units that are about as long for every network: products, and something for all the
/// rest.
pub fn cost(network: &Network) -> f64 {
    const REST: f64 = 60_000.0;
    (network.spots() * network.window() * network.filters + network.flat() * network.hidden) as f64 + REST
}

/// How far the work is.
pub struct Work {
    all: f64,
    began: Instant,
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

struct State {
    /// Units of the stages that are over.
    over: f64,
    /// Units of the stage under way.
    stage: String,
    under_way: Vec<f64>,
    spoken: Instant,
}

impl Work {
    /// So many units lie ahead.
    pub fn new(all: f64) -> Work {
        let bar = talks_to_a_person().then(|| {
            let bar = ProgressBar::new(1_000);
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}%  {msg}") {
                bar.set_style(style);
            }
            bar
        });
        let state = State { over: 0.0, stage: String::new(), under_way: Vec::new(), spoken: Instant::now() };
        Work { all, began: Instant::now(), bar, state: Mutex::new(state) }
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
            let words = format!("{}, {} left", state.stage, duration(Duration::from_secs_f64(left.min(1e8))));
            match &self.bar {
                Some(bar) => {
                    bar.set_position((1_000.0 * share) as u64);
                    bar.set_message(words);
                }
                None if state.spoken.elapsed() >= PAUSE => {
                    talk(format_args!("annals: {:.0} %: {words}", 100.0 * share));
                    state.spoken = Instant::now();
                }
                None => {}
            }
        });
    }

    /// The stage is over, and was so many units.
    pub fn end(&self, units: f64) {
        self.with(|state| {
            state.over += units;
            state.under_way.clear();
        });
    }

    /// All is over.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn with(&self, change: impl FnOnce(&mut State)) {
        // A thread that died while it spoke leaves numbers behind that are as good as any.
        change(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}
