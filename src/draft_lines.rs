//! Drafts of events as JSON lines, from a file or standard input: what is not written out is filled in (`effective_at` is
//! now, times without a zone are in the one asked for), then the lines are read as an export of a log is.

use std::collections::HashSet;
use std::path::Path;

use annals_events::log::command_that_writes;
use annals_events::{Micros, canonical};
use annals_replay::{Line, read_lines};
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::errors::CliError;
use crate::input_file;
use crate::moments::instant;

/// Drafts as they were handed in, not yet read as events.
pub struct DraftText {
    name: String,
    text: String,
}

impl DraftText {
    /// Takes the text of a file; `-` is standard input.
    pub fn take(file: &Path) -> Result<DraftText, CliError> {
        if file.as_os_str() == "-" {
            let text = input_file::standard_input()
                .map_err(|e| CliError::new(format!("cannot read events from standard input: {e}")))?;
            return Ok(DraftText { name: "standard input".to_owned(), text });
        }
        let name = file.display().to_string();
        let text = input_file::text(file)
            .map_err(|e| CliError::new(format!("cannot read the events in {name}: {e}")))?;
        Ok(DraftText { name, text })
    }

    /// Reads the events; those without a time happen `now`, times without a zone are in `zone`.
    pub fn read(&self, now: Micros, zone: &TimeZone) -> Result<Vec<Line>, CliError> {
        let DraftText { name, text } = self;
        let mut filled = String::with_capacity(text.len() + 64);
        let mut untimed = HashSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            if states_no_time(line) {
                untimed.insert(number);
            }
            filled.push_str(&fill_in(line, now, zone).map_err(|e| in_line(name, number, &e))?);
            filled.push('\n');
        }
        let mut lines = Vec::new();
        for line in read_lines(filled.as_bytes()) {
            let mut line =
                line.map_err(|e| CliError::new(format!("{name}: {}", CliError::from_error(&e))))?;
            // Without a stated time it may be lifted to what somebody else appends first.
            line.draft.now = untimed.contains(&line.number);
            lines.push(line);
        }
        if lines.is_empty() {
            return Err(CliError::new(format!("{name} holds no event")).hint(EXAMPLE));
        }
        Ok(lines)
    }
}

const EXAMPLE: &str = r#"write one a line, for example {"stream":"people/omar","type":"people.player_known","payload":{"kind":"human","name":"Omar","player":"omar"}}"#;

fn in_line(name: &str, number: u64, error: &CliError) -> CliError {
    CliError::new(format!("{name}: line {number}: {error}"))
}

/// Whether a line is an event that does not say when it happened.
fn states_no_time(line: &str) -> bool {
    match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(fields)) => fields.get("effective_at").is_none_or(Value::is_null),
        _ => false,
    }
}

/// A line with its time filled in; what is no object is left to the reader of lines, whose error names it.
fn fill_in(line: &str, now: Micros, zone: &TimeZone) -> Result<String, CliError> {
    let Ok(Value::Object(mut fields)) = serde_json::from_str::<Value>(line) else {
        return Ok(line.to_owned());
    };
    canonical::check_unique(line).map_err(|e| CliError::from_error(&e))?;
    if let Some(Value::String(reserved)) = fields.get("type")
        && let Some(command) = command_that_writes(reserved)
    {
        return Err(CliError::new(format!("only the log itself writes `{reserved}`"))
            .hint(format!("`{command}` does it")));
    }
    let at = match fields.get("effective_at") {
        None | Some(Value::Null) => now,
        Some(Value::String(text)) => instant(text, zone)?,
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
        let est = annals_replay::point::zone("EST").unwrap();
        let filled = |line: &str| fill_in(line, 7, &est).unwrap();
        assert_eq!(filled(r#"{"type":"x"}"#), r#"{"effective_at":7,"type":"x"}"#);
        assert_eq!(filled(r#"{"effective_at":5}"#), r#"{"effective_at":5}"#);
        assert_eq!(filled(r#"{"effective_at":"1970-01-01T00:00"}"#), r#"{"effective_at":18000000000}"#);
        assert_eq!(filled("no json"), "no json");
        assert!(fill_in(r#"{"effective_at":"soon"}"#, 7, &est).is_err());
    }

    #[test]
    fn a_line_that_says_one_thing_twice_is_refused() {
        let utc = annals_replay::point::zone("UTC").unwrap();
        for line in [r#"{"type":"a","type":"b"}"#, r#"{"type":"a","payload":{"name":"x","name":"y"}}"#] {
            let error = fill_in(line, 7, &utc).unwrap_err().to_string();
            assert!(error.contains("comes twice"), "{error}");
        }
    }
}
