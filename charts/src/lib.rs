//! Charts. A [`Chart`] is a plain value: title, axes, series of points, marks, and the source of it all. [`draw`] alone turns
//! it into a picture, and [`Chart::data`] into the figures behind it. What a chart is about is no matter of this crate: the
//! questions that have charts make the values.
//!
//! The same chart always gives the same bytes: the font comes with the program, and no time or place of the making is in it.

mod chart;
mod draw;
mod error;
mod png;
mod ticks;

pub use chart::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
pub use draw::{Picture, draw};
pub use error::ChartError;
