use std::io::{self, Write};
use std::ops::ControlFlow;

use annals_events::StreamName;
use annals_store::{EventRef, Log, ReadError};

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
    let clock = log.opened().clock;
    let mut each = |event: EventRef<'_>| {
        if streams.len() > 1 && streams.iter().all(|stream| stream.as_str() != event.stream) {
            return Ok(ControlFlow::Continue(()));
        }
        line.clear();
        event.write_json_line(clock, &mut line);
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
