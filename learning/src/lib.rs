//! Networks that learn to evaluate positions.
//!
//! A [`Network`] is a shape: one convolution, one hidden layer, one output. [`train`] finds its parameters on
//! [`Samples`] by [`Settings`]; [`experiment`] does so per fold and evaluates with [baselines](baseline), [`grid`] for
//! combinations of settings. A [`Model`] is a trained network in a file; [`NetEvaluator`] is its evaluator for the engine.
//!
//! `layers/` computes predictions and derivatives. Products of matrices (`layers/dense.rs`) differ in their last bits by
//! processor; everything else (optimizers, sums over shards, evaluation of one position) is plain arithmetic in a fixed
//! order.

pub mod baseline;
mod batch;
mod checkpoint;
mod difference;
mod document;
pub mod evaluation;
mod evaluator;
pub mod experiment;
mod file;
mod fold_progress;
pub mod grid;
mod grid_keep;
mod layers;
mod layout;
mod model;
mod network;
mod network_text;
mod optimizer;
mod pass;
mod plain;
mod samples;
mod score;
mod settings;
mod split;
mod targets;
mod train;

pub use checkpoint::{CheckpointError, Keep};
pub use difference::Difference;
pub use document::grid_document;
pub use evaluator::{NetEvaluator, PREFIX};
pub use file::FileError;
pub use fold_progress::FoldProgress;
pub use layout::{Layout, Part};
pub use model::{About, Model, ModelError};
pub use network::{Activation, Image, Network, Norm, Pool, PoolKind, Skip};
pub use network_text::{NAMED, NetworkTextError};
pub use optimizer::first_weights;
pub use plain::Plain;
pub use samples::{PLANES, Samples, SamplesError};
pub use score::{AtHeight, Bin, Figures, Score, is_right, score};
pub use settings::{Loss, Optimizer, Regularizer, Settings, SettingsError, TOLERANCE};
pub use split::{FOLDS, Folds, MOST_FOLDS, Split, SplitError, Validation};
pub use train::{Progress, TrainError, Trained, Watch, train};

/// In hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    ::hex::encode(bytes)
}
