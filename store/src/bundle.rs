//! A bundle of evidence: all events of one or several streams, each with its proof under one head of the log. A reader with
//! the receipt of that head needs nothing else to check it: [`crate::check_bundle`] and `tools/check_bundle.py` do it offline.
//!
//! The proofs of many events share most of their hashes, so the Merkle tree is built once, in memory (64 bytes for each
//! event of the log), and every path is read from it.

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

/// The format's name.
pub const BUNDLE: &str = "annals-bundle/1";

#[derive(Debug, Serialize)]
pub struct Bundle<V> {
    /// [`BUNDLE`].
    pub format: &'static str,
    /// The main stream.
    pub about: StreamName,
    pub program: &'static str,
    /// Everything is proven under it; its receipt comes from elsewhere.
    pub head: Head,
    /// With the number of events under the head.
    pub streams: Vec<Whole>,
    /// By `seq`.
    pub events: Vec<Proven>,
    /// Of the audit, for information: computed from the events, and no proof.
    pub verdicts: V,
}

/// A stream of which all events are in the bundle.
#[derive(Debug, Serialize, Deserialize)]
pub struct Whole {
    pub stream: StreamName,
    pub events: u64,
}

/// With its path to the root.
#[derive(Debug, Serialize)]
pub struct Proven {
    /// With every field.
    pub event: ProvenEvent,
    /// RFC 6962, section 2.1.1.
    pub path: Vec<Hash>,
}

#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An event is not covered by the head.
    #[error("event {seq} does not match its hash, or is not under the head of the log")]
    NotProven { seq: u64 },
}

/// A stream, and for a tournament the logged games that its events name.
///
/// # Errors
/// If the log cannot be read.
pub fn with_its_games(log: &Log, about: &StreamName) -> Result<Vec<StreamName>, ReadError> {
    let mut games: BTreeSet<String> = BTreeSet::new();
    if about.family() == "tournament" {
        for event in log.stream(about, u64::MAX)? {
            // Unreadable events are findings elsewhere.
            if let Ok(read) = event.decode() {
                each_named(&event.stream, &read, |subject| {
                    if let Subject::Game(name) = subject {
                        games.insert(format!("game/{name}"));
                    }
                });
            }
        }
        // Games that name the pairing themselves.
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

/// Proves all events of some streams under the acknowledged head.
///
/// # Errors
/// If the log cannot be read, or an event is not under its head.
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

/// Event hashes and all perfect subtrees over them.
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

    /// The root over existing leaves. A range of a proof is perfect and aligned, or at the right edge, where it divides
    /// at the largest power of two below its length.
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
