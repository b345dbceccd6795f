//! Documents: a document is a title, facts, tables, figures and prose. One document is written as text for a terminal or a
//! pipe, TSV, HTML or Markdown, one table as CSV. Text from a record is escaped here, and only here. Numbers and times are
//! written here as they are read on a terminal.

mod cell;
mod delimited;
mod document;
mod escape;
mod html;
mod layout;
mod markdown;
mod numbers;
mod table;
mod text;

pub use cell::{Cell, money, points, time};
pub use delimited::{Delimited, Dialect};
pub use document::{Document, Part, ToDocument};
pub use escape::{escaped, harmless, misleads, one_line};
pub use layout::Look;
pub use numbers::{counted, duration, first_lines, grouped};
pub use table::{Columns, Table};
pub use text::Screen;
