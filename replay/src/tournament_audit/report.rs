//! The printed audit of a tournament, with the findings of the verification of the log, because a log that was altered
//! may be beyond an audit.

use annals_events::StreamName;
use annals_report::{Cell, Document, Part, Table};
use annals_store::Log;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::compare::{ReadingsCompared, compare_readings};
use super::error::TournamentAuditError;
use super::pass::{AuditOptions, audit_with};
use super::result::TournamentAudit;
use crate::cut::Cut;

/// An audit, with the damage of the log.
#[derive(Debug, Serialize)]
pub struct AuditReport {
    /// What the chain, the tree and the anchor show; empty if the log is what was acknowledged.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub chain: Vec<String>,
    #[serde(flatten)]
    pub outcome: AuditOutcome,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum AuditOutcome {
    Audit(Box<TournamentAudit>),
    Compared(Box<ReadingsCompared>),
    /// The record has no events to which a rulebook can be applied.
    Unchecked {
        nothing_checked: String,
    },
    /// The log is so damaged that no audit is possible.
    Impossible {
        why: String,
    },
}

impl AuditReport {
    /// Audits a tournament of a log with some damage. With readings, the audit is compared with the one by these readings.
    ///
    /// # Errors
    /// As those of [`audit_with`], if the log has no damage.
    pub fn of(
        log: &Log,
        chain: Vec<String>,
        (stream, cut): (&StreamName, &Cut),
        options: &AuditOptions<'_>,
    ) -> Result<AuditReport, TournamentAuditError> {
        let outcome = if options.readings.is_empty() {
            audit_with(log, stream, cut, options).map(|audit| AuditOutcome::Audit(Box::new(audit)))
        } else {
            let compared = compare_readings(log, stream, cut, options.readings);
            compared.map(|compared| AuditOutcome::Compared(Box::new(compared)))
        };
        let outcome = match outcome {
            Err(error) if !chain.is_empty() => AuditOutcome::Impossible { why: error.to_string() },
            Err(error @ TournamentAuditError::NothingToCheck { .. }) => {
                AuditOutcome::Unchecked { nothing_checked: error.to_string() }
            }
            outcome => outcome?,
        };
        Ok(AuditReport { chain, outcome })
    }

    /// As a document, times in a zone; with `all` also what is compliant.
    pub fn document(&self, zone: &TimeZone, all: bool) -> Document {
        let document = match &self.outcome {
            AuditOutcome::Audit(audit) => audit.document(zone, all),
            AuditOutcome::Compared(compared) => compared.document(),
            AuditOutcome::Unchecked { nothing_checked } => Document::default().prose(nothing_checked),
            AuditOutcome::Impossible { why } => {
                Document::default().prose(format!("it cannot be audited any more: {why}"))
            }
        };
        let Some(first) = self.chain.first() else { return document };
        let mut damaged = Document::new(format!(
            "DAMAGED: {first}. The log is checked as it is now, which is not what was acknowledged; \
             `annals log verify` lists what is intact"
        ));
        damaged.warning = Some(damaged.title.clone());
        let title = (!document.title.is_empty()).then_some(Part::Prose(document.title));
        damaged.parts.extend(title.into_iter().chain(document.parts));
        damaged.prose("But the log is DAMAGED, as shown above: this is not what was acknowledged.")
    }

    /// A row for each verdict and finding, for programs; with `all` also what is compliant.
    pub fn table(&self, all: bool) -> Table {
        match &self.outcome {
            AuditOutcome::Audit(audit) => audit.table(all),
            AuditOutcome::Compared(compared) => compared.table(),
            AuditOutcome::Unchecked { nothing_checked: why } | AuditOutcome::Impossible { why } => {
                Table::of("", [why]).column("why", |why| Cell::text(why)).table()
            }
        }
    }

    /// Whether the log has no damage, and the record complies with the rulebook.
    pub fn is_clean(&self) -> bool {
        let complies = match &self.outcome {
            AuditOutcome::Audit(audit) => audit.is_clean(),
            AuditOutcome::Compared(compared) => compared.clean_after,
            AuditOutcome::Unchecked { .. } => true,
            AuditOutcome::Impossible { .. } => false,
        };
        complies && self.chain.is_empty()
    }
}
