//! The state of a game, a tournament, the people or the log at a cut.

use std::ops::ControlFlow;

use annals_events::{Entry, Event, Family, GameEvent, GameKind, StreamName, TournamentEvent};
use annals_store::{Log, ReadError};

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::people::People;
use crate::projection::{Projection, Replayed};
use crate::recorded::Scope;
use crate::summary::LogSummary;
use crate::tournament::TournamentReplay;

/// # Errors
/// If the log cannot be read, has no such stream, or no event of it counts at the cut.
pub fn game_at(log: &Log, stream: &StreamName, cut: &Cut) -> Result<GameReplay, ReplayError> {
    of_family(stream, Family::Game)?;
    state_at(log, stream, cut)
}

pub fn tournament_at(log: &Log, stream: &StreamName, cut: &Cut) -> Result<TournamentReplay, ReplayError> {
    of_family(stream, Family::Tournament)?;
    state_at(log, stream, cut)
}

pub fn people_at(log: &Log, cut: &Cut) -> Result<People, ReplayError> {
    Ok(Replayed::<People>::rebuild(log, Scope::People, cut)?.into_state())
}

pub fn log_at(log: &Log, cut: &Cut) -> Result<LogSummary, ReplayError> {
    Ok(Replayed::<LogSummary>::rebuild(log, Scope::Log, cut)?.into_state())
}

/// The game of a stream: begun there, or announced by a tournament.
pub fn game_kind_of(log: &Log, stream: &StreamName) -> Result<Option<GameKind>, ReadError> {
    if ![Family::Game.word(), Family::Tournament.word()].contains(&stream.family()) {
        return Ok(None);
    }
    let mut found = None;
    log.scan_stream(stream, u64::MAX, |event| {
        let entry = Entry::from_payload(event.event_type, event.schema, event.payload);
        found = match entry.map(|entry| entry.event) {
            Ok(Event::Game(GameEvent::Started(started))) => Some(started.game),
            Ok(Event::Tournament(said)) => match *said {
                TournamentEvent::Announced(announced) => Some(announced.game),
                _ => None,
            },
            _ => None,
        };
        Ok::<_, ReadError>(if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(found)
}

/// Checks a stream's family.
pub(crate) fn of_family(stream: &StreamName, family: Family) -> Result<(), ReplayError> {
    if stream.family() == family.word() {
        Ok(())
    } else {
        Err(ReplayError::NoSuchFamily { stream: stream.clone() })
    }
}

pub(crate) fn state_at<P: Projection>(log: &Log, stream: &StreamName, cut: &Cut) -> Result<P, ReplayError> {
    match state_of(log, stream, cut)? {
        Some(state) => Ok(state),
        None => Err(absent(log, stream)?),
    }
}

/// None if no event of it counts.
pub(crate) fn state_of<P: Projection>(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
) -> Result<Option<P>, ReplayError> {
    let replayed = Replayed::<P>::rebuild(log, Scope::Stream(stream.clone()), cut)?;
    Ok((replayed.folded() > 0).then(|| replayed.into_state()))
}

/// Why a stream has no state.
pub(crate) fn absent(log: &Log, stream: &StreamName) -> Result<ReplayError, ReadError> {
    let mut first = None;
    log.scan_stream(stream, u64::MAX, |event| {
        first = Some((event.seq, event.effective_at, event.recorded_at));
        Ok::<_, ReadError>(ControlFlow::Break(()))
    })?;
    let stream = stream.clone();
    Ok(match first {
        None => ReplayError::NoSuchStream { stream },
        Some((seq, effective_at, recorded_at)) => {
            ReplayError::NotYet { stream, seq, effective_at, recorded_at }
        }
    })
}
