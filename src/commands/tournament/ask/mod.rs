//! What everybody can ask: how it stood, and why. Each command is one question; all take the same points in time, and
//! give their answers in the same forms.

pub mod answer;
pub mod champions;
pub mod crosstable;
pub mod explain;
pub mod history;
pub mod list;
pub mod notices;
pub mod player;
pub mod report;
pub mod rounds;
pub mod rulings;
pub mod show;
pub mod standings;

#[cfg(all(feature = "sql", feature = "charts"))]
pub use answer::tournament_stream;
