//! An experiment: networks trained on all folds but one and judged by that one, fold by fold, with the baselines beside them.

use rayon::prelude::*;
use serde::Serialize;

use crate::baseline::{BASELINES, Logistic, Measures};
use crate::batch::Batches;
use crate::checkpoint::Keep;
use crate::model::{About, Model};
use crate::samples::{Samples, SamplesError};
use crate::score::{Score, score};
use crate::settings::Settings;
use crate::split::{Folds, Split, SplitError};
use crate::train::{Progress, TrainError, Trained, train};

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How the networks are trained.
    pub settings: Settings,
    /// What is told apart.
    pub split: Split,
    pub folds: u32,
    /// Of how many folds each is judged by once; the others are only learnt from. The paper had time for one of five.
    pub judged: u32,
}

/// Why an experiment failed.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    #[error(transparent)]
    Samples(#[from] SamplesError),
    #[error(transparent)]
    Split(#[from] SplitError),
    #[error("fold {fold}: {error}")]
    Train {
        /// Which fold was left out, from 0.
        fold: usize,
        error: TrainError,
    },
}

/// A baseline with how good it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beside {
    /// Its name; see [`BASELINES`].
    pub name: &'static str,
    /// How good it is on the same positions.
    pub score: Score,
}

/// What a network and the baselines are worth on some positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    pub network: Score,
    pub baselines: Vec<Beside>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fold {
    /// Which one was judged by, from 0.
    pub fold: usize,
    /// How many positions were learnt from.
    pub learnt_from: usize,
    /// The mean squared error while learning, epoch by epoch.
    pub errors: Vec<f64>,
    /// The epoch that was kept, from 1.
    pub best_epoch: u32,
    /// How good it is on the positions that it has not seen.
    pub judged: Judged,
    /// The first layer: for each filter its channels, rows and columns; see [`Model::filters`].
    pub filters: Vec<Vec<Vec<Vec<f32>>>>,
    /// The network itself.
    #[serde(skip)]
    pub model: Model,
}

/// What an experiment came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    pub network: String,
    pub parameters: usize,
    pub settings: Settings,
    /// What was told apart.
    pub split: Split,
    pub of_folds: u32,
    pub positions: usize,
    pub games: usize,
    /// The digest of the dataset, in hexadecimal digits.
    pub data: String,
    pub folds: Vec<Fold>,
    /// Over the positions of all folds together, each predicted by the network that has not seen it.
    pub all: Judged,
}

/// Runs an experiment on some rows; folds run at the same time. `watch` hears of every batch, and of which fold it is. With `keep`
/// every fold has a checkpoint, by which it goes on after a kill; they stay until someone deletes them ([`keeps`]).
///
/// # Errors
/// When the positions cannot be split, or a training fails.
pub fn run(
    samples: Samples<'_>,
    rows: &[u32],
    plan: &Plan,
    keep: Option<&Keep>,
    watch: &(dyn Fn(usize, &Progress<'_>) + Sync),
) -> Result<Outcome, ExperimentError> {
    let samples = samples.checked()?;
    let measures = Measures::of(&samples);
    run_measured(samples, rows, plan, &measures, keep, watch)
}

/// As [`run`], where the baselines' measures are at hand: they are the same for every network.
///
/// # Errors
/// As [`run`].
pub fn run_measured(
    samples: Samples<'_>,
    rows: &[u32],
    plan: &Plan,
    measures: &Measures,
    keep: Option<&Keep>,
    watch: &(dyn Fn(usize, &Progress<'_>) + Sync),
) -> Result<Outcome, ExperimentError> {
    let folds = Folds::new(&samples, rows, plan.split, plan.folds, plan.settings.seed)?;
    let judged = plan.judged.clamp(1, plan.folds) as usize;
    let keeps = keep.map(|keep| keeps(keep, judged));
    let results: Vec<Result<(Fold, Predictions), ExperimentError>> = (0..judged)
        .into_par_iter()
        .map(|fold| {
            let learnt = folds.without(fold);
            let keep = keeps.as_ref().and_then(|keeps| keeps.get(fold));
            let trained = train(samples, &learnt, plan.settings, keep, &|at| watch(fold, at))
                .map_err(|error| ExperimentError::Train { fold, error })?;
            judge(samples, plan, measures, fold, (&learnt, &folds.folds[fold]), trained)
        })
        .collect();
    let mut outcomes = Vec::with_capacity(judged);
    let mut all = Predictions::default();
    for result in results {
        let (fold, predictions) = result?;
        all.extend(predictions);
        outcomes.push(fold);
    }
    let network = &plan.settings.network;
    Ok(Outcome {
        network: network.to_string(),
        parameters: network.parameters(),
        settings: plan.settings,
        split: plan.split,
        of_folds: plan.folds,
        positions: rows.len(),
        games: games(&samples, rows),
        data: hex::encode(samples.digest),
        folds: outcomes,
        all: all.judged(&samples),
    })
}

/// Where the checkpoints of an experiment's folds are: in the file itself where one fold is judged, else in one for each.
#[must_use]
pub fn keeps(keep: &Keep, judged: usize) -> Vec<Keep> {
    let numbered = |fold: usize| {
        let mut path = keep.path.as_os_str().to_owned();
        path.push(format!(".{fold}"));
        Keep { path: path.into(), ..keep.clone() }
    };
    if judged == 1 { vec![keep.clone()] } else { (0..judged).map(numbered).collect() }
}

#[must_use]
pub fn games(samples: &Samples<'_>, rows: &[u32]) -> usize {
    let mut seen = vec![false; samples.game_ids.len()];
    rows.iter().for_each(|row| seen[samples.games[*row as usize] as usize] = true);
    seen.into_iter().filter(|seen| *seen).count()
}

/// Judges a trained network by some rows, with the baselines fitted to what it learnt from beside it.
fn judge(
    samples: Samples<'_>,
    plan: &Plan,
    measures: &Measures,
    fold: usize,
    (learnt, judged): (&[u32], &[u32]),
    trained: Trained,
) -> Result<(Fold, Predictions), ExperimentError> {
    let fitted: Vec<Logistic> =
        (0..BASELINES.len()).map(|baseline| Logistic::fit(baseline, measures, &samples, learnt)).collect();
    let predictions = Predictions {
        rows: judged.to_vec(),
        network: predict(samples, plan.settings, &trained.parameters, judged),
        baselines: fitted.iter().map(|fitted| fitted.predict(measures, judged)).collect(),
    };
    let split = format!("by {}, without fold {fold} of {}", plan.split, plan.folds);
    let model = model(&samples, plan.settings, learnt.len(), split, "", trained, &fitted[HAND_MADE]);
    let found = Fold {
        fold,
        learnt_from: learnt.len(),
        errors: model.about.errors.clone(),
        best_epoch: model.about.best_epoch,
        judged: predictions.judged(&samples),
        filters: model.filters(),
        model,
    };
    Ok((found, predictions))
}

/// The hand-made evaluation's place among the baselines.
pub const HAND_MADE: usize = 3;

/// The predictions of a network with some parameters for some rows.
#[must_use]
pub fn predict(samples: Samples<'_>, settings: Settings, parameters: &[f32], rows: &[u32]) -> Vec<f32> {
    Batches::new(samples, settings).predict(parameters, rows)
}

/// The derivative of the mean squared error over some rows by every parameter, without a regularizer's. What drops out is that of the
/// first batch.
#[must_use]
pub fn gradient(samples: Samples<'_>, settings: Settings, parameters: &[f32], rows: &[u32]) -> Vec<f32> {
    Batches::new(samples, settings).gradient(parameters, rows, [0, 0]).gradient
}

/// A trained network with what it was made of. `hand_made` is the hand-made evaluation's baseline on what it learnt from.
#[must_use]
pub fn model(
    samples: &Samples<'_>,
    settings: Settings,
    positions: usize,
    split: String,
    description: &str,
    trained: Trained,
    hand_made: &Logistic,
) -> Model {
    Model {
        network: settings.network,
        about: About {
            network: settings.network.to_string(),
            settings,
            data: hex::encode(samples.digest),
            description: description.to_owned(),
            split,
            positions: positions as u64,
            errors: trained.errors,
            best_epoch: trained.best_epoch,
            odds_of_a_rabbit: hand_made.slope(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        },
        parameters: trained.parameters,
    }
}

/// What was said of some rows.
#[derive(Default)]
struct Predictions {
    rows: Vec<u32>,
    network: Vec<f32>,
    baselines: Vec<Vec<f32>>,
}

impl Predictions {
    fn extend(&mut self, other: Predictions) {
        self.rows.extend(other.rows);
        self.network.extend(other.network);
        self.baselines.resize(BASELINES.len(), Vec::new());
        self.baselines.iter_mut().zip(other.baselines).for_each(|(all, part)| all.extend(part));
    }

    fn judged(&self, samples: &Samples<'_>) -> Judged {
        let labels: Vec<u8> = self.rows.iter().map(|row| samples.label_of(*row)).collect();
        let heights: Vec<u16> = self.rows.iter().map(|row| samples.heights[*row as usize]).collect();
        let of = |predictions: &[f32]| score(predictions, &labels, &heights);
        Judged {
            network: of(&self.network),
            baselines: BASELINES
                .iter()
                .zip(&self.baselines)
                .map(|((name, _), predictions)| Beside { name, score: of(predictions) })
                .collect(),
        }
    }
}
