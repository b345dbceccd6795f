//! Time in events: microseconds since 1970-01-01T00:00:00Z, and the note that an event carries when the time under
//! which the log files it is not the one its source states.
//!
//! The note stands in the payload under the key `_time`, which sorts before every other key: a reader sees
//! from the first bytes of a payload whether there is one.

use serde::{Deserialize, Serialize};

/// A point in time: microseconds since the Unix epoch, UTC. In payloads within ±(2^53 − 1), about 285 years.
pub type Micros = i64;

/// The key of the note in a payload.
pub(crate) const TIME_KEY: &str = "_time";

/// Why `effective_at` is not the time that the source states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeNote {
    /// The source states a time earlier than something that the event rests on; `effective_at` was lifted to
    /// that floor, so that no cut through time shows an event without its causes.
    Lifted {
        /// The time that the source states.
        stated_at: Micros,
    },
    /// The source states no time; `effective_at` is the earliest by which it surely happened.
    Unknown,
}
