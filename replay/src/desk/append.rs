//! Appending what happens now: decided as a whole, in order, and taken by the log only if nothing that the decision
//! rests on has changed since it was read.

use annals_events::EventId;
use annals_store::{AppendError, Appended, EventError, Fault, Log, NewEvent, Transaction, random_id};

use super::decide::Desk;
use super::draft::Draft;
use super::refusal::Refusal;
use crate::error::ReplayError;

/// Why events are not appended. Nothing of them is in the log.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// One of them is against the rules.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// What the decision rests on cannot be read.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// One of them is no event that a log can hold.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The log does not take them.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// No identities for new events are to be had.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<annals_store::ReadError> for DeskError {
    fn from(error: annals_store::ReadError) -> DeskError {
        DeskError::Replay(error.into())
    }
}

/// Appends events that happen now, all together or none; `actor` is who says so where an event does not. Events
/// that all have identities of their own and are in the log already are a repetition, and stay where they are.
///
/// # Errors
/// When one of them is against the rules, or the log does not take them.
pub fn append(log: &mut Log, drafts: &[Draft], actor: &str) -> Result<Appended, DeskError> {
    let first = drafts.first().and_then(|draft| draft.id);
    if let Some(id) = first
        && log.find(id)?.is_some()
    {
        // Decided long ago; the log itself says whether it is the same.
        return Ok(log.append(&Transaction::of(events_of(drafts, actor)?))?);
    }
    let mut desk = Desk::at(log, log.last_seq()?)?;
    for (index, draft) in drafts.iter().enumerate() {
        desk.decide(index, draft)?.map_err(|refusal| DeskError::Refused(Box::new(refusal)))?;
    }
    let (expected, events) = (desk.expectations(), events_of(drafts, actor)?);
    Ok(log.append(&Transaction { expected, events })?)
}

fn events_of(drafts: &[Draft], actor: &str) -> Result<Vec<NewEvent>, DeskError> {
    let mut events = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let id = match draft.id {
            Some(id) => id,
            None => EventId(random_id()?),
        };
        events.push(draft.to_new_event(id, actor)?);
    }
    Ok(events)
}
