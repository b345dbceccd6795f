//! What `verify` says: every finding with its evidence, the first event that can no longer be vouched for, and what is
//! intact none the less.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use annals_events::log::Opened;
use annals_events::{Hash, Micros};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::fault::Fault;
use crate::head::Head;
use crate::open_error::clock_word;
use crate::outside::AnchorProblem;
use crate::schema::SchemaDifference;
use crate::wal::WalCut;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong; worth knowing.
    Note,
    /// Nothing is lost, but a protection is.
    Warning,
    /// The log is not what was acknowledged, or cannot be shown to be.
    Damage,
}

impl Severity {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Damage => "damage",
        }
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A part of the check could not be made.
    Fault(Fault),
    /// A table, index or trigger is not the compiled-in one.
    Schema(SchemaDifference),
    /// The tables are not those of a log, so no event was read.
    NotRead,
    /// SQLite's own check of the file found this.
    Integrity {
        /// The words of SQLite.
        line: String,
    },
    /// Events cannot be read.
    Unreadable {
        first: u64,
        last: u64,
        /// What SQLite said.
        detail: String,
    },
    /// Events are missing between others.
    Missing { first: u64, last: u64 },
    /// An event stands where it cannot.
    OutOfOrder {
        /// The event that was expected.
        expected: u64,
        /// The `seq` that stands there.
        found: u64,
    },
    /// Events have a `seq` that no event of the log can have: not positive, or far beyond the last.
    Misplaced {
        /// The last event that the log can have, by their number, the anchor and the tree.
        last: u64,
        count: u64,
        /// The lowest `seq` of them.
        lowest: i64,
        highest: i64,
    },
    /// A stored value is not of its kind.
    Row { seq: u64, problem: String },
    /// The content of an event is not what its hash covers.
    Hash {
        seq: u64,
        stored: Hash,
        computed: Hash,
        /// Whether the next event bears out the computed one: then only the stored hash was changed.
        content_intact: bool,
    },
    /// The versions of a stream have a gap or run backwards.
    Version {
        seq: u64,
        stream: String,
        /// The version that was expected.
        expected: u64,
        /// The version that it has.
        found: u64,
    },
    /// An event was recorded before the one in front of it.
    Backwards {
        seq: u64,
        /// When it says it was recorded.
        recorded_at: Micros,
        /// When the one in front of it was.
        before: Micros,
    },
    /// A payload is not canonical, of an unknown type or schema, or not one of its type.
    Payload { seq: u64, problem: String },
    /// The first event is not the opening of a log, or another one is.
    Opening { seq: u64, problem: String },
    /// The stored Merkle tree is not the one over the events.
    Tree { problem: String },
    /// The anchor contradicts the log.
    Anchor(AnchorProblem),
    /// One of the two lines of the anchor, or a line that it keeps of an accepted loss, cannot be read.
    AnchorLine {
        /// Which block of the file, from 0.
        block: usize,
    },
    /// Events were committed, but not yet acknowledged.
    NotAcknowledged { first: u64, last: u64 },
    /// The write-ahead log ends at a damaged frame, with more behind it.
    Wal(WalCut),
    /// A loss that somebody accepted.
    LossAccepted {
        /// The event that records it.
        seq: u64,
        /// What had been acknowledged when it was found.
        anchored: u64,
        left: u64,
        /// What was said about it.
        reason: String,
    },
    /// The log does not contain what a receipt says.
    Receipt {
        receipt: Head,
        /// The first event that is missing or can be another one; none when the receipt is of another log.
        first: Option<u64>,
        /// What is there instead.
        problem: String,
    },
    /// The log differs from a backup.
    Backup {
        /// The backup.
        path: PathBuf,
        /// The first event that differs; none when the backup cannot be compared.
        first: Option<u64>,
        problem: String,
    },
    /// The bytes of a sealed file are not those of its digest.
    Digest {
        /// The file with the digest.
        path: PathBuf,
        problem: String,
    },
    /// There are more findings than are listed.
    More { count: u64 },
}

impl Finding {
    /// How bad it is.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            Finding::NotAcknowledged { .. } | Finding::LossAccepted { .. } => Severity::Note,
            Finding::AnchorLine { .. } | Finding::Wal(_) => Severity::Warning,
            Finding::Hash { .. } => Severity::Damage,
            _ => Severity::Damage,
        }
    }

    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Finding::Fault(fault) => fault.kind.word(),
            Finding::Schema(_) => "schema",
            Finding::NotRead => "not_read",
            Finding::Integrity { .. } => "integrity",
            Finding::Unreadable { .. } => "unreadable",
            Finding::Missing { .. } => "missing",
            Finding::OutOfOrder { .. } => "out_of_order",
            Finding::Misplaced { .. } => "misplaced",
            Finding::Row { .. } => "row",
            Finding::Hash { .. } => "hash",
            Finding::Version { .. } => "version",
            Finding::Backwards { .. } => "backwards",
            Finding::Payload { .. } => "payload",
            Finding::Opening { .. } => "opening",
            Finding::Tree { .. } => "tree",
            Finding::Anchor(problem) => problem.word(),
            Finding::AnchorLine { .. } => "anchor_line",
            Finding::NotAcknowledged { .. } => "not_acknowledged",
            Finding::Wal(_) => "wal_cut",
            Finding::LossAccepted { .. } => "loss_accepted",
            Finding::Receipt { .. } => "receipt",
            Finding::Backup { .. } => "backup",
            Finding::Digest { .. } => "digest",
            Finding::More { .. } => "more",
        }
    }

    /// The first event that it concerns.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match self {
            Finding::Unreadable { first, .. }
            | Finding::Missing { first, .. }
            | Finding::NotAcknowledged { first, .. } => Some(*first),
            Finding::OutOfOrder { expected, .. } => Some(*expected),
            Finding::Misplaced { last, highest, .. } if *highest > 0 => Some(last + 1),
            Finding::Row { seq, .. }
            | Finding::Hash { seq, .. }
            | Finding::Version { seq, .. }
            | Finding::Backwards { seq, .. }
            | Finding::Payload { seq, .. }
            | Finding::Opening { seq, .. }
            | Finding::LossAccepted { seq, .. } => Some(*seq),
            Finding::Anchor(problem) => problem.first_bad(),
            Finding::Backup { first, .. } | Finding::Receipt { first, .. } => *first,
            _ => None,
        }
    }
}

/// So many characters of a statement that a file brings are shown.
const SQL_SHOWN: usize = 200;

fn span(first: u64, last: u64) -> String {
    if first == last { format!("event {first}") } else { format!("events {first} to {last}") }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Fault(fault) => write!(f, "a check could not be made: {fault}"),
            Finding::Schema(difference) => {
                write!(f, "{} {}", difference.object, difference.what)?;
                let Some(sql) = &difference.found else { return Ok(()) };
                let shown: String = sql.chars().take(SQL_SHOWN).collect();
                write!(f, ": {}{}", shown.escape_debug(), if shown.len() < sql.len() { " …" } else { "" })
            }
            Finding::NotRead => f.write_str(
                "no event was read: what has the name of a table of the log is not that table, and reading it could run \
                 anything. `annals doctor --salvage` reads the pages themselves",
            ),
            Finding::Integrity { line } => write!(f, "SQLite's integrity check: {line}"),
            Finding::Unreadable { first, last, detail } => {
                write!(f, "{} cannot be read: {detail}", span(*first, *last))
            }
            Finding::Missing { first, last } => write!(f, "{} missing", span(*first, *last)),
            Finding::OutOfOrder { expected, found } => {
                write!(f, "event {found} stands where event {expected} should")
            }
            Finding::Misplaced { last, count, lowest, highest } => {
                let events = if *count == 1 { "event has" } else { "events have" };
                write!(f, "{count} {events} a seq that no event here can have ({lowest} to {highest}), since the ")?;
                write!(f, "log has no more than {last}: what has it was moved or added")
            }
            Finding::Row { seq, problem } => write!(f, "event {seq}: {problem}"),
            Finding::Hash { seq, stored, computed, content_intact } => {
                write!(f, "event {seq} does not match its hash: stored {stored}, computed {computed}")?;
                let says = if *content_intact {
                    "; the next event bears out the computed one, so only the stored hash was changed"
                } else {
                    "; it was changed after it was recorded"
                };
                f.write_str(says)
            }
            Finding::Version { seq, stream, expected, found } => {
                write!(f, "event {seq} has version {found} of stream `{stream}`, where {expected} is next")
            }
            Finding::Backwards { seq, recorded_at, before } => write!(
                f,
                "event {seq} was recorded at {recorded_at}, before the event in front of it ({before})"
            ),
            Finding::Payload { seq, problem } => write!(f, "event {seq}: {problem}"),
            Finding::Opening { seq, problem } => write!(f, "event {seq}: {problem}"),
            Finding::Tree { problem } => write!(f, "the Merkle tree: {problem}"),
            Finding::Anchor(problem) => write!(f, "{problem}"),
            Finding::AnchorLine { block: 0 | 1 } => f.write_str(
                "one of the two lines of the anchor cannot be read: the power was lost while it was written, or it \
                 was damaged. The other one stands; the next append mends it",
            ),
            Finding::AnchorLine { block } => write!(
                f,
                "the anchor's block {block}, which keeps what an accepted loss had acknowledged, cannot be read"
            ),
            Finding::NotAcknowledged { first, last } => {
                write!(f, "{} committed, but not acknowledged when its writer stopped", span(*first, *last))
            }
            Finding::Wal(cut) => write!(f, "{cut}"),
            Finding::LossAccepted { seq, anchored, left, reason } => write!(
                f,
                "event {seq} accepts a loss: {anchored} events had been acknowledged, {left} were left ({reason})"
            ),
            Finding::Receipt { receipt, problem, .. } => write!(f, "receipt `{receipt}`: {problem}"),
            Finding::Backup { path, problem, .. } => write!(f, "backup {}: {problem}", path.display()),
            Finding::Digest { path, problem } => write!(f, "{}: {problem}", path.display()),
            Finding::More { count } => write!(f, "{count} further findings of these kinds"),
        }
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Finding", 4)?;
        out.serialize_field("severity", self.severity().word())?;
        out.serialize_field("what", self.word())?;
        out.serialize_field("seq", &self.seq())?;
        out.serialize_field("text", &self.to_string())?;
        out.end()
    }
}

/// The result of a verification.
#[derive(Debug, Clone)]
pub struct Report {
    pub path: PathBuf,
    /// What the first event says, where it can be read: identity, clock, program.
    pub opened: Option<Opened>,
    /// The last event that is there.
    pub last: u64,
    /// The head over what is there, where the stored end of the log is sound.
    pub head: Option<Head>,
    /// The newest head that the anchor acknowledges.
    pub acknowledged: Option<Head>,
    /// What was found: damage first, by the event it concerns.
    pub findings: Vec<Finding>,
    /// Events that are readable and match their hash and the hash before them, and that no anchor, receipt or backup
    /// shows to lie where the log was rewritten.
    pub intact: Vec<RangeInclusive<u64>>,
    /// How many bytes the hashes cover.
    pub hashed_bytes: u64,
    pub elapsed: Duration,
}

impl Report {
    /// Whether the log is what was acknowledged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.damage().next().is_none()
    }

    /// The findings that are damage, in order.
    pub fn damage(&self) -> impl Iterator<Item = &Finding> + Clone {
        self.findings.iter().filter(|finding| finding.severity() >= Severity::Damage)
    }

    /// Whether nothing at all is to be said but notes.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity() == Severity::Note)
    }

    /// The first event that can no longer be vouched for; none when no damage concerns an event.
    #[must_use]
    pub fn first_bad(&self) -> Option<u64> {
        self.damage().filter_map(Finding::seq).min()
    }

    /// The first event that is certainly not what was acknowledged: missing, unreadable, or at odds with its own hash.
    /// [`Report::first_bad`] can lie before it: where the anchor shows that a stretch of events was rewritten, none
    /// of them can be vouched for, though only one of them need be another.
    #[must_use]
    pub fn first_certain(&self) -> Option<u64> {
        let stretch = |finding: &&Finding| matches!(finding, Finding::Anchor(AnchorProblem::Rewritten { first, latest, .. }) if first != latest);
        let damage = self.findings.iter().filter(|finding| finding.severity() == Severity::Damage);
        damage.filter(|finding| !stretch(finding)).filter_map(Finding::seq).min()
    }

    /// How many events are intact.
    #[must_use]
    pub fn intact_count(&self) -> u64 {
        self.intact.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    pub(crate) fn sort(&mut self) {
        let key =
            |finding: &Finding| (std::cmp::Reverse(finding.severity()), finding.seq().unwrap_or(u64::MAX));
        self.findings.sort_by_key(key);
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let intact: Vec<[u64; 2]> = self.intact.iter().map(|range| [*range.start(), *range.end()]).collect();
        let clock = self.opened.as_ref().map(|opened| clock_word(opened.clock));
        let mut out = serializer.serialize_struct("Report", 13)?;
        out.serialize_field("path", &self.path)?;
        out.serialize_field("log", &self.opened.as_ref().map(|opened| opened.log_id))?;
        out.serialize_field("clock", &clock)?;
        out.serialize_field("whole", &self.is_whole())?;
        out.serialize_field("first_bad", &self.first_bad())?;
        out.serialize_field("first_certain", &self.first_certain())?;
        out.serialize_field("events", &self.last)?;
        out.serialize_field("intact_events", &self.intact_count())?;
        out.serialize_field("intact", &intact)?;
        out.serialize_field("head", &self.head)?;
        out.serialize_field("acknowledged", &self.acknowledged)?;
        out.serialize_field("findings", &self.findings)?;
        out.serialize_field("milliseconds", &(self.elapsed.as_millis() as u64))?;
        out.end()
    }
}
