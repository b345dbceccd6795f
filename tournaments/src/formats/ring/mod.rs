//! All games at once (2006 Postal, Tournament Rules): all-play-all up to eleven players, else neighbours on a
//! ring of ratings. [`draw`] makes the games with colours and rules, [`share_pool`] divides the fees.

mod draw;
mod order;
mod points;
pub(crate) mod propose;
mod reading;

pub use draw::{ColourGround, RingDraw, RingFormat, RingGame, draw};
pub use order::{RingError, ring_order};
pub use points::{PoolError, Scorer, share_pool};
pub use reading::{NameOrder, OppositeSide, RingReadings};
