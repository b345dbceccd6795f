//! What the text of the postal tournament leaves open, and how it is read.

use serde::{Deserialize, Serialize};

use crate::reading::readings;

readings! {
    /// How players of one rating are "ordered alphabetically by username" (2006 Postal, Tournament Rules 4).
    pub enum NameOrder, "T16", "the alphabetical order of names" {
        /// Capitals as small letters; names that then are the same by their bytes.
        IgnoringCase = "A" "ignoring_case",
        /// By their bytes, so that capitals come first.
        ByBytes = "B" "by_bytes",
    }
}

readings! {
    /// Who is "an opponent on the opposite side of the ring" (2006 Postal, Tournament Rules 4).
    pub enum OppositeSide, "T17", "who is on the opposite side of the ring" {
        /// The one exactly opposite, as far away to the right as to the left. Then colours stay five and five.
        ExactlyOpposite = "A" "exactly_opposite",
        /// Everyone in the other half: positions up to the middle on one side, the others on the other.
        OtherHalf = "B" "other_half",
    }
}

/// How the ambiguous texts of the postal tournament are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RingReadings {
    /// T16.
    pub name_order: NameOrder,
    /// T17.
    pub opposite_side: OppositeSide,
}
