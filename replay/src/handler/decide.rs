//! Deciding: whether an event may follow what the log holds. Each event that is taken counts for the next one, so a
//! whole transaction is decided in order. Nothing is written.

use std::collections::HashMap;

use annals_events::bounds::beyond;
use annals_events::log::Change;
use annals_events::{Event, Hash, LogEvent, Micros, RawEnvelope, StreamName};
use annals_store::{CLOCK_TOLERANCE, Expected, Log};

use super::causes::{Causes, UNDECIDED, is_before};
use super::correct;
use super::draft::Draft;
use super::floor::Cause;
use super::known::Known;
use super::refusal::{Reason, Refusal};
use crate::error::ReplayError;
use crate::projection::fold;

/// Decides about events on top of a prefix of the log.
#[derive(Debug)]
pub struct Desk<'l> {
    pub(super) log: &'l Log,
    pub(super) up_to: u64,
    pub(super) next_seq: u64,
    pub(super) recorded_at: Micros,
    /// What the log's clock shows; the time of the last event where the clock is only a little behind it. None where nothing
    /// can be appended.
    pub(super) now: Option<Micros>,
    pub(super) known: HashMap<String, Known>,
    pub(super) causes: Causes,
    /// Who says what an event does not say of itself.
    pub(super) actor: String,
    taken: Vec<RawEnvelope>,
}

impl<'l> Desk<'l> {
    /// A desk before the prefix of the log that ends at `up_to`.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn at(log: &'l Log, up_to: u64) -> Result<Desk<'l>, ReplayError> {
        let last = log.event(up_to)?;
        let recorded_at = last.map_or(0, |event| event.recorded_at.saturating_add(1));
        Ok(Desk {
            log,
            up_to,
            next_seq: up_to + 1,
            recorded_at,
            now: log.now().map(|now| match recorded_at.saturating_sub(now) {
                behind if behind > CLOCK_TOLERANCE => now,
                _ => now.max(recorded_at),
            }),
            known: HashMap::new(),
            causes: Causes::default(),
            actor: String::new(),
            taken: Vec::new(),
        })
    }

    /// Names who hands in the events that do not say themselves who says so.
    #[must_use]
    pub fn for_actor(mut self, actor: &str) -> Desk<'l> {
        actor.clone_into(&mut self.actor);
        self
    }

    /// Decides about an event. When it is taken, the next decision sees it.
    ///
    /// # Errors
    /// When the log cannot be read. Inside: the refusal.
    pub fn decide(&mut self, index: usize, draft: &Draft) -> Result<Result<(), Refusal>, ReplayError> {
        let decided = self.judge(draft)?;
        Ok(decided.map_err(|reason| Refusal {
            index,
            stream: draft.stream.clone(),
            event_type: draft.event_type.clone(),
            reason,
        }))
    }

    fn judge(&mut self, draft: &Draft) -> Result<Result<(), Reason>, ReplayError> {
        if let Err(error) = draft.to_new_event(UNDECIDED, "desk") {
            return Ok(Err(Reason::NoEvent { message: error.to_string() }));
        }
        let entry = match draft.decode() {
            Ok(entry) => entry,
            Err(error) => return Ok(Err(Reason::NoEvent { message: error.to_string() })),
        };
        if let Some(beyond) = beyond(&entry.event) {
            return Ok(Err(Reason::OutOfBounds { beyond }));
        }
        if let Some(message) = misplaced(&draft.stream, &entry.event) {
            return Ok(Err(Reason::NoEvent { message }));
        }
        let (floor, missing) = self.causes.floor(self.log, self.up_to, &draft.stream, &entry.event)?;
        // A correction of an event that was taken a moment ago is found among what is known.
        let is_correction = matches!(entry.event, Event::Log(LogEvent::Correction(_)));
        if let (Some(named), false) = (missing, is_correction) {
            let why = format!("the log has {} events", self.up_to);
            return Ok(Err(Reason::NoSuchEvent { named, why }));
        }
        let floor = match &entry.event {
            Event::Log(LogEvent::Correction(correction)) => {
                self.corrected(&draft.stream, correction.corrects)?
            }
            _ => floor,
        };
        let before = is_before(draft.effective_at, floor);
        let lifted =
            before.filter(|_| draft.now).map(|cause| Draft { effective_at: cause.at, ..draft.clone() });
        let draft = lifted.as_ref().unwrap_or(draft);
        if let Some(cause) = is_before(draft.effective_at, floor) {
            let effective_at = draft.effective_at;
            return Ok(Err(Reason::BeforeCause { effective_at, floor: cause.at, cause: cause.seq }));
        }
        let latest = match &entry.event {
            Event::Log(LogEvent::Correction(correction)) => match &correction.change {
                Change::Replace { effective_at: Some(at), .. } => draft.effective_at.max(*at),
                _ => draft.effective_at,
            },
            _ => draft.effective_at,
        };
        if let Some(now) = self.now.filter(|now| is_in_the_future(latest, *now)) {
            return Ok(Err(Reason::InTheFuture { effective_at: latest, now }));
        }
        let envelope = self.envelope(draft);
        let key = self.load(&draft.stream)?;
        if let Event::Log(LogEvent::Correction(correction)) = &entry.event {
            if let Some(reason) = self.correction_of_what_is_frozen(&draft.stream, &envelope)? {
                return Ok(Err(reason));
            }
            if let Some(reason) = self.correction_takes_back(draft, correction)? {
                return Ok(Err(reason));
            }
            let decided = correct::judge(self, &key, &draft.stream, correction, envelope.clone())?;
            if decided.is_ok()
                && let Some(reason) = self.correction_departs(&draft.stream, correction, &envelope)?
            {
                if let Some(known) = self.known.get_mut(&key) {
                    known.events.pop();
                    known.refold(&draft.stream)?;
                }
                return Ok(Err(reason));
            }
            if decided.is_ok() {
                // It may have moved what later events of the stream rest on.
                let events = self.known.get(&key).map_or(&[][..], |known| known.events.as_slice());
                let own: Vec<RawEnvelope> =
                    events.iter().filter(|event| event.stream == draft.stream).cloned().collect();
                self.causes.know(&draft.stream, fold(own.as_slice(), None)?.0, self.up_to);
                self.accept(envelope);
            }
            return Ok(decided);
        }
        // The state before the event is what the rulebook judges on. Its rule is said first; where no rulebook decides, or
        // it has nothing against it, what does not follow is still refused.
        if let Event::Tournament(event) = &entry.event
            && let Some(reason) = self.against_the_rules(&draft.stream, draft.effective_at, event)?
        {
            return Ok(Err(reason));
        }
        if let Event::Game(event) = &entry.event
            && let Some(reason) = self.taking_back_against_the_rules(draft, event)?
        {
            return Ok(Err(reason));
        }
        let Some(known) = self.known.get_mut(&key) else { return Ok(Ok(())) };
        if let Some(against) = known.take(envelope.clone()) {
            known.events.pop();
            known.refold(&draft.stream)?;
            let (code, message) = (against.code.to_owned(), against.message);
            return Ok(Err(Reason::Illegal { code, message }));
        }
        let cause = Cause { seq: self.next_seq, at: draft.effective_at };
        self.causes.touch(self.log, self.up_to, cause, &draft.stream, &entry.event)?;
        self.accept(envelope);
        Ok(Ok(()))
    }

    /// The event that a correction reaches, when it happened as far as that is known now.
    fn corrected(&mut self, stream: &StreamName, corrects: u64) -> Result<Option<Cause>, ReplayError> {
        let key = self.load(stream)?;
        let Some(known) = self.known.get(&key) else { return Ok(None) };
        let is_it = |event: &&RawEnvelope| event.seq == corrects && event.stream == *stream;
        let standing = correct::standing_events(&known.events);
        let found = standing.iter().find(is_it).or_else(|| known.events.iter().find(is_it));
        Ok(found.map(|event| Cause { seq: corrects, at: event.effective_at }))
    }

    /// When an event that is appended now is recorded.
    pub(super) fn recorded_now(&self) -> Micros {
        self.now.map_or(self.recorded_at, |now| now.max(self.recorded_at))
    }

    fn accept(&mut self, envelope: RawEnvelope) {
        self.taken.push(envelope);
        self.next_seq += 1;
    }

    /// The event as the log would hold it next.
    fn envelope(&self, draft: &Draft) -> RawEnvelope {
        RawEnvelope {
            seq: self.next_seq,
            stream: draft.stream.clone(),
            version: 0,
            id: draft.id.unwrap_or(UNDECIDED),
            event_type: draft.event_type.clone(),
            schema: draft.schema,
            effective_at: draft.effective_at,
            recorded_at: self.recorded_at,
            actor: draft.actor.as_ref().unwrap_or(&self.actor).clone(),
            payload: draft.payload.clone(),
            hash: Hash([0; 32]),
        }
    }

    /// Reads what is needed to decide about a stream; gives the name under which it is kept.
    pub(super) fn load(&mut self, stream: &StreamName) -> Result<String, ReplayError> {
        let people = stream.family() == "people";
        let key = if people { "people".to_owned() } else { stream.to_string() };
        if !self.known.contains_key(&key) {
            self.known.insert(key.clone(), Known::read(self.log, self.up_to, stream)?);
        }
        if people {
            // Whether an alias is free or a merge closes a circle rests on everybody, known already or not.
            self.causes.rest_on_family(stream);
        }
        self.causes.rest_on(stream);
        Ok(key)
    }

    pub(super) fn known(&mut self, key: &str) -> Option<&mut Known> {
        self.known.get_mut(key)
    }

    /// What was taken, in order, as the log would hold it.
    #[must_use]
    pub fn taken(&self) -> &[RawEnvelope] {
        &self.taken
    }

    /// What the log has to find unchanged for these decisions to hold.
    #[must_use]
    pub fn expectations(&self) -> Vec<(StreamName, Expected)> {
        self.causes.expectations(self.up_to)
    }
}

/// Whether a time is further ahead of the clock than clocks differ.
pub(super) fn is_in_the_future(at: Micros, now: Micros) -> bool {
    at > now.saturating_add(CLOCK_TOLERANCE)
}

/// Why an event cannot stand in a stream of its own family: what is said of a player stands in that player's stream.
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
        .then(|| format!("what is said of `{player}` stands in `people/{player}`, not in `{stream}`"))
}
