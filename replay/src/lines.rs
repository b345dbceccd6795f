//! The log as JSON lines: one envelope per line, in canonical JSON, with the stored payload. An export can be imported
//! into another log with new positions and hashes. A line written by hand needs stream, type, time and payload only.

mod export;
mod read;
mod simulated;

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;

use annals_events::{EventId, RawPayload, canonical};
use annals_store::{Log, ReadError};
use serde_json::Value;

use crate::handler::{Draft, ImportError, Importer};
use crate::timeline::CORRECTION;
pub use export::{ExportError, export};
pub use read::{Line, LineError, LineProblem, Lines, MAX_LINE, read_lines};
pub use simulated::simulated_until;

#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct LineCounts {
    pub events: u64,
    /// Lines of events that only a log itself records.
    pub left_out: u64,
    /// How many lines have each finding.
    pub findings: BTreeMap<&'static str, u64>,
}

/// What was flushed remains; a second import continues from there.
#[derive(Debug, thiserror::Error)]
pub enum ImportLinesError {
    #[error("{0}")]
    Line(#[from] LineError),
    #[error("line {number}: {problem}")]
    Import { number: u64, problem: ImportError },
}

/// Imports JSON lines. References by `seq` (corrections, evidence) are mapped to the new log.
///
/// # Errors
/// If a line is not an event, or the log rejects it.
pub fn import_lines(importer: &mut Importer<'_>, from: impl BufRead) -> Result<LineCounts, ImportLinesError> {
    let mut lines = read_lines(from);
    let mut counts = LineCounts::default();
    let mut ids: HashMap<u64, EventId> = HashMap::new();
    for line in lines.by_ref() {
        let mut line = line?;
        let number = line.number;
        let import = |problem| ImportLinesError::Import { number, problem };
        if let Some(seq) = line.source_seq {
            ids.extend(line.draft.id.map(|id| (seq, id)));
            if speaks_of_places(&line.draft) {
                importer.flush().map_err(import)?;
                move_places(&mut line, importer.log(), &ids)?;
            }
        }
        if let Some(finding) = importer.add(&line.draft).map_err(import)? {
            *counts.findings.entry(finding).or_default() += 1;
        }
        counts.events += 1;
    }
    counts.left_out = lines.left_out();
    Ok(counts)
}

/// Whether an event may refer to others by `seq`.
fn speaks_of_places(draft: &Draft) -> bool {
    draft.event_type == CORRECTION
        || draft.event_type == "log.imported"
        || (draft.event_type.starts_with("tournament.") && draft.payload.as_str().contains("\"seq\":"))
}

/// Maps each `seq` of the old log to that of the same event here.
fn move_places(line: &mut Line, log: &Log, ids: &HashMap<u64, EventId>) -> Result<(), ImportLinesError> {
    let Line { number, draft, .. } = line;
    let wrong = |problem| LineError { number: *number, problem };
    let mut payload: Value =
        serde_json::from_str(draft.payload.as_str()).map_err(|error| wrong(error.into()))?;
    let keys: &[&str] = match draft.event_type.as_str() {
        CORRECTION => &["corrects"],
        "log.imported" => &["first_seq", "last_seq"],
        _ => &["seq"],
    };
    let mut changed = false;
    each_place(&mut payload, keys, &mut |place| {
        let Some(old) = place.as_u64() else { return Ok(()) };
        let id = ids.get(&old).ok_or_else(|| wrong(LineProblem::NotInFile(old)))?;
        let read = |error: ReadError| ImportLinesError::Import { number: *number, problem: error.into() };
        let new = log.find(*id).map_err(read)?.ok_or_else(|| wrong(LineProblem::NotInFile(old)))?.seq;
        changed |= new != old;
        *place = Value::from(new);
        Ok(())
    })?;
    if changed {
        let text = canonical::to_string(&payload)
            .map_err(|error| wrong(LineProblem::Json(serde::de::Error::custom(error))))?;
        draft.payload = RawPayload::from_stored(text);
    }
    Ok(())
}

fn each_place(
    value: &mut Value,
    keys: &[&str],
    change: &mut dyn FnMut(&mut Value) -> Result<(), ImportLinesError>,
) -> Result<(), ImportLinesError> {
    match value {
        Value::Object(members) => members.iter_mut().try_for_each(|(key, value)| {
            if keys.contains(&key.as_str()) && value.is_u64() {
                change(value)
            } else if key == "change" {
                // The replacement payload of a correction may refer to events, too.
                Ok(())
            } else {
                each_place(value, keys, change)
            }
        }),
        Value::Array(elements) => elements.iter_mut().try_for_each(|value| each_place(value, keys, change)),
        _ => Ok(()),
    }
}
