//! Training: epochs of shuffled positions with the best parameters kept, checkpoints, and early stopping.

use std::time::{Duration, Instant};

use annals_features::fold_of;
use annals_rules::seeded::Rng;

use crate::baseline::{Logistic, MATERIAL, Measures};
use crate::batch::Batches;
use crate::checkpoint::{Checkpoint, CheckpointError, Keep, Keeper};
use crate::network::{Activation, Skip};
use crate::optimizer::{Moment, begin_with, first_weights, step};
use crate::samples::{Samples, SamplesError, games};
use crate::settings::{Settings, SettingsError, TOLERANCE};
use crate::targets::{labels, targets};

/// A purpose of random numbers.
const ORDER: u64 = 2;

/// Networks with outputs near 0 and 1 have no weight this large.
const BEYOND: f32 = 1e6;

/// The result of training.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// Of the best epoch, in the order of [`crate::Network::layout`].
    pub parameters: Vec<f32>,
    /// Mean squared error per epoch: of the held-out games at its end, if some are held out; else of the training set
    /// during training, each batch before its step.
    pub errors: Vec<f64>,
    /// From 1.
    pub best_epoch: u32,
}

#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error(transparent)]
    Samples(#[from] SamplesError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Nothing to train on, or nothing held out.
    #[error(
        "one game in {one_in} is to be held out, and of {games} games none is {left}; hold out another share, or take more games"
    )]
    HeldOut { one_in: u32, games: usize, left: &'static str },
    /// The error is not a number, or a weight is out of range.
    #[error(
        "training diverged in epoch {epoch}, batch {batch}: {what}; \
         the learning rate {rate:?} is too large for {optimizer}, try {smaller:?}, or another --seed"
    )]
    Diverged {
        /// From 1.
        epoch: u32,
        /// In the epoch, from 1.
        batch: usize,
        what: &'static str,
        rate: f32,
        optimizer: String,
        /// At most a tenth of the rate.
        smaller: f32,
    },
    /// As [`Keep::stop`] requested.
    #[error("the training was stopped; it continues from its checkpoint")]
    Stopped,
    /// The output is constantly 0.
    #[error(
        "the network died in epoch {epoch}: its rectified output is 0 for every position, so that no derivative is left to learn \
         from; try another --seed, a smaller --learning-rate (now {rate}), or a network with output=sigmoid"
    )]
    Dead {
        /// From 1.
        epoch: u32,
        rate: f32,
    },
}

#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Completed.
    pub epochs_done: u32,
    /// Completed in the present epoch.
    pub batches_done: usize,
    /// Per epoch.
    pub batches: usize,
    /// At most.
    pub epochs: u32,
    /// Per epoch.
    pub positions: usize,
    /// Positions processed by this run.
    pub seen: u64,
    /// Duration of this run.
    pub running: Duration,
    /// Mean squared errors of completed epochs.
    pub errors: &'a [f64],
}

impl Progress<'_> {
    /// Positions per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.seen as f64 / self.running.as_secs_f64().max(1e-9)
    }

    /// Remaining time without early stopping; none if unknown.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let all = f64::from(self.epochs) * self.batches as f64;
        let done = f64::from(self.epochs_done) * self.batches as f64 + self.batches_done as f64;
        let positions = (all - done) / self.batches as f64 * self.positions as f64;
        (self.seen > 0).then(|| Duration::from_secs_f64((positions / self.rate()).clamp(0.0, 1e9)))
    }
}

/// Called for every batch.
pub type Watch<'a> = &'a (dyn Fn(&Progress<'_>) + Sync);

/// Trains a network. Equal samples, rows and settings give equal bits on the same kind of processor, with any number of
/// threads, resumed or not.
///
/// # Errors
/// If settings, samples or checkpoint are invalid, or training diverges.
pub fn train(
    samples: Samples<'_>,
    rows: &[u32],
    settings: Settings,
    keep: Option<&Keep>,
    watch: Watch<'_>,
) -> Result<Trained, TrainError> {
    let samples = samples.checked()?;
    let settings = settings.checked()?;
    if rows.is_empty() {
        return Err(SamplesError::Empty.into());
    }
    let (training, held_out) = hold_out(&samples, rows, settings.held_out)?;
    let first = || first_parameters(&samples, &training, &settings);
    let keeper = keep.map(|keep| Keeper::new(keep, &samples, rows, &settings));
    let keep = keeper.as_ref();
    let mut state = match keep {
        Some(keep) => keep.open(first)?,
        None => Checkpoint::new(first(), settings.optimizer),
    };
    let run = Run {
        count: training.len().div_ceil(settings.batch),
        labels: labels(&samples, &training, &settings),
        rows: training,
        held_out,
        samples,
        settings,
        batches: Batches::new(samples, settings),
        began: Instant::now(),
    };
    let mut seen = 0;
    while !run.is_over(&state) {
        if keep.is_some_and(Keeper::is_stopped) {
            return Err(TrainError::Stopped);
        }
        run.epoch(&mut state, keep, watch, &mut seen)?;
    }
    Ok(Trained { parameters: state.best, best_epoch: state.best_epoch, errors: state.errors })
}

/// Before training. A network with a skip and a sigmoid begins as the logistic function of the pieces: its layers learn what
/// that leaves.
fn first_parameters(samples: &Samples<'_>, rows: &[u32], settings: &Settings) -> Vec<f32> {
    let network = &settings.network;
    let mut parameters = first_weights(network, settings.seed);
    if network.skip == Some(Skip::Linear) && network.output == Activation::Sigmoid {
        let fitted = Logistic::fit(MATERIAL, &Measures::of_pieces(samples), samples, rows);
        begin_with(network, fitted.weights(), &mut parameters);
    }
    parameters
}

/// The rows to train on, and those of held-out games.
fn hold_out(samples: &Samples<'_>, rows: &[u32], one_in: u32) -> Result<(Vec<u32>, Vec<u32>), TrainError> {
    if one_in == 0 {
        return Ok((rows.to_vec(), Vec::new()));
    }
    // Another hash than that of the split into folds.
    let is_held_out = |row: &u32| fold_of(&format!("held out {}", samples.game_of(*row)), one_in) == 0;
    let (held_out, training): (Vec<u32>, Vec<u32>) = rows.iter().copied().partition(is_held_out);
    let empty = |left| TrainError::HeldOut { one_in, games: games(samples, rows), left };
    match (training.is_empty(), held_out.is_empty()) {
        (true, _) => Err(empty("left to train on")),
        (_, true) => Err(empty("held out")),
        _ => Ok((training, held_out)),
    }
}

struct Run<'a> {
    rows: Vec<u32>,
    held_out: Vec<u32>,
    labels: Vec<f32>,
    samples: Samples<'a>,
    settings: Settings,
    batches: Batches<'a>,
    count: usize,
    began: Instant,
}

impl Run<'_> {
    fn is_over(&self, state: &Checkpoint) -> bool {
        state.epoch() >= self.settings.epochs || state.without_progress >= self.settings.stable
    }

    fn epoch(
        &self,
        state: &mut Checkpoint,
        keep: Option<&Keeper<'_>>,
        watch: Watch<'_>,
        seen: &mut u64,
    ) -> Result<(), TrainError> {
        let epoch = state.epoch();
        let order = order_of(&self.rows, self.settings.seed, epoch);
        if state.batches_done == 0 && self.settings.bootstrap > 0.0 {
            state.began.clone_from(&state.parameters);
        }
        let targets =
            targets(&self.samples, &self.labels, &self.rows, &self.settings, &self.batches, &state.began);
        let mut written = Instant::now();
        for (number, rows) in order.chunks(self.settings.batch).enumerate().skip(state.batches_done) {
            let draw = [u64::from(epoch), number as u64];
            let mut pass = self.batches.gradient(&state.parameters, rows, &targets, draw);
            if !pass.squares.is_finite() {
                return Err(self.diverged(epoch, number, "the error is no number any more"));
            }
            state.is_alive |= pass.gradient.iter().any(|derivative| *derivative != 0.0);
            state.squares += pass.squares;
            let moment = Moment { epoch, steps: u64::from(epoch) * self.count as u64 + number as u64 };
            step(&self.settings, moment, &mut state.parameters, &mut state.memory, &mut pass.gradient);
            state.batches_done = number + 1;
            *seen += rows.len() as u64;
            watch(&Progress {
                epochs_done: epoch,
                batches_done: state.batches_done,
                batches: self.count,
                epochs: self.settings.epochs,
                positions: self.rows.len(),
                seen: *seen,
                running: self.began.elapsed(),
                errors: &state.errors,
            });
            if let Some(keep) = keep
                && state.batches_done < self.count
                && (keep.is_stopped() || written.elapsed() >= keep.every())
            {
                keep.write(state)?;
                written = Instant::now();
                if keep.is_stopped() {
                    return Err(TrainError::Stopped);
                }
            }
        }
        if state.parameters.iter().any(|parameter| !parameter.is_finite()) {
            return Err(self.diverged(epoch, self.count - 1, "a weight is no number any more"));
        }
        if state.parameters.iter().any(|parameter| parameter.abs() > BEYOND) {
            return Err(self.diverged(epoch, self.count - 1, "a weight is beyond a million"));
        }
        if !state.is_alive && self.settings.network.output == Activation::Rectifier {
            return Err(TrainError::Dead { epoch: epoch + 1, rate: self.settings.learning_rate });
        }
        state.close_epoch(self.error(state));
        match keep {
            Some(keep) => Ok(keep.write(state)?),
            None => Ok(()),
        }
    }

    /// The mean squared error by which epochs are compared.
    fn error(&self, state: &Checkpoint) -> f64 {
        if self.held_out.is_empty() {
            return state.squares / self.rows.len() as f64;
        }
        let predictions = self.batches.predict(&state.parameters, &self.held_out);
        let squares = predictions.iter().zip(&self.held_out).map(|(prediction, row)| {
            let error = f64::from(*prediction) - f64::from(self.samples.label_of(*row));
            error * error
        });
        squares.sum::<f64>() / self.held_out.len() as f64
    }

    fn diverged(&self, epoch: u32, number: usize, what: &'static str) -> TrainError {
        TrainError::Diverged {
            epoch: epoch + 1,
            batch: number + 1,
            what,
            rate: self.settings.learning_rate,
            optimizer: self.settings.optimizer.to_string(),
            smaller: (self.settings.learning_rate / 10.0).min(0.1),
        }
    }
}

impl Checkpoint {
    /// Ends an epoch; keeps the parameters of the least error.
    fn close_epoch(&mut self, error: f64) {
        let best = self.errors.iter().copied().fold(f64::INFINITY, f64::min);
        self.errors.push(error);
        if error < best {
            self.best.clone_from(&self.parameters);
            self.best_epoch = self.errors.len() as u32;
        }
        let progress = error <= best * (1.0 + TOLERANCE);
        self.without_progress = if progress { 0 } else { self.without_progress + 1 };
        self.batches_done = 0;
        self.squares = 0.0;
        self.is_alive = false;
    }
}

fn order_of(rows: &[u32], seed: u64, epoch: u32) -> Vec<u32> {
    let mut order = rows.to_vec();
    Rng::of(&[seed, ORDER, u64::from(epoch)]).shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests {
    use super::order_of;

    #[test]
    fn each_epoch_takes_every_position_in_another_order() {
        let rows: Vec<u32> = (0..1_000).collect();
        let [first, second] = [0, 1].map(|epoch| order_of(&rows, 7, epoch));
        assert!(first != rows && second != rows && first != second);
        for mut order in [first, second] {
            order.sort_unstable();
            assert_eq!(order, rows);
        }
    }
}
