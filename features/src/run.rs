//! From archive files to rows: one thread reads, several play games and compute, one takes what is done in the order of the
//! files. Text becomes positions by the reader and the fold of `ingest` and nothing else. How many threads there are
//! changes nothing, and only so much is under way at a time.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use annals_ingest::playthrough::Playthrough;
use annals_ingest::row::Row;
use annals_ingest::row_events::{RowEvents, events};
use annals_ingest::run::pipeline::{self, Feed, Panicked, Shape, Stopped};
use annals_ingest::source::{
    self, Block, Blocks, Piece, RowRef, RowStatus, SourceEnd, SourceFile, SourceInfo, SourceRejected,
    discover,
};
use annals_rules::arimaa::{Generator, Phase};

use crate::columns::{Column, Group};
use crate::error::FeatureError;
use crate::filter::{Filter, LeftOut};
use crate::report::Report;
use crate::split::{FOLDS, fold_of, game_name};
use crate::subject::{GameFacts, Subject};
use crate::table::Table;

/// Rows from which on a table is given away, at the end of a game.
const ROWS: usize = 65_536;

/// Text that is worked on at a time: a whole block where rows are small, less where they are large, so that what is held
/// is bounded. It depends on the columns alone, for it decides where tables end.
const TEXT: usize = 8 << 20;
const TEXT_OF_LARGE_ROWS: usize = 1 << 20;
const LARGE_ROW: usize = 640;

/// What is to be made of archive files.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which games and positions.
    pub filter: Filter,
    /// Which columns; see [`crate::columns::named`].
    pub columns: Vec<&'static Column>,
    /// Into how many folds games are divided.
    pub folds: u32,
    /// Working threads.
    pub threads: usize,
    /// Set to true from another thread to stop; nothing is written then.
    pub cancel: Arc<AtomicBool>,
}

impl Options {
    /// Some columns of the paper's choice of games, with as many threads as the machine has.
    #[must_use]
    pub fn new(columns: Vec<&'static Column>) -> Options {
        Options {
            filter: Filter::default(),
            columns,
            folds: FOLDS,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            cancel: Arc::default(),
        }
    }
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// Bytes of the files read so far.
    pub bytes: u64,
    /// Bytes of all files.
    pub total: u64,
    /// Games so far.
    pub games: u64,
    /// Positions so far.
    pub positions: u64,
}

/// Somebody who wants to know how far it is.
pub trait Progress {
    /// Called some twenty times a second, always on the thread that began it.
    fn at(&self, moment: Moment);
}

/// Nobody wants to know.
impl Progress for () {
    fn at(&self, _: Moment) {}
}

impl From<Panicked> for FeatureError {
    fn from(Panicked(what): Panicked) -> FeatureError {
        FeatureError::Panicked { what }
    }
}

/// Computes all rows. `encode` makes of some rows what is kept of them, on a working thread; `take` gets that in order, on
/// the calling one.
pub(crate) fn run<C: Send>(
    sources: &[PathBuf],
    options: &Options,
    progress: &dyn Progress,
    encode: impl Fn(Table, &SourceInfo) -> Result<C, FeatureError> + Sync,
    mut take: impl FnMut(C) -> Result<(), FeatureError>,
) -> Result<Report, FeatureError> {
    let files = discover(sources)?;
    let total = files.iter().map(|file| file.bytes).sum();
    let counter = source::Progress::default();
    let mut report = Report::new(&options.filter, options.folds, &options.columns);
    let so_far = Cell::new(Moment { total, ..Moment::default() });
    let threads = options.threads.max(1);
    pipeline::run(
        Shape { threads, window: threads + 2 },
        |feed| read(&files, options, counter.clone(), feed),
        || Worker::new(options, &encode),
        |worker, job| worker.work(&job).map(Item::Part),
        |item| match item {
            Item::Part(part) => {
                report.games += part.games;
                report.positions += part.positions;
                for (why, rows) in LeftOut::ALL.into_iter().zip(part.left_out) {
                    report.leave_out(why, rows);
                }
                so_far.set(Moment { games: report.games, positions: report.positions, ..so_far.get() });
                part.done.into_iter().try_for_each(&mut take)
            }
            Item::OtherGames(games) => {
                report.leave_out(LeftOut::OtherGame, games);
                Ok(())
            }
            Item::End(end) => {
                report.source(end);
                Ok(())
            }
            Item::Rejected(rejected) => {
                report.not_read(&rejected);
                Ok(())
            }
        },
        || {
            progress.at(Moment { bytes: counter.bytes(), ..so_far.get() });
            match options.cancel.load(Ordering::Relaxed) {
                true => Err(FeatureError::Stopped),
                false => Ok(()),
            }
        },
    )?;
    report.close();
    if report.positions == 0 {
        return Err(FeatureError::Empty { rows: report.rows, why: report.why_empty() });
    }
    Ok(report)
}

/// Some rows of a block.
type Job = (Arc<Block>, Range<usize>);

/// What goes through the pipeline.
enum Item<C> {
    Part(Part<C>),
    /// So many games of a game file, none of them of Arimaa.
    OtherGames(u64),
    End(SourceEnd),
    Rejected(SourceRejected),
}

/// What became of a job.
struct Part<C> {
    done: Vec<C>,
    games: u64,
    positions: u64,
    /// By [`LeftOut::ALL`].
    left_out: [u64; LeftOut::ALL.len()],
}

/// The reading thread.
fn read<C>(
    files: &[SourceFile],
    options: &Options,
    counter: source::Progress,
    feed: &mut Feed<'_, Job, Item<C>, FeatureError>,
) -> Result<(), Stopped> {
    let width: usize = options.columns.iter().map(|column| column.kind.width()).sum();
    let text = if width > LARGE_ROW { TEXT_OF_LARGE_ROWS } else { TEXT };
    let mut ids = HashSet::new();
    for piece in Blocks::new(files, |id| !ids.insert(id)).with_progress(counter) {
        if options.cancel.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        match piece {
            Piece::Block(block) => {
                let block = Arc::new(block);
                for rows in parts(&block.rows, text) {
                    feed.job((Arc::clone(&block), rows))?;
                }
            }
            Piece::Games(found) => feed.ready(Item::OtherGames(found.games.len() as u64))?,
            Piece::End(end) => feed.ready(Item::End(end))?,
            Piece::Rejected(rejected) => feed.ready(Item::Rejected(rejected))?,
        }
    }
    Ok(())
}

/// Divides rows into runs of so much text, each with the row that makes it full.
fn parts(rows: &[RowRef], text: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, row) in rows.iter().enumerate() {
        bytes += row.len as usize;
        if bytes >= text {
            parts.push(start..at + 1);
            (start, bytes) = (at + 1, 0);
        }
    }
    if start < rows.len() {
        parts.push(start..rows.len());
    }
    parts
}

/// A working thread.
struct Worker<'o, F> {
    options: &'o Options,
    encode: &'o F,
    played: Playthrough,
    generator: RefCell<Generator>,
    table: Table,
    /// Whether somebody asks how often positions stood before.
    repetitions: bool,
}

impl<'o, F> Worker<'o, F> {
    fn new(options: &'o Options, encode: &'o F) -> Worker<'o, F> {
        Worker {
            options,
            encode,
            played: Playthrough::default(),
            generator: RefCell::default(),
            table: Table::new(&options.columns),
            repetitions: options.columns.iter().any(|column| column.group == Group::Modern),
        }
    }

    fn work<C>(&mut self, (block, rows): &Job) -> Result<Part<C>, FeatureError>
    where
        F: Fn(Table, &SourceInfo) -> Result<C, FeatureError>,
    {
        let mut part = Part { done: Vec::new(), games: 0, positions: 0, left_out: [0; LeftOut::ALL.len()] };
        let mut row_events = RowEvents::default();
        for row in block.rows.get(rows.clone()).unwrap_or_default() {
            match self.row(block, row, &mut row_events) {
                Ok(positions) => {
                    part.games += 1;
                    part.positions += positions;
                }
                Err(why) => part.left_out[why as usize] += 1,
            }
            if self.table.rows() >= ROWS {
                part.done.push((self.encode)(self.table.take(), &block.source)?);
            }
        }
        if self.table.rows() > 0 {
            part.done.push((self.encode)(self.table.take(), &block.source)?);
        }
        Ok(part)
    }

    /// Adds the positions of a game, the last one first, and says how many; or why there are none.
    fn row<'b>(
        &mut self,
        block: &'b Block,
        at: &RowRef,
        row_events: &mut RowEvents<'b>,
    ) -> Result<u64, LeftOut> {
        let filter = &self.options.filter;
        let id = match &at.status {
            RowStatus::New { id } => *id,
            RowStatus::Duplicate { id } if filter.duplicates => *id,
            RowStatus::Duplicate { .. } => return Err(LeftOut::Duplicate),
            RowStatus::Rejected(_) => return Err(LeftOut::Unreadable),
        };
        let mut row = Row::read(&block.columns, block.row_text(at));
        let generated = row.header.is_generated();
        if let Some(why) = filter.refuses(&row.header, generated) {
            return Err(why);
        }
        let (Some(winner), Some(termination)) = (row.header.result.winner(), row.header.termination) else {
            return Err(LeftOut::NoWinner);
        };
        if row.header.started_at.is_some() {
            // The server's log tells of clocks and of moves that it refused; no position comes of it.
            row.log = &[];
        }
        events(&row, row_events);
        self.played.play(&row_events.events);
        if !self.played.is_whole() {
            return Err(LeftOut::Illegal);
        }
        let game = GameFacts {
            id,
            fold: fold_of(&game_name(id), self.options.folds),
            source: block.source.ordinal,
            winner,
            termination,
            ratings: [row.header.gold.rating, row.header.silver.rating],
            rated: row.header.rated.unwrap_or_default(),
            generated,
        };
        self.positions(&game)
    }

    fn positions(&mut self, game: &GameFacts) -> Result<u64, LeftOut> {
        let filter = &self.options.filter;
        let plies: Vec<_> = self.played.standing().map(|(ply, _)| ply).collect();
        if plies.len() < 2 {
            return Err(LeftOut::Short);
        }
        let mut seen = vec![0; plies.len()];
        if self.repetitions {
            let mut times: HashMap<u64, u32> = HashMap::new();
            for (ply, seen) in plies.iter().zip(&mut seen) {
                let times = times.entry(ply.hash_after).or_default();
                *seen = *times;
                *times += 1;
            }
        }
        let most = filter.max_height.map_or(usize::MAX, |most| most as usize);
        let before = self.table.rows();
        let heights = 0..u32::MAX;
        for ((height, (place, ply)), seen) in
            heights.zip(plies.iter().enumerate().rev()).zip(seen.iter().rev()).take(most)
        {
            // Rows of an archive are games of Arimaa.
            let Some(state) = ply.state_after.arimaa() else { continue };
            if !filter.setup && state.phase() == Phase::SilverSetup {
                continue;
            }
            self.table.push(&Subject {
                position: state.position(),
                game,
                ply: u32::try_from(place + 1).unwrap_or(u32::MAX),
                height,
                seen: *seen,
                generator: &self.generator,
                threats: [OnceCell::new(), OnceCell::new()],
            });
        }
        match self.table.rows() - before {
            0 => Err(LeftOut::NoPosition),
            positions => Ok(positions as u64),
        }
    }
}
