//! The games of the home's log on their way into the dataset, up to the head of the log.

use annals_ingest::run::{IngestError, LogSource, LoggedEvent, LoggedGame};
use annals_ingest::source::SourceDigest;
use annals_replay::effective_events::effective_events;
use annals_replay::{Cut, ReplayError};
use annals_store::{Log, ReadError};

/// The log as a source of the dataset: the hash of its last event covers every event before it.
pub fn source_of(log: &Log) -> Result<(LogSource, Cut), ReadError> {
    let head = log.head()?;
    let size = std::fs::metadata(log.path()).map_or(0, |found| found.len());
    let source = LogSource { name: format!("log {}", head.log), digest: SourceDigest(head.hash.0), size };
    Ok((source, Cut::at_seq(head.seq)))
}

/// The games in the order of their names. A game that began after the point has no event, and is left out.
pub fn games(
    log: &Log,
    cut: Cut,
) -> Result<impl Iterator<Item = Result<LoggedGame, IngestError>>, ReadError> {
    let game = move |stream: annals_store::StreamInfo| {
        let events = effective_events(log, stream.name.clone(), &cut)?.into_iter();
        let events = events
            .map(|e| LoggedEvent::new(e.seq, e.effective_at, e.event_type, e.schema, e.payload))
            .collect();
        Ok(LoggedGame { stream: stream.name.to_string(), events })
    };
    let unreadable = |error: ReplayError| IngestError::Log { what: error.to_string() };
    let games = log.streams(Some("game"))?.into_iter().map(move |stream| game(stream).map_err(unreadable));
    Ok(games.filter(|game| game.as_ref().map_or(true, |game| !game.events.is_empty())))
}
