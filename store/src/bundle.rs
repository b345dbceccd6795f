//! A bundle of evidence: all events of one or several streams, each with its proof under one head of the log. A reader with
//! the receipt of that head needs nothing else to check it: [`crate::check_bundle`] and `tools/check_bundle.py` do it offline.
//!
//! The proofs of many events share most of their hashes. So the bundle has one proof for all: the roots of the largest
//! subtrees without an event of the bundle, from left to right. The Merkle tree is built once, in memory (64 bytes for
//! each event of the log).

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use annals_events::{Hash, LogId, StreamName, Subject, each_named};
use serde::{Deserialize, Serialize};

use crate::chain;
use crate::head::Head;
use crate::log::Log;
use crate::merkle::{leaf, node};
use crate::proof::ProvenEvent;
use crate::read::ReadError;

/// The format's name.
pub const BUNDLE: &str = "annals-bundle/2";

/// The name of the earlier format, in which each event has its path.
pub const BUNDLE_1: &str = "annals-bundle/1";

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
    /// By `seq`, with every field.
    pub events: Vec<ProvenEvent>,
    /// The roots of the largest subtrees without an event of the bundle, from left to right.
    pub nodes: Vec<Hash>,
    /// Of the audit, for information: computed from the events, and no proof.
    pub verdicts: V,
}

/// A stream of which all events are in the bundle.
#[derive(Debug, Serialize, Deserialize)]
pub struct Whole {
    pub stream: StreamName,
    pub events: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An event is not covered by the head.
    #[error("event {seq} does not match its hash, or is not under the head of the log")]
    NotProven { seq: u64 },
}

/// The logged games that a tournament's events name.
///
/// # Errors
/// If the log cannot be read.
pub fn games_of(log: &Log, tournament: &StreamName) -> Result<Vec<StreamName>, ReadError> {
    let mut streams = with_its_games(log, tournament)?;
    streams.retain(|name| name.family() == "game");
    Ok(streams)
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
        games.extend(log.streams_from(&prefix)?.into_iter().map(|stream| stream.name.to_string()));
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

/// All events of some streams, with the proof that they are under the acknowledged head.
#[derive(Debug)]
pub struct ProvenStreams {
    pub head: Head,
    pub streams: Vec<Whole>,
    /// By `seq`.
    pub events: Vec<ProvenEvent>,
    /// As in a [`Bundle`].
    pub nodes: Vec<Hash>,
}

/// Proves all events of some streams under the acknowledged head.
///
/// # Errors
/// If the log cannot be read, or an event is not under its head.
pub fn prove_streams(log: &Log, names: &[StreamName]) -> Result<ProvenStreams, BundleError> {
    let head = match log.acknowledged() {
        Some(head) => head,
        None => log.head()?,
    };
    let tree = Tree::read(log, &head)?;
    let (mut streams, mut events) = (Vec::new(), Vec::new());
    for stream in names {
        let before = events.len();
        log.scan_stream(stream, head.seq, |event| {
            events.push(ProvenEvent::of(&event, tree.before(event.seq, head.log).unwrap_or_default()));
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        streams.push(Whole { stream: stream.clone(), events: (events.len() - before) as u64 });
    }
    events.sort_by_key(|event| event.seq);
    if let Some(wrong) = events.iter().find(|event| !event.is_of(&head)) {
        return Err(BundleError::NotProven { seq: wrong.seq });
    }
    let mut nodes = Vec::new();
    let leaves: Vec<u64> = events.iter().map(|event| event.seq - 1).collect();
    each_without(&(0..head.seq), &leaves, &mut |range| nodes.push(tree.root(range).unwrap_or_default()));
    if root_with(&head, &events, &nodes) != Some(head.root) {
        return Err(BundleError::NotProven { seq: events.first().map_or(0, |event| event.seq) });
    }
    Ok(ProvenStreams { head, streams, events, nodes })
}

/// Where RFC 6962 divides a range of more than one leaf: after the largest power of two below its length.
fn middle(range: &Range<u64>) -> u64 {
    range.start + (1 << (63 - (range.end - range.start - 1).leading_zeros()))
}

/// Visits the largest subtrees of a range without any of the leaves, which are in order, from left to right.
fn each_without(range: &Range<u64>, leaves: &[u64], visit: &mut impl FnMut(&Range<u64>)) {
    if leaves.is_empty() {
        visit(range);
    } else if range.end - range.start > 1 {
        let middle = middle(range);
        let (left, right) = leaves.split_at(leaves.partition_point(|leaf| *leaf < middle));
        each_without(&(range.start..middle), left, visit);
        each_without(&(middle..range.end), right, visit);
    }
}

/// The root of a log of the head's length with these events, which are in order, and the roots of the largest subtrees
/// without them. None if there are too few or too many roots, or an event is not within the length.
pub(crate) fn root_with(head: &Head, events: &[ProvenEvent], nodes: &[Hash]) -> Option<Hash> {
    fn root<'n>(
        range: &Range<u64>,
        events: &[ProvenEvent],
        nodes: &mut impl Iterator<Item = &'n Hash>,
    ) -> Option<Hash> {
        match events {
            [] => nodes.next().copied(),
            [event] if range.end - range.start == 1 => Some(leaf(&event.hash)),
            _ if range.end - range.start == 1 => None,
            events => {
                let middle = middle(range);
                let (left, right) = events.split_at(events.partition_point(|event| event.seq <= middle));
                Some(node(
                    &root(&(range.start..middle), left, nodes)?,
                    &root(&(middle..range.end), right, nodes)?,
                ))
            }
        }
    }
    let within = |event: &ProvenEvent| (1..=head.seq).contains(&event.seq);
    let is_ordered = events.windows(2).all(|pair| pair[0].seq < pair[1].seq);
    if head.seq == 0 || !is_ordered || !events.iter().all(within) {
        return None;
    }
    let mut nodes = nodes.iter();
    root(&(0..head.seq), events, &mut nodes).filter(|_| nodes.next().is_none())
}

/// Event hashes and all perfect subtrees over them.
struct Tree {
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
        Ok(Tree { hashes, levels })
    }

    /// The root over existing leaves. A range of a proof is perfect and aligned, or at the right edge, where it divides
    /// at the largest power of two below its length.
    fn root(&self, range: &Range<u64>) -> Option<Hash> {
        let length = range.end.checked_sub(range.start).filter(|length| *length > 0)?;
        if length.is_power_of_two() && range.start.is_multiple_of(length) {
            let level = self.levels.get(usize::try_from(length.trailing_zeros()).ok()?)?;
            return level.get(usize::try_from(range.start / length).ok()?).copied();
        }
        let middle = middle(range);
        Some(node(&self.root(&(range.start..middle))?, &self.root(&(middle..range.end))?))
    }

    fn before(&self, seq: u64, log: LogId) -> Option<Hash> {
        match seq {
            1 => Some(chain::genesis(log)),
            _ => self.hashes.get(usize::try_from(seq - 2).ok()?).copied(),
        }
    }
}
