//! A tournament in which all games are played at once (2006 Postal, Tournament Rules): everyone against everyone up to
//! eleven players, and above that everyone against their neighbours on a ring of ratings; and what the points are worth.
//!
//! [`draw`] makes the games with their colours and the rule behind each; [`share_pool`] divides the fees.

mod draw;
mod order;
mod points;
pub(crate) mod propose;
mod reading;

pub use draw::{ColourGround, RingDraw, RingFormat, RingGame, draw};
pub use order::{RingError, ring_order};
pub use points::{PoolError, Scorer, share_pool};
pub use reading::{NameOrder, OppositeSide, RingReadings};
