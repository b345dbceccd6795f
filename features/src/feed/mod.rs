//! The reading thread: from archive files, or from stored games, to jobs of the same games. Where a job ends decides where the
//! tables end that are written as row groups, so it depends on the place of a game in its source alone, and not on what
//! the source was read from.

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

/// Text that is worked on at a time: a whole block where rows are small, less where they are large, so that what is held
/// is bounded.
const TEXT: u64 = 8 << 20;
const TEXT_OF_LARGE_ROWS: u64 = 1 << 20;
const LARGE_ROW: usize = 640;

/// The most games of a job.
const GAMES: u32 = 1_024;

/// The most plies of a job, by what a table of games says of them. No text of an archive has as many to a byte.
const PLIES_PER_BYTE: u64 = 4;

/// Some games of one source.
pub(crate) struct Job {
    pub source: Arc<SourceInfo>,
    pub games: Games,
}

/// Games as they were read.
pub(crate) enum Games {
    /// Rows of blocks of an archive file.
    Rows(Vec<(Arc<Block>, Range<usize>)>),
    /// Games of a game file.
    Found(Vec<FoundGame>),
    /// Stored games that are chosen; their turns are not read yet.
    Stored(Arc<OpenSource>, Vec<GameFacts>, Vec<Wanted>),
}

/// What goes through the pipeline.
pub(crate) enum Item<C> {
    Part(Part<C>),
    /// By [`LeftOut::ALL`]: what was left out when stored games were read.
    LeftOut(Counts),
    /// A source is done, with the number of its rows.
    End(u64, SourceRead),
    NotRead(SourceNotRead),
    Failed(FeatureError),
}

/// How much was left out, by [`LeftOut::ALL`].
pub(crate) type Counts = [u64; LeftOut::ALL.len()];

/// What became of a job.
pub(crate) struct Part<C> {
    pub done: Vec<C>,
    pub games: u64,
    pub positions: u64,
    pub left_out: Counts,
}

/// Where the reading thread puts what it reads.
pub(crate) type ReadFeed<'f, C> = Feed<'f, Job, Item<C>, FeatureError>;

/// Says where a job ends: where the games of the next piece of text begin, and after so many games.
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

    /// Whether what stands at that place of the source begins a job. `game` is said of what is stored as a game.
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

    /// A new source.
    fn restart(&mut self) {
        (self.place, self.games, self.plies) = (0, 0, 0);
    }
}

/// What the reading thread is given.
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
