//! The append-only event log: one SQLite file and an anchor file. It does not depend on games or tournaments.
//!
//! [`Log::append`] returns when its events are durable. Every event is hashed with the previous hash ([`chain`]) and is a
//! leaf of a Merkle tree ([`merkle`]); [`verify()`] recomputes both, and [`Log::prove_inclusion`] makes proofs that can
//! be checked without this program. [`diagnose`] explains why a log does not open, [`salvage()`] copies its intact
//! events, and [`Log::accept_loss`] makes it writable again.
//!
//! ```
//! use annals_events::{Entry, Event, EventId, GameEvent, Side, TurnTaken};
//! use annals_store::{
//!     Expected, Log, MachineClock, NewEvent, NewLog, Transaction, VerifyOptions, random_id, verify,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("log.db");
//! let new = NewLog {
//!     log_id: annals_events::LogId(random_id()?),
//!     program: "example".to_owned(),
//!     note: None,
//!     actor: "omar".to_owned(),
//! };
//! let mut log = Log::create(&path, &new, Box::new(MachineClock))?;
//!
//! let turn = GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, "Ra1 Rb1 Rc1"));
//! let stream = "game/1".parse::<annals_events::StreamName>()?;
//! let id = EventId(random_id()?);
//! let event = NewEvent::new(stream.clone(), id, 1_600_000_000_000_000, "omar", &Entry::from(Event::from(turn)))?;
//! let appended = log.append(&Transaction::of(vec![event]).expecting(stream, Expected::NoStream))?;
//! assert_eq!((appended.first_seq, appended.head.seq), (2, 2));
//! drop(log);
//!
//! // A receipt that was kept proves later that nothing before it has changed.
//! let options = VerifyOptions { receipts: vec![appended.head], ..VerifyOptions::default() };
//! assert!(verify(&path, &options)?.is_clean());
//! # Ok(())
//! # }
//! ```
mod anchor;
mod append;
mod backup;
mod bundle;
mod bundle_check;
pub mod chain;
mod clock;
mod comparison;
mod confirm;
mod connection;
mod create;
mod doctor;
mod fault;
mod files;
mod fold;
mod gather;
mod head;
mod json_line;
mod log;
mod loss;
pub mod merkle;
mod names;
mod new_event;
mod open_error;
mod outside;
mod page;
mod place;
mod proof;
mod read;
mod record;
mod remedy;
mod repair;
mod row;
mod salvage;
mod schema;
mod sealing;
mod tail;
pub mod tlog;
mod transaction;
mod verified;
mod verify;
mod wal;
mod writer;
pub use anchor::{AnchorFile, AnchorLine};
pub use backup::Sealed;
pub use bundle::{
    BUNDLE, Bundle, BundleError, ProvenStreams, Whole, games_of, prove_streams, with_its_games,
};
pub use bundle_check::{BundleCheck, Moment, Statement, check_bundle};
pub use clock::{Clock, MachineClock, SetClock};
pub use comparison::compare;
pub use confirm::{CLOCK_TOLERANCE, ConfirmError, LONGEST_PAUSE};
pub use connection::{NotALog, WAL_PAGES};
pub use create::NewLog;
pub use doctor::{Advice, Diagnosis, diagnose};
pub use fault::{Fault, FaultKind};
pub use files::LogFiles;
pub use head::{Head, RECEIPT, ReceiptError};
pub use log::{Log, random_id};
pub use loss::{AcceptedLoss, LossError};
pub use names::{anchor_path, digest_path, wal_path};
pub use new_event::{EventError, MAX_ACTOR, MAX_PAYLOAD, NewEvent};
pub use open_error::OpenError;
pub use outside::AnchorProblem;
pub use proof::{CONSISTENCY, ConsistencyProof, INCLUSION, InclusionProof, ProofError, ProvenEvent};
pub use read::{Events, ReadError, StreamInfo};
pub use remedy::Remedy;
pub use repair::{Rebuilt, RepairError, Restored, rebuild_tree, restore_schema};
pub use row::{BadColumn, EventRef, FoldEvent};
pub use salvage::{SalvageError, Salvaged, salvage};
pub use schema::{APPLICATION_ID, FORMAT, SchemaDifference};
pub use sealing::BackupError;
pub use transaction::{AppendError, Appended, Expected, MAX_EVENTS, Transaction};
pub use verified::{ClockSetting, ForAppend, VerifiedError, damage_of, lock_imports, remove_empty};
pub use verify::{ActorSignatures, Finding, Report, Severity, VerifyOptions, verify};
pub use wal::WalCut;
pub use writer::{Appender, Writer};
