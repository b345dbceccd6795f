//! Games that are not rated.

use serde::Serialize;

/// Excluded games by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Unrated, or not recorded as rated.
    pub unrated: u64,
    /// Unknown result.
    pub undecided: u64,
    /// Both sides one person.
    pub against_oneself: u64,
}

impl LeftOut {
    pub(crate) fn in_words(self) -> String {
        let LeftOut { unrated, undecided, against_oneself } = self;
        if unrated + undecided + against_oneself == 0 {
            return String::new();
        }
        format!(
            ": {unrated} unrated, {undecided} without a result and {against_oneself} of a player against the same \
             player are left out"
        )
    }
}
