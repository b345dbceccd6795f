//! Studies: queries as files, each SQL with a front matter of TOML that has its question, its parameters, and how its result
//! is drawn. Some are built in; any file of that form is one. docs/reference/studies.md describes how to write one.

mod error;
mod figures;
mod front_matter;
mod listing;
mod page;
mod parameter;
mod placeholders;
mod registry;
mod study;
#[cfg(feature = "charts")]
mod to_table;

pub use error::StudyError;
pub use figures::Figures;
pub use front_matter::{Broken, FrontMatter, Recipe, front_matter};
pub use listing::{ListedStudy, listed_document};
pub use page::{Asked, Became, page};
pub use parameter::{Parameter, ParameterKind, Value};
pub use registry::{ASKED_FIRST, find, registry};
pub use study::{Given, Study};
