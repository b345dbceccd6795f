//! Experiments: networks trained on all folds but one and evaluated on that one, with baselines.

use rayon::prelude::*;
use serde::Serialize;

use crate::baseline::{BASELINES, HANDCRAFTED, Logistic, Measures};
use crate::batch::Batches;
use crate::checkpoint::Keep;
use crate::evaluation::{Evaluation, Predictions};
use crate::model::{About, Model};
pub use crate::samples::games;
use crate::samples::{Samples, SamplesError};
use crate::settings::Settings;
use crate::split::{Folds, Split, SplitError, Validation};
use crate::train::{Progress, TrainError, Trained, train};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    pub settings: Settings,
    pub split: Split,
    pub folds: u32,
    /// Folds that are a validation set once; the others are only training sets. The paper had one of five.
    pub eval_folds: u32,
}

#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    #[error(transparent)]
    Samples(#[from] SamplesError),
    #[error(transparent)]
    Split(#[from] SplitError),
    #[error("fold {fold}: {error}")]
    Train {
        /// The left-out fold, from 0.
        fold: usize,
        error: TrainError,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fold {
    /// The validation fold, from 0.
    pub fold: usize,
    pub training_positions: usize,
    /// Mean squared error of training per epoch.
    pub errors: Vec<f64>,
    /// The kept epoch, from 1.
    pub best_epoch: u32,
    /// On the validation set.
    pub validation: Evaluation,
    /// The first layer: per filter channels, rows and columns; see [`Model::filters`].
    pub filters: Vec<Vec<Vec<Vec<f32>>>>,
    #[serde(skip)]
    pub model: Model,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    pub network: String,
    pub parameters: usize,
    pub settings: Settings,
    pub split: Split,
    pub of_folds: u32,
    pub positions: usize,
    pub games: usize,
    /// Of the dataset, in hexadecimal.
    pub data: String,
    pub folds: Vec<Fold>,
    /// Over all validation sets.
    pub all: Evaluation,
}

/// Folds run in parallel. `watch` is called for every batch of each fold. With `keep` every fold resumes from its
/// checkpoint, which the caller deletes ([`keeps`]).
///
/// # Errors
/// If the positions cannot be split, or a training fails.
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

/// As [`run`], with the baselines' measures, which are equal for every network.
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
    let eval_folds = plan.eval_folds.clamp(1, plan.folds) as usize;
    let keeps = keep.map(|keep| keeps(keep, eval_folds));
    let results: Vec<Result<(Fold, Predictions), ExperimentError>> = (0..eval_folds)
        .into_par_iter()
        .map(|fold| {
            let training = folds.without(fold);
            let keep = keeps.as_ref().and_then(|keeps| keeps.get(fold));
            let trained = train(samples, &training, plan.settings, keep, &|at| watch(fold, at))
                .map_err(|error| ExperimentError::Train { fold, error })?;
            Ok(validate(samples, plan, measures, fold, (&training, &folds.folds[fold]), trained))
        })
        .collect();
    let mut outcomes = Vec::with_capacity(eval_folds);
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
        all: all.evaluation(&samples),
    })
}

/// Of the folds: the file itself for one validation set, else one file each.
#[must_use]
pub fn keeps(keep: &Keep, eval_folds: usize) -> Vec<Keep> {
    let numbered = |fold: usize| {
        let mut path = keep.path.as_os_str().to_owned();
        path.push(format!(".{fold}"));
        Keep { path: path.into(), ..keep.clone() }
    };
    if eval_folds == 1 { vec![keep.clone()] } else { (0..eval_folds).map(numbered).collect() }
}

/// On the validation set, with baselines fitted to the training set.
fn validate(
    samples: Samples<'_>,
    plan: &Plan,
    measures: &Measures,
    fold: usize,
    (training, validation): (&[u32], &[u32]),
    trained: Trained,
) -> (Fold, Predictions) {
    let fitted: Vec<Logistic> =
        (0..BASELINES.len()).map(|baseline| Logistic::fit(baseline, measures, &samples, training)).collect();
    let predictions =
        Predictions::of(samples, plan.settings, &trained.parameters, (&fitted, measures), validation);
    let Plan { settings, split, folds, .. } = *plan;
    let split = Validation { split, fold: fold as u32, folds, seed: settings.seed }.training();
    let model = model(&samples, settings, training.len(), split, trained, &fitted);
    let found = Fold {
        fold,
        training_positions: training.len(),
        errors: model.about.errors.clone(),
        best_epoch: model.about.best_epoch,
        validation: predictions.evaluation(&samples),
        filters: model.filters(),
        model,
    };
    (found, predictions)
}

/// The gradient of the mean squared error over some rows, without regularizer. Dropout is that of the first batch.
#[must_use]
pub fn gradient(samples: Samples<'_>, settings: Settings, parameters: &[f32], rows: &[u32]) -> Vec<f32> {
    Batches::new(samples, settings).gradient(parameters, rows, &samples.results(), [0, 0]).gradient
}

fn model(
    samples: &Samples<'_>,
    settings: Settings,
    positions: usize,
    split: String,
    trained: Trained,
    baselines: &[Logistic],
) -> Model {
    Model {
        network: settings.network,
        about: About {
            network: settings.network.to_string(),
            settings,
            data: hex::encode(samples.digest),
            description: String::new(),
            split,
            positions: positions as u64,
            errors: trained.errors,
            best_epoch: trained.best_epoch,
            odds_of_a_rabbit: baselines.get(HANDCRAFTED).map_or(0.0, Logistic::slope),
            baselines: baselines.iter().map(|fitted| fitted.weights().to_vec()).collect(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        },
        parameters: trained.parameters,
    }
}
