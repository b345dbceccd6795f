//! Evaluates networks and baselines on the same positions.

use std::borrow::Cow;

use annals_features::Dataset;
use serde::{Deserialize, Serialize};

use crate::baseline::{BASELINES, Logistic, Measures};
use crate::batch::Batches;
use crate::difference::Difference;
use crate::experiment::ExperimentError;
use crate::model::Model;
use crate::samples::{Samples, SamplesError, games};
use crate::score::{Score, score};
use crate::settings::Settings;
use crate::split::{Folds, Split, SplitError, Validation};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// See [`BASELINES`].
    pub name: String,
    pub score: Score,
}

/// Of a network and the baselines.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    pub network: Score,
    /// In the order of [`BASELINES`]; empty for models of earlier versions.
    pub baselines: Vec<Baseline>,
}

/// Evaluates a trained network with the baselines fitted to its training set.
///
/// # Errors
/// If the samples are invalid, or no row is given.
pub fn evaluate(samples: Samples<'_>, rows: &[u32], model: &Model) -> Result<Evaluation, SamplesError> {
    Ok(predictions(samples, rows, model)?.evaluation(&samples))
}

fn predictions(samples: Samples<'_>, rows: &[u32], model: &Model) -> Result<Predictions, SamplesError> {
    let samples = samples.checked()?;
    if rows.is_empty() {
        return Err(SamplesError::Empty);
    }
    let fitted: Vec<Logistic> = (0..BASELINES.len())
        .zip(&model.about.baselines)
        .filter_map(|(baseline, weights)| Logistic::of(baseline, weights))
        .collect();
    let measures = Measures::of(&samples);
    let settings = Settings { network: model.network, ..model.about.settings };
    Ok(Predictions::of(samples, settings, &model.parameters, (&fitted, &measures), rows))
}

/// A trained network evaluated on positions, with the origin of both.
#[derive(Debug, Serialize)]
pub struct ModelReport {
    pub(crate) network: String,
    pub(crate) parameters: usize,
    /// The split of the training, as text.
    pub(crate) split: String,
    pub(crate) training_positions: u64,
    /// The fold that is evaluated; none if all positions are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validation: Option<Validation>,
    description: String,
    data: String,
    pub(crate) positions: usize,
    pub(crate) games: usize,
    pub(crate) all: Evaluation,
    /// In the order of the baselines.
    pub differences: Vec<Difference>,
    /// Why the figures need care.
    #[serde(skip)]
    pub notes: Vec<String>,
}

impl ModelReport {
    /// Evaluates a trained network on some rows of a dataset, or on one fold of them.
    ///
    /// # Errors
    /// As [`evaluate`], and if the rows cannot be split.
    pub fn of(
        model: &Model,
        dataset: &Dataset,
        rows: &[u32],
        validation: Option<Validation>,
    ) -> Result<ModelReport, ExperimentError> {
        let samples = Samples::from(dataset).checked()?;
        let about = &model.about;
        let (rows, is_left_out) = match validation {
            Some(it) => {
                let mut folds = Folds::new(&samples, rows, it.split, it.folds, it.seed)?.folds;
                let no_fold = SplitError::NoFold { fold: it.fold, folds: it.folds };
                let fold = folds.get_mut(it.fold as usize).ok_or(no_fold)?;
                let fold = std::mem::take(fold);
                let is_left_out = about.split == it.training()
                    && about.positions == (rows.len() - fold.len()) as u64
                    && (it.split == Split::Game || about.settings.seed == it.seed);
                (Cow::Owned(fold), is_left_out)
            }
            None => (Cow::Borrowed(rows), false),
        };
        let predictions = predictions(samples, &rows, model)?;
        let all = predictions.evaluation(&samples);
        let data = hex::encode(samples.digest);
        let mut notes = Vec::new();
        if about.data == data && !is_left_out {
            notes.push(format!(
                "the network was trained on positions of this data ({}), so the figures are biased upward",
                about.split
            ));
        }
        if about.data != data {
            notes.push(format!(
                "this is not the data of the training ({}); games that are in both bias the figures upward",
                about.split
            ));
        }
        if all.baselines.is_empty() {
            notes.push(
                "the model has no baselines, because an earlier version wrote it; train it again to compare"
                    .to_owned(),
            );
        }
        Ok(ModelReport {
            network: about.network.clone(),
            parameters: model.network.parameters(),
            split: about.split.clone(),
            training_positions: about.positions,
            validation,
            description: dataset.description.clone(),
            data,
            positions: rows.len(),
            games: games(&samples, &rows),
            differences: predictions.differences(&samples),
            all,
            notes,
        })
    }
}

/// The predictions of a network with some parameters for some rows.
#[must_use]
pub fn predict(samples: Samples<'_>, settings: Settings, parameters: &[f32], rows: &[u32]) -> Vec<f32> {
    Batches::new(samples, settings).predict(parameters, rows)
}

#[derive(Default)]
pub(crate) struct Predictions {
    rows: Vec<u32>,
    network: Vec<f32>,
    baselines: Vec<Vec<f32>>,
}

impl Predictions {
    pub(crate) fn of(
        samples: Samples<'_>,
        settings: Settings,
        parameters: &[f32],
        (fitted, measures): (&[Logistic], &Measures),
        rows: &[u32],
    ) -> Predictions {
        Predictions {
            rows: rows.to_vec(),
            network: predict(samples, settings, parameters, rows),
            baselines: fitted.iter().map(|fitted| fitted.predict(measures, rows)).collect(),
        }
    }

    pub(crate) fn extend(&mut self, other: Predictions) {
        self.rows.extend(other.rows);
        self.network.extend(other.network);
        self.baselines.resize(other.baselines.len(), Vec::new());
        self.baselines.iter_mut().zip(other.baselines).for_each(|(all, part)| all.extend(part));
    }

    fn differences(&self, samples: &Samples<'_>) -> Vec<Difference> {
        let each = BASELINES.iter().zip(&self.baselines);
        each.filter_map(|((name, _), other)| Difference::of(name, samples, &self.rows, &self.network, other))
            .collect()
    }

    pub(crate) fn evaluation(&self, samples: &Samples<'_>) -> Evaluation {
        let labels: Vec<u8> = self.rows.iter().map(|row| samples.label_of(*row)).collect();
        let heights: Vec<u16> = self.rows.iter().map(|row| samples.heights[*row as usize]).collect();
        let of = |predictions: &[f32]| score(predictions, &labels, &heights);
        Evaluation {
            network: of(&self.network),
            baselines: BASELINES
                .iter()
                .zip(&self.baselines)
                .map(|((name, _), predictions)| Baseline { name: (*name).to_owned(), score: of(predictions) })
                .collect(),
        }
    }
}
