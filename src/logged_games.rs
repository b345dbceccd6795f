//! The games of the home's log on their way into the dataset: each as it stands now, corrections in place.

use annals_events::log::Imported;
use annals_events::{Entry, Event, GameEvent, LOG_STREAM, LogEvent, RawEnvelope, StreamName, TimeNote};
use annals_ingest::game_files::stated_start;
use annals_ingest::run::{IngestError, LogSource, LoggedEvent, LoggedGame};
use annals_ingest::source::SourceDigest;
use annals_replay::timeline::EffectiveEvent;
use annals_replay::{Cut, Finding, Projection, Replayed, Scope};
use annals_store::Log;

use crate::errors::CliError;

/// The events of one game, gathered as they stand.
#[derive(Debug, Default)]
struct Gathered {
    events: Vec<LoggedEvent>,
}

impl Projection for Gathered {
    fn apply(&mut self, standing: &EffectiveEvent<'_>) {
        let entry = Entry::from_payload(standing.event_type, standing.schema, standing.payload);
        // An event that cannot be read is kept: whoever reads it next says so, with its place.
        let (time, begins) = entry.map_or((None, false), |entry| {
            (entry.time, matches!(entry.event, Event::Game(GameEvent::Started(_))))
        });
        let stated_at = match time {
            Some(TimeNote::Lifted { stated_at }) => Some(stated_at),
            _ => None,
        };
        // Of a start the day may be known where the time is not.
        let known = time != Some(TimeNote::Unknown);
        let at = match begins {
            true => stated_start(standing.effective_at, known),
            false => known.then_some(standing.effective_at),
        };
        self.events.push(LoggedEvent {
            seq: standing.seq,
            at,
            stated_at,
            event_type: standing.event_type.to_owned(),
            schema: standing.schema,
            payload: standing.payload.to_owned(),
        });
    }

    /// What the fold finds about corrections concerns `annals log verify`.
    fn find(&mut self, _: Finding) {}
}

/// The imports of files with these names, as the log itself records them: the file, and the event.
pub fn imports_of(log: &Log, names: &[&str]) -> Result<Vec<(String, u64)>, CliError> {
    let stream: StreamName = LOG_STREAM.parse()?;
    let import = |event: &RawEnvelope| match event.decode() {
        Ok(Event::Log(LogEvent::Imported(Imported { source, .. }))) if names.contains(&source.as_str()) => {
            Some((source, event.seq))
        }
        _ => None,
    };
    Ok(log.stream(&stream, u64::MAX)?.iter().filter_map(import).collect())
}

/// The log up to its head as a source of the dataset. All that is stored of it follows from that head.
pub struct LogAtHead<'l> {
    log: &'l Log,
    last: u64,
    /// What the dataset lists.
    pub source: LogSource,
}

impl<'l> LogAtHead<'l> {
    /// Reads the head, once: what is appended from now on does not count.
    pub fn of(log: &'l Log) -> Result<LogAtHead<'l>, CliError> {
        let head = log.head()?;
        let size = std::fs::metadata(log.path()).map_or(0, |found| found.len());
        // The hash of the last event covers every event before it.
        let source = LogSource { name: format!("log {}", head.log), digest: SourceDigest(head.hash.0), size };
        Ok(LogAtHead { log, last: head.seq, source })
    }

    /// The games, in the order of their names.
    pub fn games(&self) -> Result<impl Iterator<Item = Result<LoggedGame, IngestError>>, CliError> {
        let streams = self.log.streams(Some("game"))?;
        let games = streams.into_iter().map(|stream| self.game(stream.name));
        // A game that began behind the head has no event before it.
        Ok(games.filter(|game| game.as_ref().map_or(true, |game| !game.events.is_empty())))
    }

    fn game(&self, stream: StreamName) -> Result<LoggedGame, IngestError> {
        let name = stream.as_str().to_owned();
        let gathered =
            Replayed::<Gathered>::rebuild(self.log, Scope::Stream(stream), &Cut::at_seq(self.last))
                .map_err(|error| IngestError::Log { what: error.to_string() })?;
        Ok(LoggedGame { stream: name, events: gathered.into_state().events })
    }
}
