//! Why: a round with its criteria, colours and byes, the order of two players, the score of the qualifier. A round is
//! explained from the state when it was paired: the record before the event that paired it, from which the rules are
//! applied again and compared with what was published.

pub mod qualifier;
pub mod rank;
pub mod round;
pub mod subject;

pub use qualifier::{QualifierExplained, qualifier};
pub use rank::{RankExplained, rank};
pub use round::{About, Asked, RoundExplained, part, round};
pub use subject::{Explanation, NoSuchSubject, Subject, WhyNot};

/// The heading of the readings on which an explanation rests.
const READINGS: &str = "Readings of ambiguous texts";
