//! What a log does with the key of an actor, which the caller has: it names the key, and appends signatures over the
//! actor's events.

use std::ops::ControlFlow;

use annals_events::log::{ActorKeyNamed, ActorSigned, LOG_STREAM};
use annals_events::{EventId, LogEvent, StreamName};

use super::actor::{Actor, Actors, EventsDigest, Range, SIGNED, key_name, rotation_text, signature_text};
use super::key::PrivateKey;
use super::note::{KeyKind, Note, VerifierKey, is_key_name};
use crate::fault::Fault;
use crate::log::{Log, random_id};
use crate::new_event::{EventError, NewEvent};
use crate::read::ReadError;
use crate::transaction::{AppendError, Expected, Transaction};

#[derive(Debug, thiserror::Error)]
pub enum ActorSigningError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the event was not recorded: {0}")]
    Event(#[from] EventError),
    #[error("the event was not recorded: {0}")]
    Append(#[from] AppendError),
    #[error("the log has no event of `{actor}`")]
    NoEvents { actor: String },
    #[error("the log names no key of `{actor}`")]
    NoKey { actor: String },
    #[error("the log names a key of `{actor}` already: {named}")]
    HasKey { actor: String, named: String },
    #[error("the key of the file, {found}, is not the one that the log names for `{actor}`, {named}")]
    OtherKey { actor: String, found: String, named: String },
    #[error("the key of the file, {found}, is not one of `{actor}`")]
    NotOfActor { actor: String, found: String },
    #[error("`{actor}` is too long for the name of a key")]
    Name { actor: String },
    /// The log does not verify.
    #[error("event {seq} of the signatures of `{actor}` does not hold: {problem}")]
    Broken { actor: String, seq: u64, problem: String },
}

/// The key of an actor, and how far it has signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorState {
    /// The key in force.
    pub key: Option<VerifierKey>,
    /// The last event of the last signed range; 0 if none.
    pub signed_up_to: u64,
    /// Events that no signature covers.
    pub unsigned: Option<ActorEvents>,
}

impl ActorState {
    /// # Errors
    /// If the private key is not the one in force.
    pub fn in_force(&self, actor: &str, key: &PrivateKey) -> Result<(), ActorSigningError> {
        in_force_as(actor, self.key.as_ref(), key).map(drop)
    }
}

/// Events of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActorEvents {
    /// The first event itself, which may be after the beginning of a range.
    pub first_seq: u64,
    pub last_seq: u64,
    pub events: u64,
}

/// A new key for an actor, with which it signs from now on.
///
/// # Errors
/// If the name is too long, or the operating system has no random numbers.
pub fn new_actor_key(actor: &str) -> Result<PrivateKey, ActorSigningError> {
    let name = key_name(actor);
    if !is_key_name(&name) {
        return Err(ActorSigningError::Name { actor: actor.to_owned() });
    }
    Ok(PrivateKey::random(&name, KeyKind::Log)?)
}

impl Log {
    /// The stream of the log's own events at a version, and what it states about an actor then.
    fn actor(&self, actor: &str) -> Result<(StreamName, Expected, Actor), ActorSigningError> {
        let stream: StreamName = LOG_STREAM
            .parse()
            .map_err(|_| ReadError::Head { problem: format!("`{LOG_STREAM}` is not a valid stream") })?;
        let version = self.stream_info(&stream)?.map_or(0, |info| info.version);
        let mut actors = Actors::read(&self.connection, self.id())
            .map_err(|error| self.fault("reading the keys of actors", &error))?;
        if let Some(broken) = actors.problems.into_iter().find(|problem| problem.actor == actor) {
            let (seq, problem) = (broken.seq, broken.text);
            return Err(ActorSigningError::Broken { actor: broken.actor, seq, problem });
        }
        Ok((stream, Expected::Version(version), actors.by_name.remove(actor).unwrap_or_default()))
    }

    /// The events of an actor after a `seq`, with the digest over them.
    fn events_of(
        &self,
        actor: &str,
        after: u64,
    ) -> Result<Option<(ActorEvents, EventsDigest)>, ActorSigningError> {
        let mut found: Option<(u64, u64)> = None;
        let mut digest = EventsDigest::default();
        self.scan(after + 1..=u64::MAX, |event| {
            if event.actor == actor && event.event_type != SIGNED {
                found = Some((found.map_or(event.seq, |(first, _)| first), event.seq));
                digest.push(&event.hash);
            }
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        let events = digest.events;
        Ok(found.map(|(first_seq, last_seq)| (ActorEvents { first_seq, last_seq, events }, digest)))
    }

    /// The key of an actor, and what it has not signed yet.
    ///
    /// # Errors
    /// If the log cannot be read, has no event of the actor, or an event of its signatures is not what it must be.
    pub fn actor_state(&self, actor: &str) -> Result<ActorState, ActorSigningError> {
        let (_, _, known) = self.actor(actor)?;
        let signed_up_to = known.signed_up_to();
        let unsigned = self.events_of(actor, signed_up_to)?.map(|(events, _)| events);
        if unsigned.is_none() && signed_up_to == 0 {
            return Err(ActorSigningError::NoEvents { actor: actor.to_owned() });
        }
        Ok(ActorState { key: known.keys.last().map(|named| named.key.clone()), signed_up_to, unsigned })
    }

    /// Names the key of an actor. A second key needs a reason; the key before it signs the naming if it is given.
    ///
    /// # Errors
    /// If the key is another actor's, `before` is not the key in force, or the event cannot be recorded.
    pub fn name_actor_key(
        &mut self,
        actor: &str,
        key: &PrivateKey,
        reason: Option<&str>,
        before: Option<&PrivateKey>,
    ) -> Result<(), ActorSigningError> {
        let (stream, expected, known) = self.actor(actor)?;
        let next = key.verifier();
        if next.kind() != KeyKind::Log || next.name() != key_name(actor) {
            let (actor, found) = (actor.to_owned(), next.to_string());
            return Err(ActorSigningError::NotOfActor { actor, found });
        }
        let in_force = known.keys.last().map(|named| &named.key);
        if let (Some(named), None) = (in_force, reason) {
            let (actor, named) = (actor.to_owned(), named.to_string());
            return Err(ActorSigningError::HasKey { actor, named });
        }
        let signed_note = match before {
            None => None,
            Some(before) => {
                let named = in_force_as(actor, in_force, before)?;
                let text = rotation_text(self.id(), actor, named, &next);
                let line = before.sign(&text, 0);
                Some(Note::new(text, vec![line]).to_string())
            }
        };
        let named = ActorKeyNamed {
            actor: actor.to_owned(),
            verifier_key: next.to_string(),
            reason: reason.map(str::to_owned),
            signed_note,
        };
        self.append_own(stream, expected, LogEvent::ActorKeyNamed(named), actor)
    }

    /// Signs every event of an actor that is not signed yet; none if there is none.
    ///
    /// # Errors
    /// If the key is not the one in force, or the event cannot be recorded.
    pub fn sign_actor_events(
        &mut self,
        actor: &str,
        key: &PrivateKey,
    ) -> Result<Option<ActorEvents>, ActorSigningError> {
        let (stream, expected, known) = self.actor(actor)?;
        in_force_as(actor, known.keys.last().map(|named| &named.key), key)?;
        let signed_up_to = known.signed_up_to();
        let Some((events, digest)) = self.events_of(actor, signed_up_to)? else { return Ok(None) };
        let range = Range { first: signed_up_to + 1, last: events.last_seq, events: events.events };
        let text = signature_text(self.id(), actor, range, &digest.digest());
        let line = key.sign(&text, 0);
        let signed = ActorSigned {
            actor: actor.to_owned(),
            first_seq: range.first,
            last_seq: range.last,
            events: range.events,
            signed_note: Note::new(text, vec![line]).to_string(),
        };
        self.append_own(stream, expected, LogEvent::ActorSigned(signed), actor)?;
        Ok(Some(events))
    }

    fn append_own(
        &mut self,
        stream: StreamName,
        expected: Expected,
        event: LogEvent,
        actor: &str,
    ) -> Result<(), ActorSigningError> {
        let now = self.now().ok_or(AppendError::ReadOnly)?;
        let event = NewEvent::own(event, EventId(random_id()?), actor, now)?;
        self.append(&Transaction::of(vec![event]).expecting(stream, expected))?;
        Ok(())
    }
}

/// The key in force, if the private key is that one.
fn in_force_as<'k>(
    actor: &str,
    in_force: Option<&'k VerifierKey>,
    key: &PrivateKey,
) -> Result<&'k VerifierKey, ActorSigningError> {
    let named = in_force.ok_or_else(|| ActorSigningError::NoKey { actor: actor.to_owned() })?;
    let found = key.verifier();
    if found != *named {
        let (actor, found, named) = (actor.to_owned(), found.to_string(), named.to_string());
        return Err(ActorSigningError::OtherKey { actor, found, named });
    }
    Ok(named)
}
