//! A tournament checked against its rulebook, event by event: each on the tournament before it, with the games, the bans and
//! the other tournaments as the log had them then, and with the corrections that had been recorded by then. The command
//! handler and `explain` use the same state. An event that was corrected is checked as it is now, and the report says
//! so. A correction that changes what was frozen when it was made is a violation of its own; one that changes whether a
//! later event follows is listed with that event.

mod compare;
mod frozen;
mod imitation;
mod not_as_ruled;
mod pass;
mod record;
mod report;
mod text;

use std::collections::BTreeMap;

use annals_events::tournament::Placing;
use annals_events::{Micros, StreamName};
use annals_store::Log;
use annals_tournaments::check::Overdue;
use annals_tournaments::formats;
use annals_tournaments::imitation::LEAST;
use annals_tournaments::rulebook::{ReadingError, RulebookError};
use annals_tournaments::verdict::{Compliance, Verdict};
use serde::Serialize;

pub(crate) use frozen::violation as changing_what_is_frozen;
pub(crate) use pass::{Corrected, corrected, judged};
pub(crate) use record::{Record, TournamentState, read_as};

pub use imitation::{GameOfPairing, Imitation};
pub use report::{AuditOutcome, AuditReport};

pub use compare::{ChangedHolds, ChangedPlace, ChangedRank, ReadingsCompared, compare_readings};

use crate::audit::GameFinding;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::read::tournament_at;

/// How long after it happened an event may be recorded without being called late: a day.
pub const LATE: Micros = 24 * 60 * 60 * 1_000_000;

/// What the rulebook says of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditedEvent {
    pub seq: u64,
    pub event_type: String,
    /// When it happened, a correction in place.
    pub at: Micros,
    pub recorded_at: Micros,
    /// The correction that holds, where it was corrected: it is checked as corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<u64>,
    pub imported: bool,
    pub verdicts: Vec<Verdict>,
    /// What does not even follow from the events before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// An event that was recorded long after it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LateEntry {
    pub seq: u64,
    pub at: Micros,
    pub recorded_at: Micros,
}

/// A verdict on an event that a later correction changes: the event followed a rule before and violates it now, or the other
/// way round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Overturned {
    pub correction: u64,
    /// What was found without the correction; none where the rule was not asked.
    pub before: Option<Compliance>,
    /// What is found with it; the verdict names the event.
    pub verdict: Verdict,
}

/// How many of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AuditCounts {
    pub events: u64,
    pub corrected: u64,
    /// Verdicts: compliant, and nothing else would be.
    pub compliant: u64,
    /// Verdicts: compliant, as others would be.
    pub one_of: u64,
    pub violations: u64,
    /// Verdicts that the record or the rule leaves open.
    pub undetermined: u64,
    /// Verdicts that a later correction changes.
    pub overturned: u64,
    /// What does not follow from the events before it.
    pub findings: u64,
    /// Games that were looked at.
    pub games: u64,
    /// What does not follow in those games.
    pub game_findings: u64,
    /// Events recorded long after they happened.
    pub late: u64,
    /// What was due and is not recorded.
    pub overdue: u64,
}

/// What an audit of a tournament says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentAudit {
    pub stream: StreamName,
    pub name: String,
    pub rulebook: String,
    pub edition: u32,
    pub title: String,
    /// How its ambiguous texts are read, by their numbers; and the other options that were chosen.
    pub readings: BTreeMap<String, String>,
    /// The texts that are read by the default of the edition, as the announcement records no reading of them: `T36=B`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings_by_default: Vec<String>,
    pub cut: Cut,
    /// The prefix of the log that was looked at ends here.
    pub up_to: u64,
    pub counts: AuditCounts,
    /// Every event with its verdicts, in the order of the log.
    pub events: Vec<AuditedEvent>,
    /// The verdicts that later corrections change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overturned: Vec<Overturned>,
    /// What does not follow that is no event's own: a correction that reaches nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What was due by a date that has passed at the cut, and is not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overdue: Vec<Overdue>,
    /// What does not follow in its games: an illegal turn, a clock, an ending.
    pub games: Vec<GameFinding>,
    /// Sequences that games of one player have in common. The director evaluates them; they are no violation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imitations: Vec<Imitation>,
    /// Events recorded long after they happened; imports have no such.
    pub late: Vec<LateEntry>,
    /// The order as the rulebook ranks it, at the cut.
    pub standings: Vec<formats::RankedPlayer>,
    /// The places as far as they are decided.
    pub places: Vec<Placing>,
    /// What prevents standings or places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

/// Why a tournament cannot be audited.
#[derive(Debug, thiserror::Error)]
pub enum TournamentAuditError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error("`{stream}` was never announced, so nothing says by which rulebook it is to be checked")]
    NotAnnounced { stream: StreamName },
    /// A record of totals alone, under a rulebook that is not known: that is no error of the record.
    #[error(
        "nothing is checked: {stream} holds the totals of {source_of_totals} and no games, and its rulebook `{rulebook}` is none \
         that Annals knows"
    )]
    NothingToCheck { stream: StreamName, source_of_totals: String, rulebook: String },
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    #[error(transparent)]
    Reading(#[from] ReadingError),
}

impl TournamentAudit {
    /// Whether everything follows.
    pub fn is_clean(&self) -> bool {
        let AuditCounts { violations, overturned, findings, game_findings, overdue, .. } = self.counts;
        violations + overturned + findings + game_findings + overdue == 0
    }

    /// All violations of rules, in the order of the log.
    pub fn violations(&self) -> impl Iterator<Item = &Verdict> {
        self.events.iter().flat_map(|event| &event.verdicts).filter(|verdict| verdict.is_violation())
    }

    fn count(&mut self) {
        let mut counts = AuditCounts { games: self.counts.games, ..AuditCounts::default() };
        for event in &self.events {
            counts.events += 1;
            counts.corrected += u64::from(event.corrected_by.is_some());
            counts.findings += event.findings.len() as u64;
            for verdict in &event.verdicts {
                match verdict.holds {
                    Compliance::Compliant => counts.compliant += 1,
                    Compliance::OneOf(_) => counts.one_of += 1,
                    Compliance::Violation { .. } => counts.violations += 1,
                    Compliance::Undetermined { .. } => counts.undetermined += 1,
                }
            }
        }
        counts.overturned = self.overturned.len() as u64;
        counts.findings += self.findings.len() as u64;
        counts.game_findings = self.games.len() as u64;
        counts.late = self.late.len() as u64;
        counts.overdue = self.overdue.len() as u64;
        self.counts = counts;
    }
}

/// How an audit is made.
#[derive(Debug, Clone, Copy)]
pub struct AuditOptions<'a> {
    /// Pairs of number and value, such as `T7` and `B`, by which the rulebook is read otherwise than it was announced.
    pub readings: &'a [(String, String)],
    /// How many turns a sequence has at least that two games of one player have in common.
    pub imitation: usize,
}

impl Default for AuditOptions<'_> {
    fn default() -> Self {
        AuditOptions { readings: &[], imitation: LEAST }
    }
}

/// Audits a tournament at a cut. `readings` are pairs of number and value, such as `T7` and `B`, by which its rulebook is
/// read otherwise than it was announced; none for the announced ones.
///
/// # Errors
/// When the log cannot be read, has no such tournament, or its rulebook or a reading is not known.
pub fn audit_tournament(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    readings: &[(String, String)],
) -> Result<TournamentAudit, TournamentAuditError> {
    audit_with(log, stream, cut, &AuditOptions { readings, ..AuditOptions::default() })
}

/// Audits a tournament at a cut as the options say.
///
/// # Errors
/// As [`audit_tournament`].
pub fn audit_with(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    options: &AuditOptions<'_>,
) -> Result<TournamentAudit, TournamentAuditError> {
    pass::run(log, stream, cut, options).map_err(|error| match error {
        TournamentAuditError::Rulebook(RulebookError::Unknown { .. }) => {
            nothing_to_check(log, stream, cut).unwrap_or(error)
        }
        error => error,
    })
}

/// Says so of a record of totals alone.
fn nothing_to_check(log: &Log, stream: &StreamName, cut: &Cut) -> Option<TournamentAuditError> {
    let tournament = tournament_at(log, stream, cut).ok()?.tournament;
    Some(TournamentAuditError::NothingToCheck {
        stream: stream.clone(),
        source_of_totals: tournament.published_table()?.source.clone(),
        rulebook: tournament.announced.as_ref()?.rulebook.clone(),
    })
}
