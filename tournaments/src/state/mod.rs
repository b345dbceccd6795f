pub(crate) mod calendar;
mod change;
pub(crate) mod decision;
mod entrant;
mod evolve;
mod noted;
pub(crate) mod round;
mod rulings;
mod tournament;

pub use decision::{ColourDecision, Decision, ResultSource};
pub use entrant::{Entrant, EntrantStatus, Leaving, Left, ProgramRecord};
pub use noted::Noted;
pub(crate) use round::pairs_who_left;
pub use round::{AttemptStatus, Board, ResumePoint, Round, SetAside};
pub(crate) use tournament::Filed;
pub use tournament::{Finding, LedgerEntry, Money, RuledGame, RulingInForce, Tournament};
