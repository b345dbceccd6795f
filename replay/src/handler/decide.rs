//! Decides whether an event may follow the events of the log. Each accepted event counts for the next one, so a
//! whole transaction is decided in order. Nothing is written.

use annals_events::bounds::beyond;
use annals_events::log::{Change, Correction};
use annals_events::{
    Entry, Event, LogEvent, PeopleEvent, StreamName, Subject, TimeNote, blank_name, each_named,
};

use super::correct;
use super::dependencies::{Prefix, is_before, is_in_the_future};
use super::draft::Draft;
use super::earliest_times::Cause;
use super::handler_state::{Handler, key_of};
use super::known;
use super::refusal::{DraftRefusal, Reason, Stop};
use crate::error::ReplayError;
use crate::point::{Stated, end_of};
use crate::timeline::Corrections;

impl Handler<'_> {
    /// Decides about an event. When it is accepted, the next decision sees it.
    ///
    /// # Errors
    /// When the log cannot be read. Inside: the refusal.
    pub fn decide(&mut self, index: usize, draft: &Draft) -> Result<Result<(), DraftRefusal>, ReplayError> {
        Ok(self.consider(draft, false)?.map_err(|stop| stop.refusal(index, draft)))
    }

    /// As [`Handler::decide`]. With `rules_first`, a violated rule is returned as the reason rather than a time that is
    /// not possible.
    pub(super) fn consider(
        &mut self,
        draft: &Draft,
        rules_first: bool,
    ) -> Result<Result<(), Stop>, ReplayError> {
        if let Some(known) = self.spoiled.take().and_then(|key| self.streams.get_mut(&key)) {
            known.pop();
        }
        let stated = match self.stated {
            Some(Stated { at, period: Some(period) }) if at == draft.effective_at && !draft.now => {
                Some(draft.stated(period))
            }
            _ => None,
        };
        let stated = match stated.transpose() {
            Ok(stated) => stated,
            Err(error) => return Ok(Err(Reason::NoEvent { message: error.to_string() }.into())),
        };
        let draft = stated.as_ref().unwrap_or(draft);
        let actor = if self.actor.is_empty() { "handler" } else { &self.actor };
        let entry = match readable(draft, actor) {
            Ok(entry) => entry,
            Err(reason) => return Ok(Err(reason.into())),
        };
        let key = self.load(&draft.stream)?;
        let (floor, missing) = self.floor(&draft.stream, &entry.event)?;
        // The corrected event may be one that was accepted before in the same transaction.
        let correction = match &entry.event {
            Event::Log(LogEvent::Correction(correction)) => Some(correction),
            _ => None,
        };
        let floor = match correction {
            Some(correction) => self.corrected(&key, &draft.stream, correction.corrects),
            None => floor,
        };
        let before = is_before(draft.effective_at, floor);
        // Within a stated period the time is only as early as its causes allow.
        let latest = match entry.time {
            Some(TimeNote::Stated(period)) => Some(end_of(period, draft.effective_at)),
            _ => None,
        };
        let may_be_later = |cause: &Cause| draft.now || latest.is_some_and(|latest| cause.at <= latest);
        let lifted =
            before.filter(may_be_later).map(|cause| Draft { effective_at: cause.at, ..draft.clone() });
        let draft = lifted.as_ref().unwrap_or(draft);
        let untimely = self.untimely(draft, correction, floor, missing);
        if let Some(reason) = untimely.clone().filter(|_| !rules_first) {
            return Ok(Err(reason.into()));
        }
        let envelope = draft.recorded(self.next_seq, 0, self.recorded_at, &self.actor);
        let verdicts = match (correction, &entry.event) {
            (Some(correction), _) => correct::decide(self, &key, draft, correction, &envelope)?,
            // The rulebook checks on the state before the event. A violated rule is the first reason. Without a rulebook or
            // a violation, an event that does not follow from the state is still refused.
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

    /// Why the time of an event is invalid: an event on which it depends is missing or later, or the time is in the future.
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
            let (effective_at, floor, seq) = (draft.effective_at, cause.at, cause.seq);
            return Some(match correction.is_none() && self.records_a_person(seq) {
                true => Reason::BeforeKnown { effective_at, floor, cause: seq },
                false => Reason::BeforeCause { effective_at, floor, cause: seq },
            });
        }
        let latest = match correction.map(|correction| &correction.change) {
            Some(Change::Replace { effective_at: Some(at), .. }) => draft.effective_at.max(*at),
            _ => draft.effective_at,
        };
        let now = self.now.filter(|now| is_in_the_future(latest, *now))?;
        Some(Reason::InTheFuture { effective_at: latest, now })
    }

    /// Whether the log has an event by which a person entered the record.
    fn records_a_person(&self, seq: u64) -> bool {
        let event = self.log.event(seq).ok().flatten().filter(|event| event.seq == seq);
        event.is_some_and(|event| matches!(event.decode(), Ok(Event::People(PeopleEvent::PlayerKnown(_)))))
    }

    /// The event on which an event depends. A tournament's event on a game depends on that game, whose state its rules need too.
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

    /// The event that a correction corrects, with its present time.
    fn corrected(&self, key: &str, stream: &StreamName, corrects: u64) -> Option<Cause> {
        let events = self.events(key);
        let recorded = events.iter().find(|event| event.seq == corrects && event.stream == *stream)?;
        let at = Corrections::of(events).effective(recorded).map(|standing| standing.effective_at);
        Some(Cause { seq: corrects, at: at.unwrap_or(recorded.effective_at) })
    }
}

/// The decoded event, or why no log can contain it.
fn readable<'d>(draft: &'d Draft, actor: &str) -> Result<Entry<'d>, Reason> {
    draft.check(actor).map_err(|error| Reason::NoEvent { message: error.to_string() })?;
    let entry = draft.decode().map_err(|error| Reason::NoEvent { message: error.to_string() })?;
    let fault =
        || misplaced(&draft.stream, &entry.event).or_else(|| blank_name(&entry.event).map(without_name));
    match (beyond(&entry.event), fault()) {
        (Some(beyond), _) => Err(Reason::OutOfBounds { beyond }),
        (None, Some(message)) => Err(Reason::NoEvent { message }),
        (None, None) => Ok(entry),
    }
}

/// That a name has no visible character.
pub(super) fn without_name(key: &str) -> String {
    format!("`{key}`: expected a name with a visible character")
}

/// Why an event cannot be in a stream of its own family: an event on a player is in that player's stream.
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
