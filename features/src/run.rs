//! From games to rows: one thread reads, several play games and compute, one takes what is done in the order of the sources.
//! Games become positions by the fold of `ingest` and nothing else, whether they come from archive files or from a
//! dataset. How many threads there are changes nothing, and only so much is under way at a time.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use annals_ingest::run::pipeline::{self, Panicked, Shape};
use annals_ingest::source::{self, SourceInfo, discover};

use crate::error::FeatureError;
use crate::feed::{self, Item, Reading, StoredSources};
use crate::filter::LeftOut;
use crate::options::Options;
use crate::report::Report;
use crate::sources::Sources;
use crate::table::FeatureTable;
use crate::worker::Worker;

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
    encode: impl Fn(FeatureTable, &SourceInfo) -> Result<C, FeatureError> + Sync,
    mut take: impl FnMut(C) -> Result<(), FeatureError>,
) -> Result<Report, FeatureError> {
    options.check()?;
    let sources = Sources::of(sources)?;
    let stored = StoredSources::of(sources)?;
    if stored.is_some() && options.filter.duplicates {
        return Err(FeatureError::NotStored { what: "rows of games that came before" });
    }
    let files = match sources {
        Sources::Archive(paths) => discover(paths)?,
        _ => Vec::new(),
    };
    let bytes = || files.iter().map(|file| file.bytes).sum();
    let total = stored.as_ref().map_or_else(bytes, StoredSources::bytes);
    let counter = source::Progress::default();
    let reading = Reading { options, progress: counter.clone() };
    let mut report = Report::new(&options.filter, options.folds, &options.columns);
    let so_far = Cell::new(Moment { total, ..Moment::default() });
    let threads = options.threads.max(1);
    pipeline::run(
        Shape { threads, window: threads + 2 },
        |feed| match &stored {
            Some(stored) => feed::stored(stored, &reading, feed),
            None => feed::archive(&files, &reading, feed),
        },
        || Worker::new(options, &encode),
        |worker, job| worker.work(job).map(Item::Part),
        |item| match item {
            Item::Part(part) => {
                report.games += part.games;
                report.positions += part.positions;
                leave_out(&mut report, part.left_out);
                so_far.set(Moment { games: report.games, positions: report.positions, ..so_far.get() });
                part.done.into_iter().try_for_each(&mut take)
            }
            Item::LeftOut(left_out) => {
                leave_out(&mut report, left_out);
                Ok(())
            }
            Item::End(rows, source) => {
                report.source(rows, source);
                Ok(())
            }
            Item::NotRead(source) => {
                report.not_read.push(source);
                Ok(())
            }
            Item::Failed(error) => Err(error),
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

fn leave_out(report: &mut Report, left_out: feed::Counts) {
    for (why, rows) in LeftOut::ALL.into_iter().zip(left_out) {
        report.leave_out(why, rows);
    }
}
