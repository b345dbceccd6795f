use std::io::{self, Write};
use std::ops::ControlFlow;

use annals_events::StreamName;
use annals_events::log::ClockKind;
use annals_store::{EventRef, Log, ReadError};
use serde_json::Value;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the export cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Writes the events of some streams, or of the whole log if none is named, as JSON lines in the order of the log; returns their number. The
/// lines of a simulated log state their clock.
///
/// # Errors
/// When the log cannot be read, or the writer fails.
pub fn export(log: &Log, streams: &[StreamName], mut to: impl Write) -> Result<u64, ExportError> {
    let mut written = 0;
    let mut line = String::new();
    let clock = match log.opened().clock {
        ClockKind::Simulated => SIMULATED,
        ClockKind::Real => "",
    };
    let mut each = |event: EventRef<'_>| {
        if streams.len() > 1 && streams.iter().all(|stream| stream.as_str() != event.stream) {
            return Ok(ControlFlow::Continue(()));
        }
        line.clear();
        write_line(&mut line, &event, clock);
        to.write_all(line.as_bytes())?;
        written += 1;
        Ok::<_, ExportError>(ControlFlow::Continue(()))
    };
    match streams {
        [stream] => log.scan_stream(stream, u64::MAX, each)?,
        _ => log.scan(1..=u64::MAX, &mut each)?,
    }
    to.flush()?;
    Ok(written)
}

/// The mark of each line of a simulated log.
const SIMULATED: &str = r#""clock":"simulated","#;

/// Canonical JSON: keys in order, payload as stored.
fn write_line(line: &mut String, event: &EventRef<'_>, clock: &str) {
    use std::fmt::Write as _;
    let text = |text: &str| Value::String(text.to_owned()).to_string();
    // Writing to a string cannot fail.
    let _ = writeln!(
        line,
        r#"{{"actor":{},{clock}"effective_at":{},"hash":"{}","id":"{}","payload":{},"recorded_at":{},"schema":{},"seq":{},"stream":{},"type":{},"version":{}}}"#,
        text(event.actor),
        event.effective_at,
        event.hash,
        event.id,
        event.payload,
        event.recorded_at,
        event.schema,
        event.seq,
        text(event.stream),
        text(event.event_type),
        event.version,
    );
}
