use annals_events::{Micros, StreamName};
use annals_store::ReadError;

use crate::point::{PointError, show};

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Point(#[from] PointError),
    #[error("the log has no stream `{stream}`")]
    NoSuchStream { stream: StreamName },
    /// The stream's family has no state.
    #[error(
        "`{stream}` cannot be replayed: expected a stream `game/…`, `tournament/…`, `people/…` or `log/annals`"
    )]
    NoSuchFamily { stream: StreamName },
    /// No event of the stream counts at the cut.
    #[error(
        "no event of `{stream}` counts at that point: its first event is event {seq}, which happened {} and was \
         recorded {}",
        show(*effective_at, &jiff::tz::TimeZone::UTC),
        show(*recorded_at, &jiff::tz::TimeZone::UTC)
    )]
    NotYet { stream: StreamName, seq: u64, effective_at: Micros, recorded_at: Micros },
    #[error("the log has {last} events, so there is no event {asked}")]
    NoSuchSeq { asked: u64, last: u64 },
    /// A round was named without a tournament.
    #[error(
        "`round:{round}` counts the rounds of one tournament: name a time, or a stream `tournament/…`, or a game that says which \
         pairing it is an attempt at"
    )]
    RoundOfWhat { round: u32 },
    #[error("`{stream}` has no round {round}: {why}")]
    NoSuchRound { stream: StreamName, round: u32, why: String },
}
