//! Charts. A [`Chart`] is a plain value: title, axes, series of points, marks, and the source of it all. Each question that has
//! a chart stands in a file of its own and makes one; [`draw`] alone turns it into a picture, and [`Chart::data`] into the
//! figures behind it.
//!
//! The same chart always gives the same bytes: the font comes with the program, and no time or place of the making is in it.

mod chart;
mod draw;
pub mod evaluation;
mod png;
pub mod ratings;
mod source;
pub mod standings;
mod ticks;

pub use chart::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
pub use draw::{Picture, draw};
pub use source::{of_dataset, of_log};
