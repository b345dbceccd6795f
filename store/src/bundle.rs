//! A bundle of evidence: all events of one or several streams, each with its proof under one head of the log. Whoever has
//! the receipt of that head needs nothing else to check it: [`crate::check_bundle`] and `tools/check_bundle.py` do it offline.
//!
//! The proofs of many events share most of their hashes, so the Merkle tree is built once, in memory (64 bytes for each
//! event of the log), and every path is read out of it.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use annals_events::{Hash, LogId, StreamName, Subject, each_named};
use serde::{Deserialize, Serialize};

use crate::chain;
use crate::head::Head;
use crate::log::Log;
use crate::merkle::{inclusion_ranges, leaf, node};
use crate::proof::{INCLUSION, InclusionProof, ProvenEvent};
use crate::read::ReadError;
use crate::row::EventRef;

/// What a bundle says it is.
pub const BUNDLE: &str = "annals-bundle/1";

/// A bundle.
#[derive(Debug, Serialize)]
pub struct Bundle<V> {
    /// [`BUNDLE`].
    pub format: &'static str,
    /// The stream that it is about.
    pub about: StreamName,
    /// The program that made it.
    pub program: &'static str,
    /// The head under which everything is proven; its receipt must be known from elsewhere.
    pub head: Head,
    /// The streams in it, each with the number of its events under that head.
    pub streams: Vec<Whole>,
    /// The events by their `seq`, each with its path.
    pub events: Vec<Proven>,
    /// What the audit says of them, for reading: it is computed from the events and proves nothing.
    pub verdicts: V,
}

/// A stream of which all events are in the bundle.
#[derive(Debug, Serialize, Deserialize)]
pub struct Whole {
    /// Its name.
    pub stream: StreamName,
    /// The number of its events.
    pub events: u64,
}

/// An event with its path up to the root.
#[derive(Debug, Serialize)]
pub struct Proven {
    /// The event with every field.
    pub event: ProvenEvent,
    /// The hashes of RFC 6962, section 2.1.1.
    pub path: Vec<Hash>,
}

/// Why events cannot be proven.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The log cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An event is not what the head of the log covers.
    #[error("event {seq} does not match its hash, or is not under the head of the log")]
    NotProven {
        /// The event.
        seq: u64,
    },
}

/// A stream, and for a tournament the streams of the games that its events name, as far as the log has them.
///
/// # Errors
/// When the log cannot be read.
pub fn with_its_games(log: &Log, about: &StreamName) -> Result<Vec<StreamName>, ReadError> {
    let mut games: BTreeSet<String> = BTreeSet::new();
    if about.family() == "tournament" {
        for event in log.stream(about, u64::MAX)? {
            // What cannot be read here is among the findings.
            if let Ok(read) = event.decode() {
                each_named(&event.stream, &read, |subject| {
                    if let Subject::Game(name) = subject {
                        games.insert(format!("game/{name}"));
                    }
                });
            }
        }
        // The games that say themselves whose pairing they are an attempt at.
        let prefix = format!("game/{}.r", about.name());
        let own = log.streams(Some("game"))?.into_iter().map(|stream| stream.name.to_string());
        games.extend(own.filter(|name| name.starts_with(&prefix)));
    }
    let mut streams = vec![about.clone()];
    for name in games {
        if let Ok(name) = name.parse::<StreamName>()
            && log.stream_info(&name)?.is_some()
        {
            streams.push(name);
        }
    }
    Ok(streams)
}

/// Proves all events of some streams under the head of the log as it is acknowledged.
///
/// # Errors
/// When the log cannot be read, or an event is not under its head.
pub fn prove_streams(
    log: &Log,
    streams: &[StreamName],
) -> Result<(Head, Vec<Whole>, Vec<Proven>), BundleError> {
    let head = match log.acknowledged() {
        Some(head) => head,
        None => log.head()?,
    };
    let tree = Tree::read(log, &head)?;
    let (mut whole, mut proven) = (Vec::new(), Vec::new());
    for stream in streams {
        let before = proven.len();
        let mut missing = None;
        log.scan_stream(stream, head.seq, |event| {
            match tree.prove(&event) {
                Some(found) => proven.push(found),
                None => missing = Some(event.seq),
            }
            Ok::<_, ReadError>(if missing.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        if let Some(seq) = missing {
            return Err(BundleError::NotProven { seq });
        }
        whole.push(Whole { stream: stream.clone(), events: (proven.len() - before) as u64 });
    }
    proven.sort_by_key(|one| one.event.seq);
    Ok((head, whole, proven))
}

/// The Merkle tree over a log: its event hashes, and every perfect subtree over them.
struct Tree {
    head: Head,
    hashes: Vec<Hash>,
    /// `levels[k][i]` is over the leaves `i * 2^k` up to `(i + 1) * 2^k`.
    levels: Vec<Vec<Hash>>,
}

impl Tree {
    fn read(log: &Log, head: &Head) -> Result<Tree, ReadError> {
        let mut hashes = Vec::with_capacity(usize::try_from(head.seq).unwrap_or(0));
        log.scan(1..=head.seq, |event| {
            hashes.push(event.hash);
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        let mut levels = vec![hashes.iter().map(leaf).collect::<Vec<Hash>>()];
        while let Some(below) = levels.last().filter(|below| below.len() > 1) {
            let above = below.chunks_exact(2).map(|pair| node(&pair[0], &pair[1])).collect();
            levels.push(above);
        }
        Ok(Tree { head: *head, hashes, levels })
    }

    /// The root over some leaves, where all of them are there. A range of a proof is perfect and aligned, or at the
    /// right edge, where it divides at the largest power of two below its length.
    fn root(&self, range: &Range<u64>) -> Option<Hash> {
        let length = range.end.checked_sub(range.start).filter(|length| *length > 0)?;
        if length.is_power_of_two() && range.start.is_multiple_of(length) {
            let level = self.levels.get(usize::try_from(length.trailing_zeros()).ok()?)?;
            return level.get(usize::try_from(range.start / length).ok()?).copied();
        }
        let left = 1 << (63 - (length - 1).leading_zeros());
        let middle = range.start + left;
        Some(node(&self.root(&(range.start..middle))?, &self.root(&(middle..range.end))?))
    }

    fn prove(&self, event: &EventRef<'_>) -> Option<Proven> {
        let ranges = inclusion_ranges(event.seq.checked_sub(1)?, self.head.seq)?;
        let path = ranges.iter().map(|range| self.root(range)).collect::<Option<Vec<Hash>>>()?;
        let event = ProvenEvent::of(event, self.before(event.seq, self.head.log)?);
        let proof = InclusionProof { format: INCLUSION.to_owned(), event, head: self.head, path };
        proof.holds().then_some(Proven { event: proof.event, path: proof.path })
    }

    fn before(&self, seq: u64, log: LogId) -> Option<Hash> {
        match seq {
            1 => Some(chain::genesis(log)),
            _ => self.hashes.get(usize::try_from(seq - 2).ok()?).copied(),
        }
    }
}
