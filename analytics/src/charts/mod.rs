//! The questions about the dataset and the log that have charts: each in a file of its own, each making a
//! [`Chart`], which the crate of the charts draws.

pub mod blunders;
pub mod calibration;
pub mod clock;
pub mod crosstable;
pub mod diagrams;
pub mod evaluation;
pub mod played_game;
pub mod ratings;
mod source;
pub mod standings;

pub use annals_charts::{
    Axis, Chart, Colours, Edge, Lower, Mark, Panel, Panels, Point, Scale, Series, Shape, Stacked,
};
pub use source::{of_dataset, of_file, of_log, of_verified_log};
