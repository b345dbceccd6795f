//! What a fold has to say about an event: it does not follow from the rules or from what came before, or it cannot be
//! read. A finding never ends a fold; an imported history is what it is.

use std::fmt;

use annals_events::Event;
use annals_events::bounds::beyond;
use serde::Serialize;

/// The code of a finding about a number that is beyond its bound.
pub const OUT_OF_BOUNDS: &str = "number_out_of_bounds";

/// Something about an event that does not follow, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub seq: u64,
    /// A short stable word, in `snake_case`.
    pub code: &'static str,
    /// What is the matter, in words.
    pub message: String,
}

impl Finding {
    /// A finding about an event.
    pub fn new(seq: u64, code: &'static str, message: impl Into<String>) -> Finding {
        Finding { seq, code, message: message.into() }
    }

    /// That a number of an event is beyond its bound; none where all are within.
    pub fn out_of_bounds(seq: u64, event: &Event<'_>) -> Option<Finding> {
        beyond(event).map(|beyond| Finding::new(seq, OUT_OF_BOUNDS, beyond.to_string()))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {} ({})", self.seq, self.message, self.code)
    }
}

impl From<annals_tournaments::Finding> for Finding {
    fn from(found: annals_tournaments::Finding) -> Finding {
        Finding { seq: found.seq, code: found.code, message: found.message }
    }
}
