//! Folds the log into state at any point in time: a game, a tournament, the people, or everything. What was true
//! (`as_of`) and what was recorded (`known_at`) at a time both pass through one [`timeline`], so that all views of a
//! cut agree.
//!
//! [`read`] gives states, [`view`] their display, [`queries`] answers on tournaments, [`fn@diff`] the difference of two
//! states. The command [`handler`] decides whether events may be appended; [`fn@what_if`] does so without appending.
//! There is no state outside the log.

pub mod audit;
pub mod citations;
mod colours;
pub mod context;
pub mod cut;
pub mod diagnosis;
pub mod difference;
pub mod difference_words;
pub mod draft_lines;
pub mod effective_events;
pub mod error;
mod event_history;
pub mod event_reference;
mod event_round;
pub mod event_rows;
pub mod evidence;
pub mod facts;
pub mod finding;
pub mod game;
pub mod handler;
mod held_stream;
pub mod identifier;
pub mod lines;
pub mod paragraphs;
pub mod people;
pub mod point;
pub mod projection;
pub mod queries;
pub mod read;
pub mod recorded;
pub mod remarks;
pub mod resolve;
pub mod round_end;
pub mod running_clock;
mod shelf;
pub mod standing_events;
pub mod subject;
pub mod summary;
pub mod supposed_result;
mod taken_back;
pub mod timeline;
pub mod tournament;
pub mod tournament_audit;
pub mod verification;
pub mod view;
pub mod what_if;

pub use audit::{GameFinding, GamesAudit, audit_games};
pub use cut::{Cut, RoundEnd};
pub use difference::{Difference, diff, differences_document};
pub use difference_words::Labels;
pub use error::ReplayError;
pub use event_history::{HistoryEvent, When};
pub use evidence::{BundleVerdict, EvidenceError, evidence};
pub use finding::Finding;
pub use game::{GameReplay, NoSuchTurn};
pub use held_stream::HeldStream;
pub use identifier::{Disagreement, Identifier};
pub use lines::{
    ExportError, ImportLinesError, Line, LineCounts, LineError, Lines, export, import_lines, read_lines,
};
pub use people::People;
pub use projection::{Growing, Projection, Replayed, fold};
pub use read::{game_at, game_kind_of, log_at, people_at, tournament_at};
pub use recorded::{Recorded, Scope, recorded};
pub use resolve::{Asked, resolve};
pub use round_end::end_of_round;
pub use standing_events::{StandingEvents, standing_events};
pub use summary::LogSummary;
pub use supposed_result::{SupposedResult, SupposedResultError, what_if_result};
pub use tournament::TournamentReplay;
pub use tournament_audit::{
    AuditOptions, ReadingsCompared, TournamentAudit, TournamentAuditError, audit_tournament, audit_with,
    compare_readings,
};
pub use verification::Verification;
pub use view::{View, log_view, people_view, view_at};
pub use what_if::{RefusedLine, WhatIf, what_if};
