//! The command handler, through which every event enters the log. It reads the streams on which a decision depends, checks
//! each event once on the state before it, folds it into that state, and appends. The log rejects the append if a stream on
//! which the decision depends has
//! changed meanwhile.
//!
//! [`append`] is for what happens now: an event that violates a rule is refused, naming the rule. [`direct_steps`] is for what a director
//! requests: the rulebook makes the events. [`Importer`] is for what happened elsewhere: nothing is refused as illegal, and
//! a finding of the fold is a flag.

mod append;
mod begin;
mod by_rules;
mod correct;
mod correction;
mod decide;
mod dependencies;
mod direct;
mod directed;
mod draft;
mod earliest_times;
mod encounter;
mod file_import;
mod handler_state;
mod import;
mod import_text;
mod known;
mod named_by;
mod operate;
mod operated_game;
mod play;
mod qualifying_import;
mod record_game;
mod refusal;
mod rename;
mod requests;
mod session;
mod watched_game;

pub use append::{Directed, HandlerError, append, append_or_repeat, append_with_verdicts, would_append};
pub use begin::{BeginError, Begun, begin_game};
pub use correction::{Amendment, CorrectionError, Corrector, correct, stranger};
pub(crate) use direct::consider_steps;
pub use direct::{DirectError, Director, Step, direct_steps, direct_steps_named, try_steps};
pub use draft::Draft;
pub use earliest_times::{Cause, EarliestTimes};
pub use encounter::{EncounterGame, EncounterResult};
pub use file_import::{
    FileGame, FileImport, Noticed, Remark, RowRefusal, TournamentImport, UndatedGame, drafts_of,
    first_event_at, import_tournament,
};
pub use handler_state::{Accepted, Effort, Handler};
pub use import::{ImportCounts, ImportError, ImportFlag, Importer, SourceNote, StreamImport};
pub use named_by::NamedBy;
pub use operate::{Board, OperateError, OperatorLine, OperatorLineError, Used};
pub use operated_game::{EnterError, Entered, NewGame, OperatedGame};
pub use play::{PlayError, Played, play};
pub use qualifying_import::{QualifyingGames, QualifyingImportError, QualifyingSearch};
pub use record_game::{RecordGameError, record_game};
pub use refusal::{DraftRefusal, Reason};
pub use rename::{RenameError, rename};
pub use requests::{KnownAs, NewResult};
pub use session::{DirectorSession, SessionError, game_played};
pub use watched_game::WatchedGame;
