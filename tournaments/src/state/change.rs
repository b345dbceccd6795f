//! What a ruling changed, for undoing.

use annals_events::{BoardId, PlayerId};

use super::entrant::Left;
use super::round::Board;

/// The subject of a ruling at one time. A ruling that counts only while in force (a place, a reading), or
/// only affects a game's rating, has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Snapshot {
    Nothing,
    /// None if it does not exist.
    Board(BoardId, Option<Box<Board>>),
    /// How and when a player left; outer none without an entry.
    Entrant(PlayerId, Option<Option<Left>>),
}

/// The state before and after a ruling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(super) before: Snapshot,
    pub(super) after: Snapshot,
}
