//! Encounters of two games, one per colour (Olympiad 2000, Tournament Rules): all-play-all up to six
//! entrants, else a Swiss of five rounds; points, sums of opponents' points, territory; shared places.
//!
//! The text states only "5-round Swiss"; [`pair_round`] documents how Annals reads it. White is Gold and Black
//! Silver in the shared vocabulary. Territory is input.

mod all_play_all;
mod check;
mod played;
pub(crate) mod propose;
mod reading;
mod score;
mod swiss;
mod why;

pub use all_play_all::{EncounterSystem, SWISS_ROUNDS, all_play_all, format_for};
pub use reading::{
    ByePoints, EncounterPairing, OlympiadReadings, OpponentByes, RepeatedOpponents, UnfinishedTerritory,
};
pub use score::{OlympiadError, OlympiadPlace, Score, ranking, scores};
pub use swiss::{ByeReason, OlympiadPairing, Reasons, Seat, pair_round};
pub(super) use why::reasons_all;
