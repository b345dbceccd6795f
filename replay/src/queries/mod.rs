//! Questions about tournaments: the standings, what was played in it, why a round is as it is, how a player fared in all
//! of them. Each question has a file of its own; its answer is a value with names that stay, which is shown as text,
//! JSON or CSV. An answer holds for one [`Cut`](crate::Cut) of the log.
//!
//! In JSON, times are microseconds since 1970-01-01T00:00:00Z, points are counted in halves, money in cents, and ratings
//! that the rules compute in millionths of an Elo point. A rulebook that is not known, or a record that it cannot be
//! applied to, leaves the plain score in the place of its order, and the answer says so.

pub mod champions;
pub mod crosstable;
pub mod error;
pub mod explain;
pub mod heading;
pub mod history;
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
pub mod standings;
pub mod tournament_at;

pub use error::QueryError;
pub use heading::Heading;
pub use person::Person;
pub use phase::Phase;
pub use tournament_at::TournamentAt;
