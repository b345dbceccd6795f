//! An event as a line of JSON, as exports and what is saved of a damaged log have it.

use std::fmt::Write as _;

use annals_events::log::ClockKind;
use serde_json::Value;

use crate::row::EventRef;

/// The mark of each line of a simulated log.
const SIMULATED: &str = r#""clock":"simulated","#;

impl EventRef<'_> {
    /// Appends canonical JSON: keys in order, payload as stored. The line of a simulated log states its clock.
    pub fn write_json_line(&self, clock: ClockKind, line: &mut String) {
        let text = |text: &str| Value::String(text.to_owned()).to_string();
        let clock = match clock {
            ClockKind::Simulated => SIMULATED,
            ClockKind::Real => "",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            line,
            r#"{{"actor":{},{clock}"effective_at":{},"hash":"{}","id":"{}","payload":{},"recorded_at":{},"schema":{},"seq":{},"stream":{},"type":{},"version":{}}}"#,
            text(self.actor),
            self.effective_at,
            self.hash,
            self.id,
            self.payload,
            self.recorded_at,
            self.schema,
            self.seq,
            text(self.stream),
            text(self.event_type),
            self.version,
        );
    }
}
