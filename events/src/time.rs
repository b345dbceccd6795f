//! Times in events, and the note on an event whose `effective_at` is not the stated time. The note's key `_time` sorts
//! first, so that a payload's first bytes show whether there is one.

use serde::{Deserialize, Serialize};

use crate::stated_period::StatedPeriod;

/// Microseconds since the Unix epoch, UTC; in payloads within ±(2^53 − 1), about 285 years.
pub type Micros = i64;

/// The key of a note in a payload.
pub const TIME_KEY: &str = "_time";

/// Why `effective_at` is not the stated time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeNote {
    /// The stated time precedes a cause of the event; `effective_at` was raised to it, so that no cut shows an event
    /// without its causes.
    Lifted { stated_at: Micros },
    /// A month, a season or a year is stated; `effective_at` is its beginning, or that of a cause within it.
    Stated(StatedPeriod),
    /// No time is stated; `effective_at` is the nearest known one that keeps the order: in an archive the earliest by which
    /// it had happened, in a director's file the beginning of the tournament.
    Unknown,
}
