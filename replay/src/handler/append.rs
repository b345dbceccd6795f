//! Appending what happens now: decided as a whole, in order. The log accepts it only if nothing on which the decision
//! depends has changed since it was read; else it is decided again.

use annals_events::{EventId, StreamName};
use annals_store::{
    AppendError, Appended, EventError, Expected, Fault, Log, NewEvent, ReadError, Transaction, random_id,
};
use annals_tournaments::verdict::Verdict;

use super::draft::Draft;
use super::handler_state::{Effort, Handler};
use super::refusal::DraftRefusal;
use crate::error::ReplayError;

/// Why events are not appended. None of them is in the log.
#[derive(Debug, thiserror::Error)]
pub enum HandlerError {
    #[error(transparent)]
    Refused(Box<DraftRefusal>),
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Event(#[from] EventError),
    #[error(transparent)]
    Append(#[from] AppendError),
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<DraftRefusal> for HandlerError {
    fn from(refusal: DraftRefusal) -> HandlerError {
        HandlerError::Refused(Box::new(refusal))
    }
}

/// The result of a request.
#[derive(Debug, Clone)]
pub struct Directed {
    /// The events, as they were or would be appended.
    pub drafts: Vec<Draft>,
    pub verdicts: Vec<Verdict>,
    /// The result of the append; none for a dry run.
    pub appended: Option<Appended>,
    pub effort: Effort,
}

/// How often events are decided again when another process appended between the decision and the append.
const ATTEMPTS: u32 = 50;

/// A source of identities of new events.
pub(super) type Ids<'a> = &'a mut dyn FnMut() -> Result<EventId, Fault>;

/// Decides on the present log, and appends the accepted events; every append uses this function. If
/// another process appended meanwhile, it decides again; if a stream is not as the caller expects, it fails at
/// once.
pub(super) fn decide_and_append<E: From<HandlerError>>(
    log: &mut Log,
    actor: &str,
    taken_for_granted: &[(StreamName, Expected)],
    ids: Ids<'_>,
    decide: impl Fn(&mut Handler<'_>) -> Result<(), E>,
) -> Result<(Directed, Appended), E> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        let (mut directed, read) = decided(log, actor, &decide)?;
        let events = new_events(&directed.drafts, actor, ids)?;
        let expected: Vec<_> = read.into_iter().chain(taken_for_granted.iter().cloned()).collect();
        match log.append(&Transaction { expected, events }) {
            Err(AppendError::Conflict { .. }) if taken_for_granted.is_empty() && attempt < ATTEMPTS => {}
            done => {
                let appended = done.map_err(HandlerError::from)?;
                directed.appended = Some(appended);
                return Ok((directed, appended));
            }
        }
    }
}

/// The events of drafts, each with an identity.
fn new_events(drafts: &[Draft], actor: &str, ids: Ids<'_>) -> Result<Vec<NewEvent>, HandlerError> {
    let mut events = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let id = draft.id.map_or_else(&mut *ids, Ok)?;
        events.push(draft.to_new_event(id, actor)?);
    }
    Ok(events)
}

/// Streams that must be unchanged at the append.
type Expectations = Vec<(StreamName, Expected)>;

/// Decides on the present log.
pub(super) fn decided<E: From<HandlerError>>(
    log: &Log,
    actor: &str,
    decide: impl Fn(&mut Handler<'_>) -> Result<(), E>,
) -> Result<(Directed, Expectations), E> {
    let now = log.last_seq().map_err(HandlerError::from)?;
    let mut handler = Handler::at(log, now).map_err(HandlerError::from)?.for_actor(actor);
    decide(&mut handler)?;
    let directed = Directed {
        drafts: handler.accepted().iter().map(|accepted| accepted.draft.clone()).collect(),
        verdicts: handler.accepted().iter().flat_map(|accepted| &accepted.verdicts).cloned().collect(),
        appended: None,
        effort: handler.effort(),
    };
    Ok((directed, handler.expectations()))
}

/// Decides about each draft in order.
fn each(drafts: &[Draft]) -> impl Fn(&mut Handler<'_>) -> Result<(), HandlerError> {
    move |handler| {
        for (index, draft) in drafts.iter().enumerate() {
            handler.decide(index, draft)??;
        }
        Ok(())
    }
}

/// Appends events that happen now, all together or none; `actor` is the actor of events that name none. Events
/// that all have an identity and are already in the log are a repetition, and are not appended again.
///
/// If another process appends between the decision and the append, the events are decided again on the new state, up to
/// 50 times in all. If a stream is not in its `expected` state, the append fails at once.
///
/// # Errors
/// When one of them is against the rules, a stream is not as expected, or the log does not accept them.
pub fn append(
    log: &mut Log,
    drafts: &[Draft],
    actor: &str,
    expected: &[(StreamName, Expected)],
) -> Result<Appended, HandlerError> {
    let mut ids = || random_id().map(EventId);
    if let Some(id) = drafts.first().and_then(|draft| draft.id)
        && log.find(id)?.is_some()
    {
        // Decided before; the log itself compares the content.
        return Ok(log.append(&Transaction::of(new_events(drafts, actor, &mut ids)?))?);
    }
    decide_and_append(log, actor, expected, &mut ids, each(drafts)).map(|(_, appended)| appended)
}

/// As [`append`], for drafts that may be sent again: one without a stated time has the time that the log recorded for it. Each
/// stream must end at the expected version, 0 for no event, unless the log already has the first draft.
///
/// # Errors
/// As [`append`].
pub fn append_or_repeat(
    log: &mut Log,
    drafts: &mut [Draft],
    actor: &str,
    expected: &[(StreamName, u64)],
) -> Result<Appended, HandlerError> {
    for draft in drafts.iter_mut().filter(|draft| draft.now) {
        let Some(id) = draft.id else { continue };
        if let Some(held) = log.find(id)? {
            draft.effective_at = held.effective_at;
        }
    }
    let first = drafts.first().and_then(|draft| draft.id);
    if first.map(|id| log.find(id)).transpose()?.flatten().is_some() {
        return append(log, drafts, actor, &[]);
    }
    let mut unchanged = Vec::new();
    for (stream, version) in expected {
        let expected = if *version == 0 { Expected::NoStream } else { Expected::Version(*version) };
        let (found, last_seq) = log.stream_info(stream)?.map_or((0, 0), |info| (info.version, info.last_seq));
        if found != *version {
            // Before anything is decided; the log checks it again when it appends.
            let stream = stream.clone();
            return Err(AppendError::Conflict { stream, expected, version: found, last_seq }.into());
        }
        unchanged.push((stream.clone(), expected));
    }
    append(log, drafts, actor, &unchanged)
}

/// As [`append`] for events that are not in the log yet, with the verdicts on each.
pub fn append_with_verdicts(
    log: &mut Log,
    drafts: &[Draft],
    actor: &str,
    expected: &[(StreamName, Expected)],
) -> Result<Directed, HandlerError> {
    let mut ids = || random_id().map(EventId);
    decide_and_append(log, actor, expected, &mut ids, each(drafts)).map(|(directed, _)| directed)
}

/// The result of appending drafts, perhaps with the announcement of a tournament; nothing is
/// appended.
///
/// # Errors
/// When one of them is refused.
pub fn would_append(log: &Log, drafts: &[Draft]) -> Result<Directed, HandlerError> {
    decided(log, "", each(drafts)).map(|(directed, _)| directed)
}
