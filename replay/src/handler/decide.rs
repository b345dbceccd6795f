//! Deciding: whether an event may follow what the log holds. Each event that is accepted counts for the next one, so a
//! whole transaction is decided in order. Nothing is written.

use std::cell::OnceCell;
use std::sync::Arc;

use annals_events::bounds::beyond;
use annals_events::log::{Change, Correction};
use annals_events::{Entry, Event, LogEvent, Micros, RawEnvelope, StreamName, Subject, each_named};
use annals_store::{CLOCK_TOLERANCE, Expected, Log};
use annals_tournaments::formats::Proposal;
use annals_tournaments::verdict::Verdict;

use super::by_rules::violation;
use super::correct;
use super::dependencies::{Dependencies, Prefix, is_before, is_in_the_future};
use super::draft::Draft;
use super::earliest_times::Cause;
use super::known::{self, Known};
use super::refusal::{DraftRefusal, Reason};
use crate::context::StandingBans;
use crate::error::ReplayError;
use crate::projection::Growing;
use crate::shelf::Shelf;
use crate::timeline::Corrections;

/// Decides about events on top of a prefix of the log. Each stream that a decision rests on is read and folded once; an
/// event is checked once, on the state that the events before it make, and folded into that state when it is accepted.
#[derive(Debug)]
pub struct Handler<'l> {
    pub(super) log: &'l Log,
    pub(super) up_to: u64,
    pub(super) next_seq: u64,
    pub(super) recorded_at: Micros,
    /// What the log's clock shows; the time of the last event where the clock is only a little behind it. None where nothing
    /// can be appended.
    pub(super) now: Option<Micros>,
    /// By the name of the stream; `people` for all of that family.
    pub(super) streams: Shelf<String, Known>,
    pub(super) bans: OnceCell<Growing<StandingBans>>,
    pub(super) dependencies: Dependencies,
    /// Who says what an event does not say of itself.
    pub(super) actor: String,
    /// The round that was proposed for the next event, by its position in the log.
    pub(super) proposed: Option<(u64, Arc<Proposal>)>,
    accepted: Vec<Accepted>,
    /// A stream that ends with an event which was refused.
    spoiled: Option<String>,
    /// How often an event was checked against a rulebook.
    checks: u64,
}

/// An event that was accepted.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The event as the log would hold it.
    pub envelope: RawEnvelope,
    /// As it was handed in; what happens now may have been lifted.
    pub draft: Draft,
    /// What the rules say of it.
    pub verdicts: Vec<Verdict>,
}

/// What a decision took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// How often a tournament was folded from its first event: once for a command, and once more for a correction, with that
    /// in place. A correction folds it a third time where another, recorded after the corrected event, reaches back before
    /// that. A strike does, too, where a later event is a violation with the strike: it may have been one before.
    pub folds: u64,
    /// How often an event was checked against a rulebook.
    pub checks: u64,
}

/// Why an event is not accepted.
pub(super) enum Stop {
    /// A rule of the tournament's rulebook.
    Rule(Verdict),
    Reason(Reason),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Reason(reason)
    }
}

impl Stop {
    /// The same as the refusal of a draft.
    pub fn refusal(self, index: usize, draft: &Draft) -> DraftRefusal {
        let reason = match self {
            Stop::Rule(verdict) => violation(&verdict),
            Stop::Reason(reason) => reason,
        };
        DraftRefusal { index, stream: draft.stream.clone(), event_type: draft.event_type.clone(), reason }
    }
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
            proposed: None,
            accepted: Vec::new(),
            spoiled: None,
            checks: 0,
        })
    }

    /// Names who hands in the events that do not say themselves who says so.
    pub fn for_actor(mut self, actor: &str) -> Handler<'l> {
        actor.clone_into(&mut self.actor);
        self
    }

    /// Decides about an event. When it is accepted, the next decision sees it.
    ///
    /// # Errors
    /// When the log cannot be read. Inside: the refusal.
    pub fn decide(&mut self, index: usize, draft: &Draft) -> Result<Result<(), DraftRefusal>, ReplayError> {
        Ok(self.consider(draft, false)?.map_err(|stop| stop.refusal(index, draft)))
    }

    /// As [`Handler::decide`]. With `rules_first`, a rule that forbids an event is given as the reason before a time that is
    /// not possible.
    pub(super) fn consider(
        &mut self,
        draft: &Draft,
        rules_first: bool,
    ) -> Result<Result<(), Stop>, ReplayError> {
        if let Some(known) = self.spoiled.take().and_then(|key| self.streams.get_mut(&key)) {
            known.pop();
        }
        let actor = if self.actor.is_empty() { "handler" } else { &self.actor };
        let entry = match readable(draft, actor) {
            Ok(entry) => entry,
            Err(reason) => return Ok(Err(reason.into())),
        };
        let key = self.load(&draft.stream)?;
        let (floor, missing) = self.floor(&draft.stream, &entry.event)?;
        // A correction of an event that was accepted a moment ago is found among what is known.
        let correction = match &entry.event {
            Event::Log(LogEvent::Correction(correction)) => Some(correction),
            _ => None,
        };
        let floor = match correction {
            Some(correction) => self.corrected(&key, &draft.stream, correction.corrects),
            None => floor,
        };
        let before = is_before(draft.effective_at, floor);
        let lifted =
            before.filter(|_| draft.now).map(|cause| Draft { effective_at: cause.at, ..draft.clone() });
        let draft = lifted.as_ref().unwrap_or(draft);
        let untimely = self.untimely(draft, correction, floor, missing);
        if let Some(reason) = untimely.clone().filter(|_| !rules_first) {
            return Ok(Err(reason.into()));
        }
        let envelope = draft.recorded(self.next_seq, 0, self.recorded_at, &self.actor);
        let verdicts = match (correction, &entry.event) {
            (Some(correction), _) => correct::decide(self, &key, draft, correction, &envelope)?,
            // The state before the event is what the rulebook checks on. Its rule is said first; where no rulebook decides,
            // or it has nothing against it, what does not follow is still refused.
            (None, Event::Tournament(event)) => {
                self.against_the_rules(&draft.stream, draft.effective_at, event)?
            }
            (None, Event::Game(event)) => self.in_play(&key, draft, event)?,
            _ => Ok(Vec::new()),
        };
        let verdicts = match verdicts {
            Ok(verdicts) => verdicts,
            Err(stop) => return Ok(Err(stop)),
        };
        if correction.is_none() {
            if let Some(violated) = verdicts.iter().find(|verdict| verdict.is_violation()) {
                return Ok(Err(Stop::Rule(violated.clone())));
            }
            if let Some(reason) = untimely {
                return Ok(Err(reason.into()));
            }
            let known = self.streams.get_mut(&key);
            let before = known.as_ref().map_or(0, |known| known.state().findings().len());
            if let Some(against) = known.and_then(|known| known::add(known, envelope.clone())) {
                self.spoiled = Some(key);
                let (code, message) = (against.code.to_owned(), against.message);
                return Ok(Err(Reason::Illegal { code, message }.into()));
            }
            if let Some(stop) = self.as_it_is_read(&key, draft, before)? {
                self.spoiled = Some(key);
                return Ok(Err(stop));
            }
        }
        self.accept(envelope, draft.clone(), verdicts);
        Ok(Ok(()))
    }

    /// Why an event cannot have its time: what it names or rests on is not there, or later, or the time has not come.
    fn untimely(
        &self,
        draft: &Draft,
        correction: Option<&Correction>,
        floor: Option<Cause>,
        missing: Option<u64>,
    ) -> Option<Reason> {
        if let (Some(named), None) = (missing, correction) {
            let why = format!("the log has {} events", self.up_to);
            return Some(Reason::NoSuchEvent { named, why });
        }
        if let Some(cause) = is_before(draft.effective_at, floor) {
            let effective_at = draft.effective_at;
            return Some(Reason::BeforeCause { effective_at, floor: cause.at, cause: cause.seq });
        }
        let latest = match correction.map(|correction| &correction.change) {
            Some(Change::Replace { effective_at: Some(at), .. }) => draft.effective_at.max(*at),
            _ => draft.effective_at,
        };
        let now = self.now.filter(|now| is_in_the_future(latest, *now))?;
        Some(Reason::InTheFuture { effective_at: latest, now })
    }

    /// What an event rests on. What a tournament says of a game rests on that game, whose state its rules need as well.
    fn floor(
        &mut self,
        stream: &StreamName,
        event: &Event<'_>,
    ) -> Result<(Option<Cause>, Option<u64>), ReplayError> {
        let mut games: Vec<StreamName> = Vec::new();
        if let Event::Tournament(_) = event {
            each_named(stream, event, |subject| {
                if let Subject::Game(name) = subject {
                    games.extend(format!("game/{name}").parse());
                }
            });
        }
        for game in &games {
            self.load(game)?;
        }
        let streams = &self.streams;
        let held = |stream: &StreamName| streams.get(&key_of(stream))?.state().earliest_times(stream);
        self.dependencies.floor(&Prefix { log: self.log, up_to: self.up_to, held: &held }, stream, event)
    }

    /// The event that a correction reaches, when it happened as far as that is known now.
    fn corrected(&self, key: &str, stream: &StreamName, corrects: u64) -> Option<Cause> {
        let events = self.events(key);
        let recorded = events.iter().find(|event| event.seq == corrects && event.stream == *stream)?;
        let at = Corrections::of(events).effective(recorded).map(|standing| standing.effective_at);
        Some(Cause { seq: corrects, at: at.unwrap_or(recorded.effective_at) })
    }

    /// The events of a stream that was read, and those that were accepted for it.
    pub(super) fn events(&self, key: &str) -> &[RawEnvelope] {
        self.streams.get(&key.to_owned()).map_or(&[], Growing::events)
    }

    /// When an event that is appended now is recorded.
    pub(super) fn recorded_now(&self) -> Micros {
        self.now.map_or(self.recorded_at, |now| now.max(self.recorded_at))
    }

    fn accept(&mut self, envelope: RawEnvelope, draft: Draft, verdicts: Vec<Verdict>) {
        if let Some(bans) = self.bans.get_mut().filter(|_| StandingBans::rest_on(&envelope.event_type)) {
            bans.push(envelope.clone());
        }
        self.accepted.push(Accepted { envelope, draft, verdicts });
        self.next_seq += 1;
    }

    /// Reads what is needed to decide about a stream; gives the name under which it is kept.
    pub(super) fn load(&mut self, stream: &StreamName) -> Result<String, ReplayError> {
        let key = key_of(stream);
        self.streams.find(&key, || known::read(self.log, self.up_to, stream))?;
        if stream.family() == "people" {
            // Whether an alias is free or a merge closes a circle rests on all people, known already or not.
            self.dependencies.rest_on_family(stream);
        }
        self.dependencies.rest_on(stream);
        Ok(key)
    }

    /// Puts the corrected state of a stream in the place of the one before the correction.
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

    /// What was accepted, in order.
    pub fn accepted(&self) -> &[Accepted] {
        &self.accepted
    }

    /// What the decisions took so far.
    pub fn effort(&self) -> Effort {
        let tournaments = self.streams.iter().filter(|(key, _)| key.starts_with("tournament/"));
        let folds = tournaments.map(|(_, known)| known.folds()).sum();
        Effort { folds, checks: self.checks }
    }

    /// What the log has to find unchanged for these decisions to hold.
    pub fn expectations(&self) -> Vec<(StreamName, Expected)> {
        self.dependencies.expectations(self.up_to)
    }
}

/// The name under which a stream is kept: all people are known together.
pub(super) fn key_of(stream: &StreamName) -> String {
    if stream.family() == "people" { "people".to_owned() } else { stream.to_string() }
}

/// An event as it is read, or why no log could hold it.
fn readable<'d>(draft: &'d Draft, actor: &str) -> Result<Entry<'d>, Reason> {
    draft.check(actor).map_err(|error| Reason::NoEvent { message: error.to_string() })?;
    let entry = draft.decode().map_err(|error| Reason::NoEvent { message: error.to_string() })?;
    match (beyond(&entry.event), misplaced(&draft.stream, &entry.event)) {
        (Some(beyond), _) => Err(Reason::OutOfBounds { beyond }),
        (None, Some(message)) => Err(Reason::NoEvent { message }),
        (None, None) => Ok(entry),
    }
}

/// Why an event cannot be in a stream of its own family: what is said of a player is in that player's stream.
fn misplaced(stream: &StreamName, event: &Event<'_>) -> Option<String> {
    use annals_events::PeopleEvent as P;
    let Event::People(event) = event else { return None };
    let player = match event {
        P::PlayerKnown(e) => &e.player,
        P::AliasDeclared(e) => &e.player,
        P::AliasWithdrawn(e) => &e.player,
        P::IdentitiesMerged(e) => &e.kept,
        P::IdentitiesParted(e) => &e.kept,
    };
    (stream.name() != player.as_str())
        .then(|| format!("what is said of `{player}` is in `people/{player}`, not in `{stream}`"))
}
