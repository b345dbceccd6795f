//! What a fold has to say about an event: it does not follow from the rules or from what came before, or it cannot be
//! read. A finding never ends a fold; an imported history is what it is.

use serde::Serialize;

/// Something about an event that does not follow, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The event.
    pub seq: u64,
    /// A short stable word, in `snake_case`.
    pub code: &'static str,
    /// What is the matter, in words.
    pub message: String,
}

impl Finding {
    /// A finding about an event.
    #[must_use]
    pub fn new(seq: u64, code: &'static str, message: impl Into<String>) -> Finding {
        Finding { seq, code, message: message.into() }
    }
}

impl From<annals_tournaments::Finding> for Finding {
    fn from(found: annals_tournaments::Finding) -> Finding {
        Finding { seq: found.seq, code: found.code, message: found.message }
    }
}
