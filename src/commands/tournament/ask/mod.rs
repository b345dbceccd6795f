//! What everybody can ask: how it stood, and why. Each command is one question; all take the same points in time, and
//! give their answers in the same forms.

mod answer;
pub mod explain;
pub mod questions;
pub mod report;

#[cfg(all(feature = "sql", feature = "charts"))]
pub use answer::tournament_stream;
pub use answer::{About, AboutAll};
