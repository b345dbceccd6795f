//! Appending what happens now: decided as a whole, in order, and taken by the log only if nothing that the decision
//! rests on has changed since it was read.

use annals_events::{EventId, StreamName};
use annals_store::{
    AppendError, Appended, EventError, Expected, Fault, Log, NewEvent, Transaction, random_id,
};

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

/// How often events are decided again when somebody else appended between the decision and the append.
const ATTEMPTS: u32 = 50;

/// Appends events that happen now, all together or none; `actor` is who says so where an event does not. Events
/// that all have identities of their own and are in the log already are a repetition, and stay where they are.
///
/// Where somebody else appends between the decision and the append, the events are decided again on the new state, up to
/// 50 times in all.
///
/// # Errors
/// When one of them is against the rules, or the log does not take them.
pub fn append(log: &mut Log, drafts: &[Draft], actor: &str) -> Result<Appended, DeskError> {
    append_expecting(log, drafts, actor, &[])
}

/// As [`append`], if streams are as the caller takes for granted; else it fails at once and nothing is decided again.
///
/// # Errors
/// As [`append`], and when a stream is not as expected.
pub fn append_expecting(
    log: &mut Log,
    drafts: &[Draft],
    actor: &str,
    expected: &[(StreamName, Expected)],
) -> Result<Appended, DeskError> {
    let mut ids = Vec::with_capacity(drafts.len());
    for draft in drafts {
        ids.push(match draft.id {
            Some(id) => id,
            None => EventId(random_id()?),
        });
    }
    let first = drafts.first().and_then(|draft| draft.id);
    if let Some(id) = first
        && log.find(id)?.is_some()
    {
        // Decided long ago; the log itself says whether it is the same.
        let events = drafts.iter().zip(&ids).map(|(draft, id)| draft.to_new_event(*id, actor));
        return Ok(log.append(&Transaction::of(events.collect::<Result<_, _>>()?))?);
    }
    let mut attempt = 0;
    loop {
        attempt += 1;
        let mut transaction = decided(log, drafts, &ids, actor)?;
        transaction.expected.extend_from_slice(expected);
        match log.append(&transaction) {
            Err(AppendError::Conflict { .. }) if expected.is_empty() && attempt < ATTEMPTS => {}
            done => return Ok(done?),
        }
    }
}

/// Decides about events on the log as it is now.
fn decided(log: &Log, drafts: &[Draft], ids: &[EventId], actor: &str) -> Result<Transaction, DeskError> {
    let mut desk = Desk::at(log, log.last_seq()?)?.for_actor(actor);
    let mut events: Vec<NewEvent> = Vec::with_capacity(drafts.len());
    for (index, (draft, id)) in drafts.iter().zip(ids).enumerate() {
        desk.decide(index, draft)?.map_err(|refusal| DeskError::Refused(Box::new(refusal)))?;
        // What happens now may have been lifted.
        let effective_at = desk.taken().last().map_or(draft.effective_at, |taken| taken.effective_at);
        events.push(Draft { effective_at, ..draft.clone() }.to_new_event(*id, actor)?);
    }
    Ok(Transaction { expected: desk.expectations(), events })
}
