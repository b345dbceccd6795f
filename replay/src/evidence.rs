//! A bundle of evidence about a stream: its events with their proofs, and what the fold finds about them.

use annals_events::{PROGRAM, StreamName};
use annals_store::{BUNDLE, Bundle, BundleError, Log, ProvenStreams, prove_streams, with_its_games};
use serde::Serialize;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
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
        let findings = view_at(log, &stream, &cut)?.findings().to_vec();
        Ok::<_, ReplayError>(BundleVerdict { stream, findings })
    };
    let verdicts = names.into_iter().map(verdict).collect::<Result<_, _>>()?;
    Ok(Bundle { format: BUNDLE, about, program: PROGRAM, head, streams, events, nodes, verdicts })
}
