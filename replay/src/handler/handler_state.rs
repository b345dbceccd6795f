//! The handler of events on top of a prefix of the log: the streams that it has read, and the events that it has accepted.

use std::cell::OnceCell;
use std::sync::Arc;

use annals_events::{Micros, RawEnvelope, StreamName};
use annals_store::{CLOCK_TOLERANCE, Expected, Log};
use annals_tournaments::formats::Proposal;
use annals_tournaments::verdict::Verdict;

use super::dependencies::Dependencies;
use super::draft::Draft;
use super::known::{self, Known};
use crate::context::StandingBans;
use crate::error::ReplayError;
use crate::point::Stated;
use crate::projection::Growing;
use crate::shelf::Shelf;

/// Decides about events on top of a prefix of the log. Each stream on which a decision depends is read and folded once; an
/// event is checked once, on the state of the events before it, and folded into that state if it is accepted.
#[derive(Debug)]
pub struct Handler<'l> {
    pub(super) log: &'l Log,
    pub(super) up_to: u64,
    pub(super) next_seq: u64,
    pub(super) recorded_at: Micros,
    /// The time of the log's clock; that of the last event if the clock is within the tolerance behind it. None if nothing
    /// can be appended.
    pub(super) now: Option<Micros>,
    /// By the name of the stream; `people` for all of that family.
    pub(super) streams: Shelf<String, Known>,
    pub(super) bans: OnceCell<Growing<StandingBans>>,
    pub(super) dependencies: Dependencies,
    /// The actor of events that name none.
    pub(super) actor: String,
    /// When drafts of that time happened, as a source states it.
    pub(super) stated: Option<Stated>,
    /// The round that was proposed for the next event, by its position in the log.
    pub(super) proposed: Option<(u64, Arc<Proposal>)>,
    accepted: Vec<Accepted>,
    /// A stream whose folded state ends with a refused event.
    pub(super) spoiled: Option<String>,
    /// How often an event was checked against a rulebook.
    checks: u64,
}

/// An event that was accepted.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The event as the log would record it.
    pub envelope: RawEnvelope,
    /// As submitted; the time of an event that happens now may have been raised.
    pub draft: Draft,
    /// The verdicts on it.
    pub verdicts: Vec<Verdict>,
}

/// The work of a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// How often a tournament was folded from its first event: once for a command, and once more for a correction, with the correction
    /// in place. A correction folds it a third time if another one, recorded after the corrected event, changes an event before
    /// that. A strike also does if a later event is a violation with the strike: it may have been one before.
    pub folds: u64,
    /// How often an event was checked against a rulebook.
    pub checks: u64,
}

impl<'l> Handler<'l> {
    /// A handler of events after the prefix of the log that ends at `up_to`.
    pub fn at(log: &'l Log, up_to: u64) -> Result<Handler<'l>, ReplayError> {
        let last = log.event(up_to)?;
        let recorded_at = last.map_or(0, |event| event.recorded_at.saturating_add(1));
        Ok(Handler {
            log,
            up_to,
            next_seq: up_to + 1,
            recorded_at,
            now: log.now().map(|now| match recorded_at.saturating_sub(now) {
                behind if behind > CLOCK_TOLERANCE => now,
                _ => now.max(recorded_at),
            }),
            streams: Shelf::default(),
            bans: OnceCell::new(),
            dependencies: Dependencies::default(),
            actor: String::new(),
            stated: None,
            proposed: None,
            accepted: Vec::new(),
            spoiled: None,
            checks: 0,
        })
    }

    /// Sets the actor of events that name none.
    pub fn for_actor(mut self, actor: &str) -> Handler<'l> {
        actor.clone_into(&mut self.actor);
        self
    }

    /// The events of a stream that was read, and those that were accepted for it.
    pub(super) fn events(&self, key: &str) -> &[RawEnvelope] {
        self.streams.get(&key.to_owned()).map_or(&[], Growing::events)
    }

    /// When an event that is appended now is recorded.
    pub(super) fn recorded_now(&self) -> Micros {
        self.now.map_or(self.recorded_at, |now| now.max(self.recorded_at))
    }

    /// The given time, but not before the last event was recorded or after the log's clock.
    pub(crate) fn moment(&self, at: Option<Micros>) -> Micros {
        at.map_or(self.recorded_now(), |at| at.min(self.recorded_now()))
    }

    /// An event as the log would hold it next.
    pub(crate) fn envelope(&self, draft: &Draft) -> RawEnvelope {
        draft.recorded(self.next_seq, 0, self.recorded_at, &self.actor)
    }

    pub(super) fn accept(&mut self, envelope: RawEnvelope, draft: Draft, verdicts: Vec<Verdict>) {
        if let Some(bans) = self.bans.get_mut().filter(|_| StandingBans::rest_on(&envelope.event_type)) {
            bans.push(envelope.clone());
        }
        self.accepted.push(Accepted { envelope, draft, verdicts });
        self.next_seq += 1;
    }

    /// Reads what is needed to decide about a stream; returns its key.
    pub(super) fn load(&mut self, stream: &StreamName) -> Result<String, ReplayError> {
        let key = key_of(stream);
        self.streams.find(&key, || known::read(self.log, self.up_to, stream))?;
        if stream.family() == "people" {
            // Whether an alias is free or a merge closes a cycle depends on all people, also future ones.
            self.dependencies.rest_on_family(stream);
        }
        self.dependencies.rest_on(stream);
        Ok(key)
    }

    /// Replaces the state of a stream by the corrected one.
    pub(super) fn replace(&mut self, key: &str, mut corrected: Known) {
        if let Some(known) = self.streams.get_mut(&key.to_owned()) {
            corrected.replaces(known);
            *known = corrected;
        }
    }

    /// Counts an event that was checked against a rulebook.
    pub(super) fn count_check(&mut self) {
        self.checks += 1;
    }

    /// The accepted events, in order.
    pub fn accepted(&self) -> &[Accepted] {
        &self.accepted
    }

    /// The work of the decisions so far.
    pub fn effort(&self) -> Effort {
        let tournaments = self.streams.iter().filter(|(key, _)| key.starts_with("tournament/"));
        let folds = tournaments.map(|(_, known)| known.folds()).sum();
        Effort { folds, checks: self.checks }
    }

    /// Streams that must be unchanged at the append for these decisions to be valid.
    pub fn expectations(&self) -> Vec<(StreamName, Expected)> {
        self.dependencies.expectations(self.up_to)
    }
}

/// The key of a stream: all people have one key.
pub(super) fn key_of(stream: &StreamName) -> String {
    if stream.family() == "people" { "people".to_owned() } else { stream.to_string() }
}
