//! Documents of title, facts, tables, figures and prose, written as text for a terminal or pipe, TSV, HTML or Markdown;
//! one table as CSV. Text from records is escaped here only.

mod cell;
mod citation;
mod delimited;
mod document;
mod escape;
mod html;
mod layout;
mod markdown;
mod numbers;
pub mod provenance;
mod shell;
mod suggest;
mod table;
mod text;

pub use cell::{Cell, money, points, time};
pub use citation::{Citation, Cited, CitedDate, Style};
pub use delimited::{Delimited, Dialect};
pub use document::{Document, Part, ToDocument};
pub use escape::{escaped, harmless, misleads, one_line};
pub use html::Link;
pub use layout::Look;
pub use numbers::{counted, duration, first_lines, grouped};
pub use provenance::Provenance;
pub use shell::shell_word;
pub use suggest::{nearest, similar};
pub use table::{Columns, Table};
pub use text::{Screen, wrapped};
