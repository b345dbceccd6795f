//! The report of `verify`: findings with evidence, the first doubtful event, and intact ranges.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use annals_events::log::Opened;
use annals_events::{Hash, Micros};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::signatures::ActorSignatures;
use crate::fault::Fault;
use crate::head::Head;
use crate::open_error::clock_word;
use crate::outside::AnchorProblem;
use crate::schema::SchemaDifference;
use crate::wal::WalCut;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information.
    Note,
    /// A protection is lost, but no data.
    Warning,
    /// The log is not what was acknowledged, or that cannot be shown.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A check could not be made.
    Fault(Fault),
    /// Differs from the compiled-in schema.
    Schema(SchemaDifference),
    /// The tables are not a log's, so no event was read.
    NotRead,
    /// From SQLite's own check.
    Integrity {
        line: String,
    },
    Unreadable {
        first: u64,
        last: u64,
        /// From SQLite.
        detail: String,
    },
    Missing {
        first: u64,
        last: u64,
    },
    /// An event at an impossible position.
    OutOfOrder {
        expected: u64,
        found: u64,
    },
    /// Events with an impossible `seq`: not positive, or far beyond the end.
    Misplaced {
        /// The last possible event, by number, anchor and tree.
        last: u64,
        count: u64,
        lowest: i64,
        highest: i64,
    },
    /// A value of the wrong type.
    Row {
        seq: u64,
        problem: String,
    },
    /// The content does not have the stored hash.
    Hash {
        seq: u64,
        stored: Hash,
        computed: Hash,
        /// The next event confirms the computed one: only the stored hash changed.
        content_intact: bool,
    },
    /// A gap or step back in a stream's versions.
    Version {
        seq: u64,
        stream: String,
        expected: u64,
        found: u64,
    },
    /// Recorded before the previous event.
    Backwards {
        seq: u64,
        recorded_at: Micros,
        /// Of the previous one.
        before: Micros,
    },
    /// Not canonical, of an unknown type or schema, or invalid.
    Payload {
        seq: u64,
        problem: String,
    },
    /// The first event does not open a log, or another one does.
    Opening {
        seq: u64,
        problem: String,
    },
    /// The stored Merkle tree is not that of the events.
    Tree {
        problem: String,
    },
    Anchor(AnchorProblem),
    /// An unreadable line of the anchor.
    AnchorLine {
        /// Of the file, from 0.
        block: usize,
    },
    /// Committed but not acknowledged.
    NotAcknowledged {
        first: u64,
        last: u64,
    },
    /// The write-ahead log has more after a damaged frame.
    Wal(WalCut),
    LossAccepted {
        /// The recording event.
        seq: u64,
        /// Acknowledged before; 0 without an anchor of this log.
        anchored: u64,
        left: u64,
        /// As stated.
        reason: String,
    },
    /// The log does not contain a receipt or checkpoint.
    Receipt {
        /// The receipt, or the origin and size of the checkpoint.
        receipt: String,
        /// The first event that is missing or may have changed; none for another log.
        first: Option<u64>,
        /// What is there.
        problem: String,
    },
    /// The log differs from a backup.
    Backup {
        path: PathBuf,
        /// None if it cannot be compared.
        first: Option<u64>,
        problem: String,
    },
    /// A sealed file does not have its digest.
    Digest {
        /// Of the digest.
        path: PathBuf,
        problem: String,
    },
    /// A receipt of this history is later than the anchor.
    AnchorBehind {
        acknowledged: u64,
        receipt: u64,
    },
    /// An event that names the key of an actor, or has its signature, does not hold.
    Signature {
        /// Of that event.
        seq: u64,
        /// The first event that no signature of the key before it fixes.
        first: u64,
        actor: String,
        problem: String,
    },
    /// A key of an actor was replaced, and did not sign that.
    KeyNotSigned {
        seq: u64,
        actor: String,
    },
    /// A key that an actor gave is not one whose signatures the log has.
    ActorKey {
        key: String,
        actor: String,
        /// The first event that no signature of the key fixes.
        first: u64,
        problem: String,
    },
    /// Findings that are not listed.
    More {
        count: u64,
    },
}

impl Finding {
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            Finding::NotAcknowledged { .. } | Finding::LossAccepted { .. } => Severity::Note,
            Finding::AnchorLine { .. }
            | Finding::AnchorBehind { .. }
            | Finding::Wal(_)
            | Finding::KeyNotSigned { .. } => Severity::Warning,
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
            Finding::AnchorBehind { .. } => "anchor_behind",
            Finding::Signature { .. } => "signature",
            Finding::KeyNotSigned { .. } => "key_not_signed",
            Finding::ActorKey { .. } => "actor_key",
            Finding::More { .. } => "more",
        }
    }

    /// The first event concerned.
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
            | Finding::LossAccepted { seq, .. }
            | Finding::KeyNotSigned { seq, .. } => Some(*seq),
            Finding::Signature { first, .. } | Finding::ActorKey { first, .. } => Some(*first),
            Finding::Anchor(problem) => problem.first_bad(),
            Finding::Backup { first, .. } | Finding::Receipt { first, .. } => *first,
            _ => None,
        }
    }
}

/// Characters of a file's statement that are shown.
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
            Finding::LossAccepted { seq, anchored, left, reason } => {
                write!(f, "event {seq} accepts a loss: ")?;
                match anchored {
                    // There was no anchor of this log.
                    0 => f.write_str("how many events had been acknowledged is not known")?,
                    anchored => write!(f, "{anchored} events had been acknowledged")?,
                }
                write!(f, ", {left} were left ({reason})")
            }
            Finding::Receipt { receipt, problem, .. } => write!(f, "{receipt}: {problem}"),
            Finding::Backup { path, problem, .. } => write!(f, "backup {}: {problem}", path.display()),
            Finding::Digest { path, problem } => write!(f, "{}: {problem}", path.display()),
            Finding::AnchorBehind { acknowledged, receipt } => write!(
                f,
                "the anchor is older than a receipt: it acknowledges the events up to {acknowledged}, and the receipt \
                 those up to {receipt}. An older anchor was put back, or its last line was lost, so a loss of the \
                 events after {acknowledged} would not be noticed"
            ),
            Finding::Signature { seq, actor, problem, .. } => {
                write!(f, "event {seq}, signed for `{actor}`, does not hold: {problem}")
            }
            Finding::KeyNotSigned { seq, actor } => write!(
                f,
                "event {seq} names another key of `{actor}`, and no signature of the key before shows that"
            ),
            Finding::ActorKey { key, actor, problem, .. } => {
                write!(f, "the key that was given for `{actor}`, {key}: {problem}")
            }
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

#[derive(Debug, Clone)]
pub struct Report {
    pub path: PathBuf,
    /// From the first event, if readable: identity, clock, program.
    pub opened: Option<Opened>,
    /// The last event present.
    pub last: u64,
    /// If the stored end is sound.
    pub head: Option<Head>,
    /// By the anchor.
    pub acknowledged: Option<Head>,
    /// Damage first, by event.
    pub findings: Vec<Finding>,
    /// Readable events with correct hashes, outside ranges that an anchor, receipt, backup or signature shows as
    /// rewritten.
    pub intact: Vec<RangeInclusive<u64>>,
    /// By name.
    pub actors: Vec<ActorSignatures>,
    /// Covered by hashes.
    pub hashed_bytes: u64,
    pub elapsed: Duration,
}

impl Report {
    /// The log is what was acknowledged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.damage().next().is_none()
    }

    /// In order.
    pub fn damage(&self) -> impl Iterator<Item = &Finding> + Clone {
        self.findings.iter().filter(|finding| finding.severity() >= Severity::Damage)
    }

    /// Notes only.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity() == Severity::Note)
    }

    /// The first doubtful event; none if no damage concerns events.
    #[must_use]
    pub fn first_bad(&self) -> Option<u64> {
        self.damage().filter_map(Finding::seq).min()
    }

    /// The first event that is certainly wrong: missing, unreadable, or with a wrong hash. [`Report::first_bad`] can
    /// precede it: within a range that the anchor shows as rewritten, every event is doubtful.
    #[must_use]
    pub fn first_certain(&self) -> Option<u64> {
        let stretch = |finding: &&Finding| matches!(finding, Finding::Anchor(AnchorProblem::Rewritten { first, latest, .. }) if first != latest);
        let damage = self.findings.iter().filter(|finding| finding.severity() == Severity::Damage);
        damage.filter(|finding| !stretch(finding)).filter_map(Finding::seq).min()
    }

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
        let mut out = serializer.serialize_struct("Report", 14)?;
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
        out.serialize_field("actors", &self.actors)?;
        out.serialize_field("findings", &self.findings)?;
        out.serialize_field("milliseconds", &(self.elapsed.as_millis() as u64))?;
        out.end()
    }
}
