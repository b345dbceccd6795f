//! A tournament in which all games are played at once (2006 Postal, Tournament Rules): everyone against everyone up to
//! eleven players, and above that everyone against their neighbours on a ring of ratings; what the points are worth; and
//! what shows that moves were carried over from one game to another.
//!
//! [`draw`] makes the games with their colours and the rule behind each; [`share_pool`] divides the fees;
//! [`repeated_sequences`] reports what games of one player have in common: evidence for the director, not a verdict.
//! Players are of whatever type the caller names them by.

mod draw;
mod order;
mod points;
pub(crate) mod propose;
mod reading;
mod repeats;

pub use draw::{ColourGround, RingDraw, RingFormat, RingGame, RingWhyNot, draw};
pub use order::{RingError, ring_order};
pub use points::{PoolError, Scorer, Share, SharedPool, share_pool};
pub use reading::{NameOrder, OppositeSide, RingReadings};
pub use repeats::{Compared, FirstPlayed, RecordedGame, RecordedTurn, Repeated, repeated_sequences};
