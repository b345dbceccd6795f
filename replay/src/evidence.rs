//! A bundle of evidence about a stream: its events with their proofs, and what the fold finds about them.

use annals_events::{Family, PROGRAM, StreamName};
use annals_store::{BUNDLE, Bundle, BundleError, Log, ProvenStreams, prove_streams, with_its_games};
use annals_tournaments::verdict::Verdict;
use serde::Serialize;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::tournament_audit::{TournamentAuditError, audit_tournament};
use crate::view::view_at;

/// The findings about one stream.
#[derive(Debug, Serialize)]
pub struct BundleVerdict {
    pub stream: StreamName,
    pub findings: Vec<Finding>,
}

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Audit(#[from] TournamentAuditError),
}

/// All events of a stream, of a tournament on request also those of its games, proven under the head of the log.
///
/// # Errors
/// When the log cannot be read, or an event is not under its head.
pub fn evidence(
    log: &Log,
    about: StreamName,
    with_games: bool,
) -> Result<Bundle<Vec<BundleVerdict>>, EvidenceError> {
    let names = match with_games {
        true => with_its_games(log, &about).map_err(BundleError::from)?,
        false => vec![about.clone()],
    };
    let ProvenStreams { head, streams, events, nodes } = prove_streams(log, &names)?;
    let cut = Cut::at_seq(head.seq);
    let verdict = |stream: StreamName| {
        let mut findings = view_at(log, &stream, &cut)?.findings().to_vec();
        if stream.family() == Family::Tournament.word() {
            findings.extend(violations(log, &stream, &cut)?);
        }
        Ok::<_, EvidenceError>(BundleVerdict { stream, findings })
    };
    let verdicts = names.into_iter().map(verdict).collect::<Result<_, _>>()?;
    Ok(Bundle { format: BUNDLE, about, program: PROGRAM, head, streams, events, nodes, verdicts })
}

/// What the audit finds against a tournament, about its events.
fn violations(log: &Log, stream: &StreamName, cut: &Cut) -> Result<Vec<Finding>, EvidenceError> {
    let audit = match audit_tournament(log, stream, cut, &[]) {
        Ok(audit) => audit,
        // A record without a known rulebook has no verdicts, as its audit prints.
        Err(
            TournamentAuditError::NothingToCheck { .. }
            | TournamentAuditError::NotAnnounced { .. }
            | TournamentAuditError::Rulebook(_),
        ) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let found = |verdict: &Verdict| Finding::new(verdict.seq, verdict.rule.id.name(), verdict.to_string());
    let mut findings: Vec<Finding> = audit.violations().map(found).collect();
    let standing = audit.overturned.iter().filter(|one| one.revoked_by.is_none());
    findings.extend(standing.map(|one| {
        let message = format!("changed by the correction {}: {}", one.correction, one.verdict);
        Finding::new(one.verdict.seq, one.verdict.rule.id.name(), message)
    }));
    Ok(findings)
}
