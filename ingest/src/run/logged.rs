//! The games of an event log as a source of the dataset, through the same fold and columns as archive rows. The games
//! of a log replace those stored from it before. A game stored from an archive file remains; the log's game is then in
//! `rejects`, with a reason that states whether both are the same.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Instant;

use annals_events::{Entry, Event, GameEvent, TimeNote};

use super::error::{IngestError, UnreadableEvent};
use super::filed::FiledGames;
use super::same_game::GameDigest;
use super::stored_games::StoredGames;
use super::worker::{BlockDone, Encoders, RejectedRow, Tally, Why, Worker};
use super::writer::Writer;
use super::{Moment, Options, Progress, Run, Stage, started_from};
use crate::game_files::stated_start;
use crate::game_number::{game_number, started};
use crate::game_record::{Provenance, TimedEvent};
use crate::manifest::{InputEntry, Manifest};
use crate::source::{SourceDigest, SourceEnd, SourceInfo};
use crate::summary::{DatasetSummary, Summary};
use crate::write::{FinishedInput, FinishedSource, Journal, Lock, Staging};

/// Games per batch.
const GAMES_AT_A_TIME: usize = 2_048;

/// An event of a logged game, corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    pub seq: u64,
    /// When it happened, microseconds since the epoch; none if unknown.
    pub at: Option<i64>,
    /// Stated time, if before an event that it depends on.
    pub stated_at: Option<i64>,
    pub event_type: String,
    /// Of its payload.
    pub schema: u32,
    pub payload: String,
}

impl LoggedEvent {
    /// An event as it is filed in the log under `effective_at`.
    #[must_use]
    pub fn new(seq: u64, effective_at: i64, event_type: String, schema: u32, payload: String) -> LoggedEvent {
        // An event that cannot be read is kept; its reader reports it with its place.
        let entry = Entry::from_payload(&event_type, schema, &payload);
        let (time, begins) = entry.map_or((None, false), |entry| {
            (entry.time, matches!(entry.event, Event::Game(GameEvent::Started(_))))
        });
        let stated_at = match time {
            Some(TimeNote::Lifted { stated_at }) => Some(stated_at),
            _ => None,
        };
        // Of a start the day may be known where the time is not.
        let is_period = matches!(time, Some(TimeNote::Stated(_)));
        let known = !is_period && time != Some(TimeNote::Unknown);
        let at = match begins {
            // The beginning of a month, a season or a year: games are in order by it.
            true => stated_start(effective_at, known || is_period),
            false => known.then_some(effective_at),
        };
        LoggedEvent { seq, at, stated_at, event_type, schema, payload }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedGame {
    /// For example `game/arimaa-669192`.
    pub stream: String,
    /// In log order.
    pub events: Vec<LoggedEvent>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSource {
    /// In the dataset; constant for a log.
    pub name: String,
    /// The digest of its head.
    pub digest: SourceDigest,
    /// Approximate bytes, for progress.
    pub size: u64,
}

/// Stores a log's games, replacing those of the same log. Annulled games are stored as not rated. An unchanged log is
/// skipped.
///
/// # Errors
/// As [`super::ingest`]; the first error of `games`, after which the dataset is unchanged.
pub fn ingest_log(
    options: &Options,
    source: &LogSource,
    games: impl Iterator<Item = Result<LoggedGame, IngestError>>,
    progress: &dyn Progress,
) -> Result<Summary, IngestError> {
    let begun = Instant::now();
    let _lock = Lock::acquire(&options.dataset)?;
    let (manifest, old) = started_from(&options.dataset, &[])?;
    let digest = source.digest.to_string();
    let mut summary = Summary::default();
    if manifest.inputs.iter().any(|input| input.digest == digest) {
        summary.unchanged.push(source.name.clone());
        summary.dataset = DatasetSummary::of(&manifest);
        return Ok(summary);
    }
    let staging = Staging::open(&options.dataset)?;
    staging.clean(&manifest, &old, &[])?;
    let (rest, years) = without(manifest, &source.name);
    let mut run = Run { old, ..Run::new(options, progress, rest, staging) };
    let result = run.read_log(source, games).and_then(|journal| run.publish(&journal, &years));
    run.staging.remove();
    result?;
    run.finish(begun)
}

/// The manifest without an input's content, and the affected years.
fn without(mut manifest: Manifest, input: &str) -> (Manifest, BTreeSet<i16>) {
    let (gone, kept): (Vec<InputEntry>, _) =
        std::mem::take(&mut manifest.inputs).into_iter().partition(|entry| entry.name == input);
    manifest.inputs = kept;
    let sources: HashSet<&String> = gone.iter().flat_map(|entry| entry.sources.iter()).collect();
    manifest.sources.retain(|entry| !sources.contains(&entry.digest));
    let mut years = BTreeSet::new();
    manifest.files.retain(|file| {
        let goes = file.source.as_ref().is_some_and(|source| sources.contains(source));
        years.extend(file.year.filter(|_| goes));
        !goes
    });
    (manifest, years)
}

impl Run<'_> {
    fn read_log(
        &mut self,
        source: &LogSource,
        games: impl Iterator<Item = Result<LoggedGame, IngestError>>,
    ) -> Result<Journal, IngestError> {
        let stored = &self.stored_games(self.manifest.files.iter())?;
        let encoders = Encoders::new()?;
        let mut worker = Worker::new(&encoders, stored, self.options.counts);
        let mut writer = Writer::new(&encoders, HashSet::new(), stored, true)?;
        let mut filed = FiledGames::of(&self.options.dataset);
        let mut games = games.peekable();
        let (mut rows, mut bytes) = (0, 0);
        let mut so_far = Moment { stage: Stage::Reading, bytes: 0, total: source.size, games: 0, turns: 0 };
        while games.peek().is_some() {
            let chunk: Vec<LoggedGame> = games.by_ref().take(GAMES_AT_A_TIME).collect::<Result<_, _>>()?;
            rows += chunk.len() as u64;
            bytes += chunk.iter().flat_map(|game| &game.events).map(|e| e.payload.len() as u64).sum::<u64>();
            let done = worker.logged(&source.name, &chunk, stored, &mut filed)?;
            so_far.games += done.tally.accepted + done.tally.flagged;
            so_far.turns += done.tally.turns;
            so_far.bytes = source.size.min(bytes);
            writer.block(&source.name, done, &mut self.staging)?;
            self.progress.at(so_far);
            stored.check()?;
            self.may_go_on()?;
        }
        let info = SourceInfo { name: source.name.clone(), path: source.name.clone().into(), ordinal: 0 };
        let end = SourceEnd {
            source: Arc::new(info),
            digest: source.digest,
            bytes,
            lines: rows,
            rows,
            incomplete: None,
            other_columns: Vec::new(),
            missing_columns: Vec::new(),
        };
        let finished: FinishedSource = writer.end(&end, &mut self.staging)?;
        let digest = source.digest.to_string();
        let entry = InputEntry {
            name: source.name.clone(),
            digest: digest.clone(),
            bytes,
            sources: vec![digest],
            rejected: Vec::new(),
        };
        let input = FinishedInput { entry, whole: true, sources: vec![finished] };
        Ok(Journal { inputs: vec![input], ..Journal::default() })
    }
}

impl Worker<'_> {
    /// Stores a batch of games, comparing those stored from files.
    fn logged(
        &mut self,
        source: &str,
        games: &[LoggedGame],
        stored: &StoredGames,
        filed: &mut FiledGames<'_>,
    ) -> Result<BlockDone, IngestError> {
        let mut done = BlockDone::empty(Tally { rows: games.len() as u64, ..Tally::default() });
        let mut numbered = Vec::with_capacity(games.len());
        for game in games {
            let (events, digest) = read(game, |event| event.at)?;
            let number = game_number(&game.stream, &events);
            // Of two records of a game the one in a tournament is kept.
            let alone = started(&events).is_none_or(|started| started.pairing.is_none());
            numbered.push((number, alone, game, events, digest));
        }
        numbered.sort_by_key(|(number, alone, ..)| (*number, *alone));
        let mut in_files = BTreeMap::new();
        for (number, _, game, events, digest) in numbered {
            let first = game.events.first().map_or(0, |event| event.seq);
            if stored.claim(number) {
                let bytes = game.events.iter().map(|event| event.payload.len() as u64).sum();
                let of_file = stored.record(number)?.is_some_and(|record| !record.of_log);
                let why = match of_file {
                    true => {
                        let (stated, _) = read(game, |event| event.stated_at.or(event.at))?;
                        in_files.entry(number).or_insert_with(|| self.compared(&stated));
                        Why::InFile { id: number, difference: None }
                    }
                    false => Why::Duplicate { id: number, events: Some(digest) },
                };
                done.rejected.push(RejectedRow {
                    byte_offset: first,
                    line: first,
                    bytes,
                    digest: Some(digest),
                    why,
                });
                continue;
            }
            let stream = Some(game.stream.as_str());
            let provenance = Provenance { source, byte_offset: first, line: first, digest, stream };
            self.events(number, &events, None, provenance, &mut done)?;
        }
        let differences = filed.differences(&in_files)?;
        for row in &mut done.rejected {
            if let Why::InFile { id, difference } = &mut row.why {
                *difference = differences.get(id).cloned();
            }
        }
        self.finish(&mut done)?;
        Ok(done)
    }
}

/// A logged game's events with effective times, and their digest, with stated times.
fn read(
    game: &LoggedGame,
    at: impl Fn(&LoggedEvent) -> Option<i64>,
) -> Result<(Vec<TimedEvent<'_>>, [u8; 16]), UnreadableEvent> {
    let mut digest = GameDigest::default();
    let mut events = Vec::with_capacity(game.events.len());
    for event in &game.events {
        let read = Event::from_payload(&event.event_type, event.schema, &event.payload)
            .map_err(|error| UnreadableEvent { seq: event.seq, error })?;
        if let Event::Game(read) = read {
            digest.add(event.stated_at.or(event.at), &read);
            events.push((at(event), read));
        }
    }
    Ok((events, digest.finish()))
}
