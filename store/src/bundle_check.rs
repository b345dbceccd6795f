//! Checks a bundle of evidence without its log.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use annals_events::{Hash, StreamName, canonical};
use serde::{Deserialize, Serialize};

use crate::bundle::{BUNDLE, BUNDLE_1, Whole, root_with};
use crate::head::Head;
use crate::proof::{INCLUSION, InclusionProof, ProvenEvent};

/// What a check of a bundle found.
#[derive(Debug, Serialize)]
pub struct BundleCheck {
    pub about: StreamName,
    pub head: Head,
    /// The number of its events.
    pub events: u64,
    pub streams: Vec<Whole>,
    /// The receipt compared with the head; none without a receipt.
    pub receipt: Option<Moment>,
    pub statements: Vec<Statement>,
    /// The `seq` of the first event that is not proven.
    pub first_wrong: Option<u64>,
    /// Findings of the program that made the bundle. They prove nothing: the audit computes them from the events.
    pub claimed: u64,
}

/// How a receipt relates to the head of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    Same,
    /// Of fewer events of the same log.
    Earlier,
    /// Of more events of the same log.
    Later,
    /// Of as many events of the same log, with other hashes.
    Contradictory,
    OtherLog,
}

impl Moment {
    fn of(receipt: &Head, head: &Head) -> Moment {
        match receipt.seq.cmp(&head.seq) {
            _ if receipt == head => Moment::Same,
            _ if receipt.log != head.log => Moment::OtherLog,
            Ordering::Less => Moment::Earlier,
            Ordering::Greater => Moment::Later,
            Ordering::Equal => Moment::Contradictory,
        }
    }
}

/// A statement about a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Statement {
    pub statement: &'static str,
    pub holds: bool,
}

impl BundleCheck {
    /// Whether every statement holds.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.statements.iter().all(|statement| statement.holds)
    }
}

#[derive(Deserialize)]
struct Read {
    format: String,
    about: StreamName,
    head: Head,
    streams: Vec<Whole>,
    events: Vec<Event>,
    #[serde(default)]
    nodes: Vec<Hash>,
    verdicts: Vec<Verdict>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Event {
    /// In the earlier format.
    WithPath {
        event: ProvenEvent,
        path: Vec<Hash>,
    },
    Plain(ProvenEvent),
}

#[derive(Deserialize)]
struct Verdict {
    stream: StreamName,
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    seq: u64,
}

/// Checks a bundle under its own head, which a receipt from elsewhere has to confirm.
///
/// # Errors
/// When the text is not a bundle.
pub fn check_bundle(text: &str, receipt: Option<&Head>) -> Result<BundleCheck, serde_json::Error> {
    let Read { format, about, head, streams, events, nodes, verdicts } = serde_json::from_str(text)?;
    let claimed = verdicts.iter().map(|verdict| verdict.findings.len() as u64).sum();
    let (paths, events): (Vec<Option<Vec<Hash>>>, Vec<ProvenEvent>) = events
        .into_iter()
        .map(|event| match event {
            Event::WithPath { event, path } => (Some(path), event),
            Event::Plain(event) => (None, event),
        })
        .unzip();
    let names: BTreeSet<&StreamName> = streams.iter().map(|whole| &whole.stream).collect();
    let numbers: BTreeSet<u64> = events.iter().map(|event| event.seq).collect();
    let is_of_a_stream = |verdict: &Verdict| names.contains(&verdict.stream);
    let is_of_an_event = |finding: &Finding| numbers.contains(&finding.seq);
    let mut findings = verdicts.iter().flat_map(|verdict| &verdict.findings);
    let in_order =
        |pair: &[ProvenEvent]| pair[0].seq < pair[1].seq && pair[0].recorded_at <= pair[1].recorded_at;
    let mut statements = vec![
        ("the format is known", [BUNDLE, BUNDLE_1].contains(&format.as_str())),
        ("there are events", !events.is_empty()),
        ("the events are in the order of the log", events.windows(2).all(in_order)),
        ("every stream is complete from its first event", are_complete(&about, &streams, &events)),
        (
            "every payload is canonical JSON",
            events.iter().all(|event| canonical::check(&event.payload).is_ok()),
        ),
        (
            "every finding is about an event and a stream of the bundle",
            findings.all(is_of_an_event) && verdicts.iter().all(is_of_a_stream),
        ),
    ];
    let receipt = receipt.map(|receipt| Moment::of(receipt, &head));
    if let Some(moment) = receipt {
        statements.insert(1, ("the receipt is that of the bundle's head", moment == Moment::Same));
    }
    let count = events.len() as u64;
    let with_path = |(event, path): (&ProvenEvent, &Option<Vec<Hash>>)| {
        let (event, path) = (event.clone(), path.clone()?);
        Some(InclusionProof { format: INCLUSION.to_owned(), event, head, path })
    };
    let (first_wrong, is_under) = if format == BUNDLE {
        let wrong = events.iter().find(|event| !event.is_of(&head));
        let has_no_path = paths.iter().all(Option::is_none);
        (wrong.map(|event| event.seq), has_no_path && root_with(&head, &events, &nodes) == Some(head.root))
    } else {
        let holds =
            |one: &(&ProvenEvent, &Option<Vec<Hash>>)| with_path(*one).is_some_and(|proof| proof.holds());
        let wrong = events.iter().zip(&paths).find(|one| !holds(one));
        (wrong.map(|(event, _)| event.seq), nodes.is_empty())
    };
    statements
        .push(("every event is in the log, unchanged, at its place", first_wrong.is_none() && is_under));
    let statements =
        statements.into_iter().map(|(statement, holds)| Statement { statement, holds }).collect();
    Ok(BundleCheck { about, head, events: count, streams, receipt, statements, first_wrong, claimed })
}

/// Whether each stream has the versions from 1 to the stated number, and no event is of another stream.
fn are_complete(about: &StreamName, streams: &[Whole], events: &[ProvenEvent]) -> bool {
    let mut versions: BTreeMap<&str, u64> = BTreeMap::new();
    for event in events {
        let last = versions.entry(&event.stream).or_default();
        if event.version != *last + 1 {
            return false;
        }
        *last = event.version;
    }
    let stated: BTreeMap<&str, u64> = streams
        .iter()
        .map(|whole| (whole.stream.as_str(), whole.events))
        .filter(|(_, events)| *events > 0)
        .collect();
    versions == stated && streams.iter().any(|whole| whole.stream == *about)
}
