//! A correction of an event by its fields: the payload that the event has now, with some of its values replaced.

use annals_events::canonical::{self, CanonicalError};
use annals_events::log::{Change, Correction};
use annals_events::tournament::Outcome;
use annals_events::{
    Event, LogEvent, Micros, PlayerId, RawEnvelope, RawPayload, StatedPeriod, TIME_KEY, TournamentEvent,
    UnknownWord,
};
use annals_store::{Log, ReadError};
use serde_json::{Value, json};

use super::append::{Directed, HandlerError, append_with_verdicts, would_append};
use super::draft::Draft;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::read::{people_at, tournament_at};
use crate::supposed_result::outcome_of;
use crate::timeline::{CORRECTION, Corrections};

/// What is to change.
#[derive(Debug, Clone)]
pub enum Amendment {
    /// The event counts as never recorded.
    Strike,
    /// Fields by their paths (`fees.penalty`) with their texts, and the time at which the event happened, if they change.
    Replace { fields: Vec<(String, String)>, happened: Option<(Micros, Option<StatedPeriod>)> },
}

/// Why a correction cannot be drafted. Nothing of it is in the log.
#[derive(Debug, thiserror::Error)]
pub enum CorrectionError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Handler(#[from] HandlerError),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    #[error("the payload of event {seq} is not JSON: {error}")]
    Payload { seq: u64, error: serde_json::Error },
    #[error("the log has no event {seq}")]
    NoSuchEvent { seq: u64 },
    #[error("event {seq} is a correction of event {corrects}")]
    IsCorrection { seq: u64, corrects: u64 },
    #[error("event {seq} was struck already")]
    Struck { seq: u64 },
    #[error("`{path}` is not a field of an object in the payload of event {seq}")]
    NoObject { seq: u64, path: String },
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("event {seq}: {unknown}, or the winner's name")]
    Outcome { seq: u64, unknown: UnknownWord },
    #[error("event {seq} has these values already")]
    Unchanged { seq: u64, payload: String },
}

/// Who corrects, when (now if not stated), and why.
#[derive(Debug, Clone, Copy)]
pub struct Corrector<'a> {
    pub actor: &'a str,
    pub at: Option<Micros>,
    pub now: Micros,
    pub reason: &'a str,
    pub dry_run: bool,
}

/// Corrects an event of any stream. Returns the correction with the verdicts on it, and the type of the corrected event.
///
/// # Errors
/// When there is no such event, or the rules do not allow the correction.
pub fn correct(
    log: &mut Log,
    seq: u64,
    amendment: &Amendment,
    by: Corrector<'_>,
) -> Result<(Directed, String), CorrectionError> {
    let target =
        log.event(seq)?.filter(|event| event.seq == seq).ok_or(CorrectionError::NoSuchEvent { seq })?;
    if let Ok(Event::Log(LogEvent::Correction(correction))) = target.decode() {
        return Err(CorrectionError::IsCorrection { seq, corrects: correction.corrects });
    }
    let change = match amendment {
        Amendment::Strike => Change::Strike,
        Amendment::Replace { fields, happened } => replaced(log, &target, fields, *happened)?,
    };
    let correction = Correction { corrects: seq, change, reason: by.reason.to_owned() };
    let draft = Draft::new(target.stream.clone(), by.at.unwrap_or(by.now), LogEvent::Correction(correction))?;
    let draft = if by.at.is_none() { draft.now() } else { draft };
    let directed = match by.dry_run {
        true => would_append(log, &[draft])?,
        false => append_with_verdicts(log, &[draft], by.actor, &[])?,
    };
    Ok((directed, target.event_type))
}

/// The entrant to whom a correction gives another identity, if the log has no player of it.
///
/// # Errors
/// When the log or the correction cannot be read.
pub fn stranger(log: &Log, directed: &Directed) -> Result<Option<PlayerId>, CorrectionError> {
    for draft in &directed.drafts {
        let Ok(Event::Log(LogEvent::Correction(correction))) = draft.decode().map(|entry| entry.event) else {
            continue;
        };
        let Change::Replace { payload, .. } = &correction.change else { continue };
        let Some(target) = log.event(correction.corrects)? else { continue };
        if target.event_type != "tournament.player_registered" {
            continue;
        }
        let read =
            |text: &str| serde_json::from_str::<Value>(text).ok()?.get("player")?.as_str()?.parse().ok();
        let [was, is]: [Option<PlayerId>; 2] = [read(target.payload.as_str()), read(payload.as_str())];
        let Some(player) = is.filter(|player| Some(player) != was.as_ref()) else { continue };
        if people_at(log, &Cut::NOW)?.identity(&player).is_none() {
            return Ok(Some(player));
        }
    }
    Ok(None)
}

fn replaced(
    log: &Log,
    target: &RawEnvelope,
    fields: &[(String, String)],
    happened: Option<(Micros, Option<StatedPeriod>)>,
) -> Result<Change, CorrectionError> {
    let seq = target.seq;
    let events = log.stream(&target.stream, u64::MAX)?;
    let corrections = Corrections::of(events.iter().filter(|event| event.event_type == CORRECTION));
    let present = corrections.effective(target).ok_or(CorrectionError::Struck { seq })?;
    let read = |text: &str| serde_json::from_str::<Value>(text);
    let mut payload =
        read(present.payload.as_str()).map_err(|error| CorrectionError::Payload { seq, error })?;
    for (path, text) in fields {
        let outcome = if path == "outcome" { outcome(log, target, text)? } else { None };
        let text = match outcome {
            Some(outcome) => outcome.word(),
            None => text,
        };
        set(&mut payload, path, text).ok_or_else(|| CorrectionError::NoObject { seq, path: path.clone() })?;
    }
    if let (Some((_, period)), Some(members)) = (happened, payload.as_object_mut()) {
        members.remove(TIME_KEY);
        members.extend(period.map(|period| (TIME_KEY.to_owned(), json!({ "stated": period.to_string() }))));
    }
    let text = canonical::to_string(&payload)?;
    let effective_at = happened.map_or(present.effective_at, |(at, _)| at);
    if text == present.payload.as_str() && effective_at == present.effective_at {
        return Err(CorrectionError::Unchanged { seq, payload: text });
    }
    let effective_at = (effective_at != target.effective_at).then_some(effective_at);
    Ok(Change::Replace { payload: RawPayload::from_stored(text), schema: present.schema, effective_at })
}

/// The outcome of a result by its word, by the side or by the player that won; none for another event.
fn outcome(log: &Log, target: &RawEnvelope, text: &str) -> Result<Option<Outcome>, CorrectionError> {
    let Ok(Event::Tournament(event)) = target.decode() else { return Ok(None) };
    let TournamentEvent::ResultRecorded(result) = *event else { return Ok(None) };
    let tournament = tournament_at(log, &target.stream, &Cut::NOW)?.tournament;
    let unknown = |unknown| CorrectionError::Outcome { seq: target.seq, unknown };
    match tournament.board(result.pairing) {
        Some(board) => match outcome_of(&tournament, (result.pairing, board), text) {
            Err(_) => text.parse().map(Some).map_err(unknown),
            outcome => Ok(outcome.ok()),
        },
        None => text.parse().map(Some).map_err(unknown),
    }
}

/// Sets a field by its path; an empty text removes it. A text stays a text where the field has one; else it is read as JSON if
/// it can be. None if the path leads through a value that is not an object.
fn set(payload: &mut Value, path: &str, text: &str) -> Option<()> {
    let mut object = payload.as_object_mut()?;
    let mut names: Vec<&str> = path.split('.').collect();
    let last = names.pop()?;
    for name in names {
        object = object.entry(name).or_insert_with(|| json!({})).as_object_mut()?;
    }
    if text.is_empty() {
        object.remove(last);
        return Some(());
    }
    let stays_text = object.get(last).is_some_and(Value::is_string);
    let value = serde_json::from_str(text).ok().filter(|_| !stays_text);
    object.insert(last.to_owned(), value.unwrap_or_else(|| Value::from(text)));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(path: &str, text: &str) -> Option<Value> {
        let mut payload = json!({"outcome": "gold", "territory": 5, "fees": {"penalty": 1}, "name": "7"});
        set(&mut payload, path, text).map(|()| payload)
    }

    #[test]
    fn a_field_is_set_by_its_path_and_keeps_its_kind() {
        assert_eq!(with("outcome", "silver").unwrap()["outcome"], "silver");
        assert_eq!(with("territory", "12").unwrap()["territory"], 12);
        assert_eq!(with("name", "8").unwrap()["name"], "8");
        assert_eq!(with("fees.penalty", "3").unwrap()["fees"]["penalty"], 3);
        assert_eq!(with("note", "seen twice").unwrap()["note"], "seen twice");
        assert_eq!(with("territory", "").unwrap().get("territory"), None);
        assert_eq!(with("territory.x", "1"), None);
    }
}
