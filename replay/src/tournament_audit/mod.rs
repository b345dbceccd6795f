//! Checks a tournament against its rulebook event by event, each on the tournament before it, with games, bans, other
//! tournaments and corrections as recorded then: the state that the command handler and `explain` use. A corrected
//! event is checked as it is now, and marked. A correction of something fixed is a violation of its own; one that
//! changes a later verdict is listed with that event.

mod compare;
mod error;
mod frozen;
mod imitation;
mod not_as_ruled;
mod pass;
mod record;
mod report;
mod result;
mod rows;
mod text;

pub(crate) use frozen::violation as changing_what_is_frozen;
pub(crate) use pass::{Corrected, corrected, judged};
pub(crate) use record::{Record, TournamentState, read_as};
pub(crate) use text::without_place;

pub use compare::{ChangedHolds, ChangedPlace, ChangedRank, ReadingsCompared, compare_readings};
pub use error::TournamentAuditError;
pub use imitation::{GameOfPairing, Imitation};
pub use pass::{AuditOptions, LATE, OverturnedBy, audit_tournament, audit_with, overturned_by};
pub use report::{AuditOutcome, AuditReport};
pub use result::{AuditCounts, AuditedEvent, LateEntry, Overturned, TournamentAudit};
