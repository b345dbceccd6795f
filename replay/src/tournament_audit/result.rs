//! The result of an audit: the verdicts on each event, and what the record as a whole lacks.

use std::collections::BTreeMap;

use annals_events::tournament::Placing;
use annals_events::{Micros, PlayerId, StreamName};
use annals_tournaments::check::Overdue;
use annals_tournaments::formats;
use annals_tournaments::verdict::{Compliance, Verdict};
use serde::Serialize;

use super::imitation::Imitation;
use crate::audit::GameFinding;
use crate::cut::Cut;
use crate::finding::Finding;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditedEvent {
    pub seq: u64,
    pub event_type: String,
    /// Effective time, corrected.
    pub at: Micros,
    pub recorded_at: Micros,
    /// The correction in force: the event is checked as corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<u64>,
    pub imported: bool,
    pub verdicts: Vec<Verdict>,
    /// Violations of the order of events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// Recorded long after it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LateEntry {
    pub seq: u64,
    pub at: Micros,
    pub recorded_at: Micros,
}

/// A verdict that a later correction changes between compliant and violation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Overturned {
    pub correction: u64,
    /// Without the correction; none if the rule was not checked.
    pub before: Option<Compliance>,
    /// With it; names the event.
    pub verdict: Verdict,
    /// The event that revoked the pairing: it counts as never made, and the verdict is no violation of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_by: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AuditCounts {
    pub events: u64,
    pub corrected: u64,
    /// Compliant, and nothing else would be.
    pub compliant: u64,
    /// Compliant, as others would be.
    pub one_of: u64,
    pub violations: u64,
    pub undetermined: u64,
    /// Changed by a later correction, and not on a pairing that was revoked.
    pub overturned: u64,
    /// Events that do not follow from earlier ones.
    pub findings: u64,
    /// Games checked.
    pub games: u64,
    /// Findings in those games.
    pub game_findings: u64,
    /// Events recorded long after they happened.
    pub late: u64,
    /// Due and not recorded.
    pub overdue: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentAudit {
    pub stream: StreamName,
    pub name: String,
    pub rulebook: String,
    pub edition: u32,
    pub title: String,
    /// Of ambiguous texts by number; and the other options that were chosen.
    pub readings: BTreeMap<String, String>,
    /// Default readings that the announcement does not record: `T36=B`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings_by_default: Vec<String>,
    pub cut: Cut,
    /// The last event of the audited prefix.
    pub up_to: u64,
    pub counts: AuditCounts,
    /// In log order.
    pub events: Vec<AuditedEvent>,
    /// Changed by later corrections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overturned: Vec<Overturned>,
    /// Findings on no event, such as a correction without event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Overdue at the cut and not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overdue: Vec<Overdue>,
    /// Illegal turns, clocks, endings.
    pub games: Vec<GameFinding>,
    /// For the director's evaluation; not violations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imitations: Vec<Imitation>,
    /// Without imports.
    pub late: Vec<LateEntry>,
    /// By the rulebook, at the cut.
    pub standings: Vec<formats::RankedPlayer>,
    /// As far as decided.
    pub places: Vec<Placing>,
    /// Players who won a game and withdrew, and whom the readings give no place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<PlayerId>,
    /// Why there are no standings or places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl TournamentAudit {
    /// Without violations and findings.
    pub fn is_clean(&self) -> bool {
        let AuditCounts { violations, overturned, findings, game_findings, overdue, .. } = self.counts;
        violations + overturned + findings + game_findings + overdue == 0
    }

    /// What later corrections made a violation, on pairings that were not revoked.
    pub fn violations_by_corrections(&self) -> u64 {
        let in_force = self.overturned.iter().filter(|one| one.revoked_by.is_none());
        in_force.filter(|one| one.verdict.is_violation()).count() as u64
    }

    /// In log order.
    pub fn violations(&self) -> impl Iterator<Item = &Verdict> {
        self.events.iter().flat_map(|event| &event.verdicts).filter(|verdict| verdict.is_violation())
    }

    pub(super) fn count(&mut self) {
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
        counts.overturned = self.overturned.iter().filter(|one| one.revoked_by.is_none()).count() as u64;
        counts.findings += self.findings.len() as u64;
        counts.game_findings = self.games.len() as u64;
        counts.late = self.late.len() as u64;
        counts.overdue = self.overdue.len() as u64;
        self.counts = counts;
    }
}
