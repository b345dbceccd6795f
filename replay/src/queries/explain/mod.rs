//! Explains a round (criteria, colours, byes), the order of two players, and the qualifier's scores. A round is
//! explained from the state when it was paired, to which the rules are applied again and compared with the publication.

pub mod qualifier;
pub mod rank;
pub mod round;

pub use qualifier::{QualifierExplained, qualifier};
pub use rank::{RankExplained, rank};
pub use round::{About, Asked, RoundExplained, part, round};

/// The heading of readings.
const READINGS: &str = "Readings of ambiguous texts";
