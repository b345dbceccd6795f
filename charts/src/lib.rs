//! Charts. A [`Chart`] is a plain value: title, axes, series of points, marks, and the source of it all; [`Stacked`] is one with a
//! lower chart under it, and [`Panels`] are tables of numbers as fields of colour. [`draw`], [`draw_stacked`] and [`draw_panels`]
//! alone turn them into pictures, and their `data` is the figures behind; whatever can be drawn is [`Drawn`]. What a chart is about
//! is no matter of this crate: the questions that have charts make the values.
//!
//! The same chart always gives the same bytes: the font comes with the program, and no time or place of the making is in it.

mod axis;
mod board;
mod chart;
mod colours;
mod draw;
mod draw_panels;
mod error;
mod file;
mod legend;
mod marks;
mod panels;
mod pen;
mod picture;
mod plot;
pub mod recipe;
mod stacked;
pub mod table;
mod text;
mod ticks;

pub use board::{Arrow, Board, Diagram, Look, Piece, Square, animation};
pub use chart::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
pub use draw::{draw, draw_stacked};
pub use draw_panels::draw_panels;
pub use error::ChartError;
pub use file::Drawn;
pub use panels::{Colours, Panel, Panels};
pub use picture::Picture;
pub use stacked::{Lower, Stacked};
