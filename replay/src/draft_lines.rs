//! Drafts of events as JSON lines. Defaults are filled in (`effective_at` is now, times without a zone are in the given
//! one); then they are read as an export is.

use std::collections::HashSet;

use annals_events::canonical::CanonicalError;
use annals_events::log::command_that_writes;
use annals_events::{Micros, TIME_KEY, canonical};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::lines::{Line, LineError, read_lines};
use crate::point::{PointError, Stated, stated};

#[derive(Debug, thiserror::Error)]
pub enum DraftLinesError {
    #[error("{name}:{}: {}", error.number, error.problem)]
    Line { name: String, error: LineError },
    #[error("{name}:{number}: {problem}")]
    FillIn { name: String, number: u64, problem: FillInError },
    #[error("{name} holds no event")]
    NoEvent { name: String },
}

#[derive(Debug, thiserror::Error)]
pub enum FillInError {
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    #[error(transparent)]
    Time(#[from] PointError),
    #[error("only the log itself writes `{0}`")]
    Reserved(String),
}

pub struct DraftText {
    name: String,
    text: String,
}

impl DraftText {
    #[must_use]
    pub fn new(name: String, text: String) -> DraftText {
        DraftText { name, text }
    }

    /// Reads the events, one a line or of a dry run; those without a time happen `now`, times without a zone are in `zone`.
    ///
    /// # Errors
    /// If a line is not an event, or there is none.
    pub fn read(&self, now: Micros, zone: &TimeZone) -> Result<Vec<Line>, DraftLinesError> {
        let DraftText { name, text } = self;
        let of_dry_run = events_of_dry_run(text);
        let text = of_dry_run.as_ref().unwrap_or(text);
        let mut filled = String::with_capacity(text.len() + 64);
        let mut untimed = HashSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            if of_dry_run.is_some() || states_no_time(line) {
                untimed.insert(number);
            }
            let line = fill_in(line, now, zone).map_err(|problem| {
                let name = name.clone();
                DraftLinesError::FillIn { name, number, problem }
            })?;
            filled.push_str(&line);
            filled.push('\n');
        }
        let mut lines = Vec::new();
        for line in read_lines(filled.as_bytes()) {
            let mut line = line.map_err(|error| DraftLinesError::Line { name: name.clone(), error })?;
            // An event without a stated time may be raised to the time of events appended meanwhile.
            line.draft.now = untimed.contains(&line.number);
            lines.push(line);
        }
        if lines.is_empty() {
            return Err(DraftLinesError::NoEvent { name: name.clone() });
        }
        Ok(lines)
    }
}

/// The events, one a line, of the document that `--dry-run --json` prints. They happen when they are appended.
fn events_of_dry_run(text: &str) -> Option<String> {
    let document: Value = serde_json::from_str(text).ok()?;
    let is_dry_run = document.get("dry_run") == Some(&Value::Bool(true));
    let events = document.get("events").filter(|_| is_dry_run)?.as_array()?;
    Some(events.iter().map(|event| format!("{event}\n")).collect())
}

/// Whether a line is an event without a time.
fn states_no_time(line: &str) -> bool {
    match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(fields)) => fields.get("effective_at").is_none_or(Value::is_null),
        _ => false,
    }
}

/// Fills in a line's time; a line that is not an object is unchanged; reading the lines then reports it.
fn fill_in(line: &str, now: Micros, zone: &TimeZone) -> Result<String, FillInError> {
    let Ok(Value::Object(mut fields)) = serde_json::from_str::<Value>(line) else {
        return Ok(line.to_owned());
    };
    canonical::check_unique(line)?;
    if let Some(Value::String(reserved)) = fields.get("type")
        && command_that_writes(reserved).is_some()
    {
        return Err(FillInError::Reserved(reserved.clone()));
    }
    let at = match fields.get("effective_at") {
        None | Some(Value::Null) => now,
        Some(Value::String(text)) => {
            let Stated { at, period } = stated(text, zone)?;
            if let (Some(period), Some(Value::Object(payload))) = (period, fields.get_mut("payload")) {
                payload.entry(TIME_KEY).or_insert_with(|| json!({ "stated": period.to_string() }));
            }
            at
        }
        Some(_) => return Ok(line.to_owned()),
    };
    fields.insert("effective_at".to_owned(), Value::from(at));
    Ok(Value::Object(fields).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_a_time_happens_now_and_one_without_a_zone_in_the_zone_asked_for() {
        let est = crate::point::zone("EST").unwrap();
        let filled = |line: &str| fill_in(line, 7, &est).unwrap();
        assert_eq!(filled(r#"{"type":"x"}"#), r#"{"effective_at":7,"type":"x"}"#);
        assert_eq!(filled(r#"{"effective_at":5}"#), r#"{"effective_at":5}"#);
        assert_eq!(filled(r#"{"effective_at":"1970-01-01T00:00"}"#), r#"{"effective_at":18000000000}"#);
        assert_eq!(filled("no json"), "no json");
        assert!(fill_in(r#"{"effective_at":"soon"}"#, 7, &est).is_err());
    }

    #[test]
    fn a_line_that_says_one_thing_twice_is_refused() {
        let utc = crate::point::zone("UTC").unwrap();
        for line in [r#"{"type":"a","type":"b"}"#, r#"{"type":"a","payload":{"name":"x","name":"y"}}"#] {
            let error = fill_in(line, 7, &utc).unwrap_err().to_string();
            assert!(error.contains("comes twice"), "{error}");
        }
    }
}
