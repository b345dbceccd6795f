//! The mark of a simulated log in its JSON lines: the `clock` of each line, and that of `log.opened`.

use std::io::{self, BufRead, Read as _};

use annals_events::Micros;
use annals_events::log::{ClockKind, Opened};
use serde::Deserialize;

use super::MAX_LINE;

/// What a line states of the clock; every other member is ignored.
#[derive(Deserialize)]
struct Stamp {
    clock: Option<ClockKind>,
    recorded_at: Option<Micros>,
    #[serde(rename = "type")]
    event_type: Option<String>,
}

#[derive(Deserialize)]
struct Opening {
    payload: Opened,
}

/// The latest time at which a line with the mark of a simulated log was recorded; 0 if these lines state none, and none without such
/// a line. A line that is not an event is left to the import.
///
/// # Errors
/// When the lines cannot be read.
pub fn simulated_until(mut from: impl BufRead) -> io::Result<Option<Micros>> {
    let (mut until, mut line) = (None, Vec::new());
    loop {
        line.clear();
        let read = (&mut from).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 || read > MAX_LINE {
            return Ok(until);
        }
        let Ok(stamp) = serde_json::from_slice::<Stamp>(&line) else { continue };
        let opens = stamp.event_type.as_deref() == Some("log.opened");
        let opening = || serde_json::from_slice::<Opening>(&line).ok().map(|line| line.payload.clock);
        let clock = stamp.clock.or_else(|| opening().filter(|_| opens));
        if clock == Some(ClockKind::Simulated) {
            until = until.max(Some(stamp.recorded_at.unwrap_or(0)));
        }
    }
}
