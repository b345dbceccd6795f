//! The reader: all sources in order, by block, for one thread. It also decides on ids: the first row of an id counts,
//! by source and line.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::block::{Block, Pool, SourceDigest, SourceInfo};
use super::container::{Found, Walk};
use super::cut::{self, Cutter};
use super::discover::SourceFile;
use super::end::{SourceEnd, SourceRejectReason, SourceRejected};
use super::games::{self, FoundGames};
use super::meter::{Progress, Stream};

/// The blocks of each source, then [`Piece::End`] with digest and counts, or [`Piece::Rejected`] for a source without
/// archive text.
#[derive(Debug)]
pub enum Piece {
    Block(Block),
    Games(FoundGames),
    /// After all blocks of the source.
    End(SourceEnd),
    /// No archive text, and no blocks.
    Rejected(SourceRejected),
}

/// The blocks of all sources, in order.
///
/// ```no_run
/// use annals_ingest::source::{Blocks, Piece, discover};
/// use std::collections::HashSet;
///
/// let files = discover(&["archive/"])?;
/// let mut ids = HashSet::new();
/// for piece in Blocks::new(&files, |id| !ids.insert(id)) {
///     match piece {
///         Piece::Block(block) => println!("{} rows of {}", block.rows.len(), block.source.name),
///         Piece::Games(games) => println!("{} games of {}", games.games.len(), games.source.name),
///         Piece::End(end) => println!("{}: {} lines, {}", end.source.name, end.lines, end.digest),
///         Piece::Rejected(rejected) => println!("{}: {}", rejected.source.name, rejected.reason),
///     }
/// }
/// # Ok::<(), annals_ingest::source::DiscoverError>(())
/// ```
pub struct Blocks<'f, S> {
    files: std::slice::Iter<'f, SourceFile>,
    walk: Option<(&'f SourceFile, Walk<'f>)>,
    cutter: Option<Cutter>,
    /// The rest of a game file.
    waiting: VecDeque<Piece>,
    game_files: bool,
    seen: S,
    passed_over: HashSet<u32>,
    next_ordinal: u32,
    pool: Arc<Pool>,
    progress: Progress,
}

impl<'f, S: FnMut(u64) -> bool> Blocks<'f, S> {
    /// Reads files in the given order (see [`discover`](super::discover())). `seen` is called once per row with an id;
    /// it returns whether the id came before, and records it.
    #[must_use]
    pub fn new(files: &'f [SourceFile], seen: S) -> Blocks<'f, S> {
        Blocks {
            files: files.iter(),
            walk: None,
            cutter: None,
            waiting: VecDeque::new(),
            game_files: false,
            seen,
            passed_over: HashSet::new(),
            next_ordinal: 0,
            pool: Arc::default(),
            progress: Progress::default(),
        }
    }

    /// Skips the sources with these ordinals (see [`digests`]).
    #[must_use]
    pub fn passing_over(mut self, ordinals: HashSet<u32>) -> Blocks<'f, S> {
        self.passed_over = ordinals;
        self
    }

    /// Also reads game files, which are otherwise rejected.
    #[must_use]
    pub fn with_game_files(mut self) -> Blocks<'f, S> {
        self.game_files = true;
        self
    }

    /// Counts the bytes read from disk.
    #[must_use]
    pub fn with_progress(mut self, progress: Progress) -> Blocks<'f, S> {
        self.progress = progress;
        self
    }
}

impl<S: FnMut(u64) -> bool> Iterator for Blocks<'_, S> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.waiting.pop_front() {
                return Some(piece);
            }
            if let Some(cutter) = &mut self.cutter {
                if let Some(block) = cutter.next_block(&mut self.seen) {
                    return Some(Piece::Block(block));
                }
                return self.cutter.take().map(|cutter| Piece::End(cutter.finish()));
            }
            let Some((file, walk)) = &mut self.walk else {
                let file = self.files.next()?;
                self.walk = Some((file, Walk::new(file, self.progress.clone())));
                continue;
            };
            let Some(found) = walk.next() else {
                self.walk = None;
                continue;
            };
            let (inside, content) = match found {
                Found::Text { inside, stream } => (inside, Ok(stream)),
                Found::Rejected { inside, reason } => (inside, Err(reason)),
            };
            let source = named(file, &inside, &mut self.next_ordinal);
            if self.passed_over.contains(&source.ordinal) {
                continue;
            }
            match content.and_then(|stream| self.begin(&source, stream)) {
                Ok(()) => {}
                Err(reason) => return Some(Piece::Rejected(SourceRejected { source, reason })),
            }
        }
    }
}

impl<S: FnMut(u64) -> bool> Blocks<'_, S> {
    fn begin(&mut self, source: &Arc<SourceInfo>, stream: Stream) -> Result<(), SourceRejectReason> {
        let (format, stream) = match self.game_files {
            true => games::look(&source.name, stream)
                .map_err(|why| SourceRejectReason::Unreadable { why: why.to_string() })?,
            false => (None, stream),
        };
        match format {
            Some(format) => {
                let (games, end) = games::read(source, format, stream, &mut self.seen)?;
                self.waiting.extend(games.into_iter().map(Piece::Games));
                self.waiting.push_back(Piece::End(end));
            }
            None => {
                self.cutter = Some(Cutter::begin(Arc::clone(source), stream, Arc::clone(&self.pool))?);
            }
        }
        Ok(())
    }
}

fn named(file: &SourceFile, inside: &str, next_ordinal: &mut u32) -> Arc<SourceInfo> {
    let ordinal = *next_ordinal;
    *next_ordinal += 1;
    Arc::new(SourceInfo { name: format!("{}{inside}", file.name), path: file.path.clone(), ordinal })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digested {
    pub source: Arc<SourceInfo>,
    /// Digest and length; none without text, or if truncated.
    pub text: Option<(SourceDigest, u64)>,
}

/// Digests all sources, so that known ones can be skipped. Order and ordinals as in [`Blocks`].
pub fn digests<'f>(files: &'f [SourceFile], progress: &Progress) -> impl Iterator<Item = Digested> + use<'f> {
    let progress = progress.clone();
    let mut next_ordinal = 0;
    let mut buffer = Vec::new();
    files.iter().flat_map(move |file| {
        let mut walk = Walk::new(file, progress.clone());
        let mut digested = Vec::new();
        while let Some(found) = walk.next() {
            let (inside, stream) = match found {
                Found::Text { inside, stream } => (inside, Some(stream)),
                Found::Rejected { inside, .. } => (inside, None),
            };
            let source = named(file, &inside, &mut next_ordinal);
            let text = stream.and_then(|stream| match cut::digest(stream, &mut buffer) {
                (digest, bytes, None) => Some((digest, bytes)),
                _ => None,
            });
            digested.push(Digested { source, text });
        }
        digested
    })
}
