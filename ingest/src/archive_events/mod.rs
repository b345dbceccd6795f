//! Tournaments out of the archive: the rows of one event as a tournament whose rounds are inferred, and the rows between
//! entrants and benchmark players as qualifying games. Rows are read for their heads alone; what was played is for
//! [`crate::archive_games`].

mod heads;
mod listed;
mod qualifying;
mod summary;
mod tournament;

pub use heads::{Head, HeadCounts, Seat, Unread, heads};
pub use listed::{EventRow, GameRow, NoSuchEvent, RoundRow, events_of, select};
pub use qualifying::{QualifyingRows, QualifyingTally, Selected, qualifying};
pub use summary::{EventSummary, QualifyingSummary};
pub use tournament::{EventGames, FromArchive, tournament};
