//! Queries on tournaments, one per file: standings, rounds, explanations, records over all tournaments. An answer is a
//! value with stable names, shown as text, JSON or CSV, for one [`Cut`](crate::Cut) of the log.
//!
//! In JSON, times are microseconds since 1970-01-01T00:00:00Z, points are halves, money is in cents, and computed
//! ratings are millionths of an Elo point. If the rulebook is unknown or cannot be applied, the plain score replaces
//! its order, and the answer states it.

pub mod champions;
pub mod corrections;
pub mod crosstable;
pub mod error;
pub mod explain;
pub mod heading;
pub mod history;
pub mod ledger;
pub mod list;
pub mod notices;
pub mod overview;
pub mod person;
pub mod phase;
pub mod player;
pub mod record;
pub mod report;
pub mod rounds;
pub mod rulings;
pub mod set_aside;
pub mod standings;
pub mod tournament_at;
pub mod trf;

pub use error::QueryError;
pub use heading::Heading;
pub use person::Person;
pub use phase::Phase;
pub use tournament_at::TournamentAt;
pub(crate) use tournament_at::{freezes, rename, rulebook_of};
