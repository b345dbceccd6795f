//! The questions about the dataset and the log that have charts: each in a file of its own, each making a
//! [`Chart`], which the crate of the charts draws.

pub mod evaluation;
pub mod ratings;
mod source;
pub mod standings;

pub use annals_charts::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
pub use source::{of_dataset, of_log};
