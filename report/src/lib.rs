//! Documents: a page is a title, facts, tables and lists. One page is written as plain text, HTML or Markdown, one
//! table as CSV. Text from a record is escaped here, and only here.

mod cell;
mod csv;
mod html;
mod markdown;
mod page;
mod table;

pub use cell::{Cell, money, points, time};
pub use csv::csv;
pub use html::html;
pub use markdown::markdown;
pub use page::{Block, Page, list};
pub use table::{Columns, Table};
