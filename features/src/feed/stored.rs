//! Stored games: selects from windows of the table of games, in source order.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use annals_ingest::location::Location;
use annals_ingest::manifest::ManifestError;
use annals_ingest::run::pipeline::Stopped;
use annals_ingest::source::SourceInfo;
use annals_ingest::stored_games::{
    OpenSource, SourceNotStored, StoredGame, StoredGamesError, StoredSource, Wanted, Window, of_dataset,
    of_files,
};

use super::{Counts, Cuts, Games, Item, Job, ReadFeed, Reading};
use crate::error::FeatureError;
use crate::filter::LeftOut;
use crate::report::{SourceNotRead, SourceRead};
use crate::sources::Sources;
use crate::subject::GameFacts;

pub(crate) struct StoredSources {
    sources: Vec<StoredSource>,
    not_stored: Vec<SourceNotStored>,
}

impl StoredSources {
    /// None for archive files.
    pub fn of(sources: Sources<'_>) -> Result<Option<StoredSources>, FeatureError> {
        let (sources, not_stored) = match sources {
            Sources::Archive(_) => return Ok(None),
            Sources::Dataset(path) => {
                let location = Location::parse(&path.to_string_lossy()).map_err(ManifestError::from);
                of_dataset(&location.map_err(StoredGamesError::from)?)?
            }
            Sources::Tables(files) => (of_files(files)?, Vec::new()),
        };
        Ok(Some(StoredSources { sources, not_stored }))
    }

    /// Of the original text, or of the files.
    pub fn bytes(&self) -> u64 {
        self.sources.iter().map(|source| source.bytes).sum()
    }
}

/// In order.
pub(crate) fn stored<C>(
    stored: &StoredSources,
    reading: &Reading<'_>,
    feed: &mut ReadFeed<'_, C>,
) -> Result<(), Stopped> {
    for SourceNotStored { name, reason } in stored.not_stored.iter().cloned() {
        feed.ready(Item::NotRead(SourceNotRead { name, reason }))?;
    }
    let mut ids = HashSet::new();
    for (source, number) in stored.sources.iter().zip(0..) {
        let mut rows = source.rows.unwrap_or_default();
        match source.open() {
            Ok(Some(open)) => {
                rows = source.rows.unwrap_or_else(|| open.games());
                let info = SourceInfo { name: source.name.clone(), path: PathBuf::new(), ordinal: number };
                let (source, open) = (Arc::new(info), Arc::new(open));
                let cuts = Cuts::new(reading.options);
                let mut one =
                    One { source, open, reading, ids: &mut ids, cuts, plies: 0, jobs: Chosen::default() };
                one.read(feed)?;
            }
            Ok(None) => {}
            Err(error) => return fail(feed, error.into()),
        }
        reading.progress.add(source.bytes);
        let mut left_out: Counts = Default::default();
        left_out[LeftOut::Duplicate as usize] = source.duplicates;
        left_out[LeftOut::Unreadable as usize] = source.unreadable;
        feed.ready(Item::LeftOut(left_out))?;
        let read = SourceRead {
            number,
            name: source.name.clone(),
            digest: source.digest.clone(),
            bytes: source.bytes,
            incomplete: source.incomplete.clone(),
        };
        feed.ready(Item::End(rows, read))?;
    }
    Ok(())
}

fn fail<C>(feed: &mut ReadFeed<'_, C>, error: FeatureError) -> Result<(), Stopped> {
    feed.ready(Item::Failed(error))?;
    Err(Stopped)
}

/// The next job's games.
#[derive(Default)]
struct Chosen {
    facts: Vec<GameFacts>,
    wanted: Vec<Wanted>,
}

/// A window's game: position in its source, number, and selected content.
type Waiting = (u64, u64, Result<Box<(GameFacts, Wanted)>, LeftOut>);

struct One<'r> {
    source: Arc<SourceInfo>,
    open: Arc<OpenSource>,
    reading: &'r Reading<'r>,
    ids: &'r mut HashSet<u64>,
    cuts: Cuts,
    /// Of all games.
    plies: u64,
    jobs: Chosen,
}

impl One<'_> {
    fn read<C>(&mut self, feed: &mut ReadFeed<'_, C>) -> Result<(), Stopped> {
        let windows = match self.open.windows() {
            Ok(windows) => windows,
            Err(error) => return fail(feed, error.into()),
        };
        for window in &windows {
            self.reading.may_go_on()?;
            let mut waiting = match self.window(window) {
                Ok(waiting) => waiting,
                Err(error) => return fail(feed, error),
            };
            waiting.sort_unstable_by_key(|(byte_offset, id, _)| (*byte_offset, *id));
            let mut left_out: Counts = Default::default();
            for (byte_offset, _, game) in waiting {
                let plies = game.as_ref().map_or(0, |game| game.1.plies);
                if self.cuts.before(byte_offset, true, plies) {
                    self.job(feed)?;
                }
                match game {
                    Ok(game) => {
                        self.jobs.facts.push(game.0);
                        self.jobs.wanted.push(game.1);
                    }
                    Err(why) => left_out[why as usize] += 1,
                }
            }
            feed.ready(Item::LeftOut(left_out))?;
        }
        self.job(feed)?;
        match self.open.check_turns(self.plies) {
            Ok(()) => Ok(()),
            Err(error) => fail(feed, error.into()),
        }
    }

    fn window(&mut self, window: &Window) -> Result<Vec<Waiting>, FeatureError> {
        let mut waiting = Vec::new();
        let open = Arc::clone(&self.open);
        open.read(window, |game| {
            if !self.ids.insert(game.id) {
                return Err(open.repeated(game));
            }
            self.plies = self.plies.saturating_add(u64::from(game.plies));
            waiting.push((game.byte_offset, game.id, self.chosen(game)));
            Ok(())
        })?;
        Ok(waiting)
    }

    fn chosen(&self, game: &StoredGame<'_>) -> Result<Box<(GameFacts, Wanted)>, LeftOut> {
        let facts = self.reading.options.choose(game.id, game.game, self.source.ordinal, &game.header)?;
        match game.whole {
            true => Ok(Box::new((facts, game.wanted()))),
            false => Err(LeftOut::Illegal),
        }
    }

    fn job<C>(&mut self, feed: &mut ReadFeed<'_, C>) -> Result<(), Stopped> {
        let Chosen { facts, wanted } = std::mem::take(&mut self.jobs);
        if facts.is_empty() {
            return Ok(());
        }
        let games = Games::Stored(Arc::clone(&self.open), facts, wanted);
        feed.job(Job { source: Arc::clone(&self.source), games })
    }
}
