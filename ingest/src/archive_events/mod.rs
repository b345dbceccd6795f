//! Tournaments from an archive: the rows of one event with inferred rounds, and the rows between entrants and benchmark
//! players as qualifying games. Only heads are read; [`crate::archive_games`] reads the moves.

mod heads;
mod listed;
mod qualifying;
mod tournament;

pub use heads::{Head, HeadCounts, Seat, Unread, heads};
pub use listed::{EventRow, GameRow, NoSuchEvent, RoundRow, events_of, select};
pub use qualifying::{Benched, Entered, QualifyingRows, QualifyingTally, Selected, Window, qualifying};
pub use tournament::{EventGames, FromArchive, tournament};
