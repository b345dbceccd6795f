//! Readings of the postal tournament's text.

use serde::{Deserialize, Serialize};

use crate::reading::readings;

readings! {
    /// How players of one rating are "ordered alphabetically by username" (2006 Postal, Tournament Rules 4).
    pub enum NameOrder, "T16", "the alphabetical order of names" {
        /// Case is ignored; then by bytes.
        IgnoringCase = "A" "ignoring_case",
        /// By bytes: capitals first.
        ByBytes = "B" "by_bytes",
    }

    /// Who is "an opponent on the opposite side of the ring" (2006 Postal, Tournament Rules 4).
    pub enum OppositeSide, "T17", "who is on the opposite side of the ring" {
        /// The player at the same distance both ways, so that colours are five and five.
        ExactlyOpposite = "A" "exactly_opposite",
        /// All players in the other half of the positions.
        OtherHalf = "B" "other_half",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RingReadings {
    pub name_order: NameOrder,
    pub opposite_side: OppositeSide,
}
