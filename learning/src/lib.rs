//! Networks that learn to evaluate positions. The only crate that knows the network library.
//!
//! A [`Network`] is a shape: one convolution, one hidden layer, one output. [`train`] finds its parameters on [`Samples`] by
//! [`Settings`]; [`experiment`] does so fold by fold and judges what comes out beside [baselines](baseline), [`grid`] for every
//! combination of some settings. A [`Model`] is a trained network in a file; [`NetEvaluator`] lets the engine search by it.
//!
//! The library multiplies matrices and takes derivatives (`tensors`, the only file that calls it for that). What has to be the same on
//! every machine, or the same with any number of threads, is plain arithmetic beside it: the learning rules, the order of sums, and what
//! a trained network says to the search.

pub mod baseline;
mod batch;
mod checkpoint;
mod curve;
mod evaluator;
pub mod experiment;
mod file;
pub mod grid;
mod grid_keep;
mod model;
mod network;
mod place;
mod plain;
mod rule;
mod samples;
mod score;
mod settings;
mod split;
mod tensors;
mod train;

pub use checkpoint::{CheckpointError, Keep};
pub use evaluator::{NetEvaluator, PREFIX};
pub use file::{FileError, hex};
pub use model::{About, Model, ModelError};
pub use network::{Activation, Image, Layout, NAMED, Network, NetworkTextError};
pub use place::{Place, UnknownPlace};
pub use plain::Plain;
pub use rule::first_weights;
pub use samples::{PLANES, Samples, SamplesError};
pub use score::{AtHeight, Bin, Figures, Score, is_right, score};
pub use settings::{Regulariser, Rule, Settings, SettingsError, TOLERANCE, UnknownWord};
pub use split::{Folds, MOST_FOLDS, Split, SplitError};
pub use tensors::TensorError;
pub use train::{Progress, TrainError, Trained, Watch, train};
