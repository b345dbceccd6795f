//! A tournament of encounters of two games, one with each colour (Olympiad 2000, Tournament Rules): all-play-all for six
//! entrants or fewer, five rounds of Swiss for more; points, sums of opponents' points and territory; shared
//! places.
//!
//! The text says "5-round Swiss" and no more. What the platform takes it to mean is written out with [`pair_round`]. White
//! takes Gold's place in the shared words, Black Silver's. The territory of a final position comes in as data.

mod all_play_all;
mod check;
pub(crate) mod propose;
mod reading;
mod score;
mod swiss;
mod why;

pub use all_play_all::{EncounterSystem, SWISS_ROUNDS, all_play_all, format_for};
pub use reading::{ByePoints, EncounterPairing, OlympiadReadings, OpponentByes, UnfinishedTerritory};
pub use score::{OlympiadError, OlympiadPlace, Score, ranking, scores};
pub use swiss::{ByeReason, OlympiadPairing, Reasons, Seat, pair_round};
pub(super) use why::reasons_all;
