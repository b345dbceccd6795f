//! Times in events, and the note on an event whose `effective_at` is not the stated time. The note's key `_time` sorts
//! first, so that a payload's first bytes show whether there is one.

use serde::{Deserialize, Serialize};

/// Microseconds since the Unix epoch, UTC; in payloads within ±(2^53 − 1), about 285 years.
pub type Micros = i64;

pub(crate) const TIME_KEY: &str = "_time";

/// Why `effective_at` is not the stated time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeNote {
    /// The stated time precedes a cause of the event; `effective_at` was raised to it, so that no cut shows an event
    /// without its causes.
    Lifted { stated_at: Micros },
    /// No time is stated; `effective_at` is the earliest by which it had happened.
    Unknown,
}
