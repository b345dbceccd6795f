//! Charts. A [`Chart`] is a value: title, axes, series of points, marks, source; [`Stacked`] adds a lower chart,
//! [`Panels`] are tables as coloured fields, [`Diagram`] shows boards. Every drawable value is [`Drawn`], with its
//! figures as data. Callers decide what a chart shows. Equal charts give equal bytes: fonts are built in, and no time
//! or place is written.

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
pub mod metadata;
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
