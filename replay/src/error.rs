//! Why the state at a point in time cannot be had.

use annals_events::{Micros, StreamName};
use annals_store::ReadError;

use crate::point::{PointError, show};

/// Why the state at a point in time cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The log cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A point in time that cannot be read.
    #[error(transparent)]
    Point(#[from] PointError),
    /// No event in that stream, ever.
    #[error("the log has no stream `{stream}`; `annals log show --streams` lists those that it has")]
    NoSuchStream {
        /// The name.
        stream: StreamName,
    },
    /// A stream of a family that has no state.
    #[error(
        "`{stream}` is no stream that can be replayed: name one of game/…, tournament/…, people/… or log/annals"
    )]
    NoSuchFamily {
        /// The name.
        stream: StreamName,
    },
    /// The stream exists, but no event of it stands at the cut.
    #[error(
        "nothing of `{stream}` stands at that point: its first event is event {seq}, which happened {} and was \
         recorded {}",
        show(*effective_at, &jiff::tz::TimeZone::UTC),
        show(*recorded_at, &jiff::tz::TimeZone::UTC)
    )]
    NotYet {
        /// The stream.
        stream: StreamName,
        /// Its first event.
        seq: u64,
        /// When that happened.
        effective_at: Micros,
        /// When the log took it.
        recorded_at: Micros,
    },
    /// A position beyond the end of the log.
    #[error("the log has {last} events, so there is no event {asked}")]
    NoSuchSeq {
        /// What was asked for.
        asked: u64,
        /// The last event.
        last: u64,
    },
    /// A round was named where no tournament is in sight.
    #[error(
        "`round:{round}` needs a tournament to count in: name a stream `tournament/…`, or a game that says which \
         pairing it is an attempt at"
    )]
    RoundOfWhat {
        /// The round.
        round: u32,
    },
    /// The tournament has no such round.
    #[error("`{stream}` has no round {round}: {why}")]
    NoSuchRound {
        /// The tournament.
        stream: StreamName,
        /// The round.
        round: u32,
        /// Which rounds it has.
        why: String,
    },
    /// Bounds contradict each other.
    #[error("--known-at {known_at} and --seq {seq} both bound the log by position; give one of them")]
    TwoSeqs {
        /// What `--known-at` names.
        known_at: u64,
        /// What `--seq` names.
        seq: u64,
    },
}
