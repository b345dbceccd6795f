//! Charts. A [`Chart`] is a plain value: title, axes, series of points, marks, and the source of it all; [`Panels`] are tables of
//! numbers as fields of colour. [`draw`] and [`draw_panels`] alone turn them into pictures, and their `data` is the figures behind. What a chart is about is no matter of this crate: the
//! questions that have charts make the values.
//!
//! The same chart always gives the same bytes: the font comes with the program, and no time or place of the making is in it.

mod axis;
mod chart;
mod draw;
mod draw_panels;
mod error;
mod file;
mod panels;
mod picture;
mod png;
pub mod recipe;
pub mod table;
mod ticks;
mod words;

pub use chart::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
pub use draw::draw;
pub use draw_panels::draw_panels;
pub use error::ChartError;
pub use panels::{Colours, Panel, Panels};
pub use picture::Picture;
