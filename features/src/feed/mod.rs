//! The reading thread: from archive files or stored games to the same jobs. Jobs determine row groups, so their limits
//! depend only on a game's position in its source.

mod archive;
mod stored;

use std::ops::Range;
use std::sync::Arc;

use annals_ingest::run::pipeline::{Feed, Stopped};
use annals_ingest::source::{Block, FoundGame, Progress, SourceInfo};
use annals_ingest::stored_games::{OpenSource, Wanted};

use crate::error::FeatureError;
use crate::filter::LeftOut;
use crate::options::Options;
use crate::report::{SourceNotRead, SourceRead};
use crate::subject::GameFacts;

pub(crate) use archive::archive;
pub(crate) use stored::{StoredSources, stored};

/// Text per job: bounds memory with large rows.
const TEXT: u64 = 8 << 20;
const TEXT_OF_LARGE_ROWS: u64 = 1 << 20;
const LARGE_ROW: usize = 640;

/// Most games per job.
const GAMES: u32 = 1_024;

/// Most plies per job, by the table of games; archive text has fewer per byte.
const PLIES_PER_BYTE: u64 = 4;

/// Of one source.
pub(crate) struct Job {
    pub source: Arc<SourceInfo>,
    pub games: Games,
}

pub(crate) enum Games {
    /// From blocks of an archive file.
    Rows(Vec<(Arc<Block>, Range<usize>)>),
    /// Of a game file.
    Found(Vec<FoundGame>),
    /// Selected stored games, without turns yet.
    Stored(Arc<OpenSource>, Vec<GameFacts>, Vec<Wanted>),
}

pub(crate) enum Item<C> {
    Part(Part<C>),
    /// By [`LeftOut::ALL`]: games excluded while reading stored ones.
    LeftOut(Counts),
    /// The end of a source, with its number of rows.
    End(u64, SourceRead),
    NotRead(SourceNotRead),
    Failed(FeatureError),
}

/// Excluded games by [`LeftOut::ALL`].
pub(crate) type Counts = [u64; LeftOut::ALL.len()];

/// The result of a job.
pub(crate) struct Part<C> {
    pub done: Vec<C>,
    pub games: u64,
    pub positions: u64,
    pub left_out: Counts,
}

pub(crate) type ReadFeed<'f, C> = Feed<'f, Job, Item<C>, FeatureError>;

/// Decides where a job ends: at a piece of text, and after a number of games.
struct Cuts {
    text: u64,
    place: u64,
    games: u32,
    plies: u64,
}

impl Cuts {
    fn new(options: &Options) -> Cuts {
        let width: usize = options.columns.iter().map(|column| column.kind.width()).sum();
        let text = if width > LARGE_ROW { TEXT_OF_LARGE_ROWS } else { TEXT };
        Cuts { text, place: 0, games: 0, plies: 0 }
    }

    /// Whether this position begins a job. `game`: it is stored as a game.
    fn before(&mut self, byte_offset: u64, game: bool, plies: u32) -> bool {
        let place = byte_offset / self.text;
        let games = self.games + u32::from(game);
        let plies_now = self.plies + u64::from(plies);
        let begins = place != self.place || games > GAMES || plies_now > self.text / PLIES_PER_BYTE;
        match begins {
            true => (self.place, self.games, self.plies) = (place, u32::from(game), u64::from(plies)),
            false => (self.games, self.plies) = (games, plies_now),
        }
        begins
    }

    fn restart(&mut self) {
        (self.place, self.games, self.plies) = (0, 0, 0);
    }
}

/// The reading thread's input.
pub(crate) struct Reading<'r> {
    pub options: &'r Options,
    pub progress: Progress,
}

impl Reading<'_> {
    fn may_go_on(&self) -> Result<(), Stopped> {
        match self.options.cancel.load(std::sync::atomic::Ordering::Relaxed) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}
