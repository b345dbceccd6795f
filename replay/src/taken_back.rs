//! Retracted moves of every kind: a retraction, play from an earlier position, a correction that strikes or replaces a
//! turn. A rulebook on retractions means all of them.

use annals_events::{Event, GameEvent};
use annals_rules::{Retraction, TakenBackBy};

use crate::timeline::AppliedCorrection;

/// The number of turns that an event retracts, and the stated reason.
pub(crate) fn by_event<'e>(event: &'e GameEvent<'_>, plies: usize) -> Option<(u32, Option<&'e str>)> {
    match event {
        GameEvent::TurnRetracted(retracted) => Some((1, retracted.reason.as_deref())),
        GameEvent::Resumed(resumed) => {
            let undone = u32::try_from(plies).unwrap_or(u32::MAX).checked_sub(resumed.from_ply)?;
            (undone > 0).then_some((undone, resumed.reason.as_deref()))
        }
        _ => None,
    }
}

/// Whether a change of an event retracts a move: a turn was struck or replaced, or more turns are undone.
fn by_change(recorded: &Event<'_>, now: Option<&Event<'_>>) -> bool {
    match (recorded, now) {
        (Event::Game(GameEvent::TurnTaken(_)), None) => true,
        (Event::Game(GameEvent::TurnTaken(old)), Some(Event::Game(GameEvent::TurnTaken(new)))) => {
            (old.number, old.side, &old.steps) != (new.number, new.side, &new.steps)
        }
        (Event::Game(GameEvent::Resumed(old)), Some(Event::Game(GameEvent::Resumed(new)))) => {
            new.from_ply < old.from_ply
        }
        _ => false,
    }
}

/// Who retracts a move by a correction, and why. The fold decides whether the game was under way.
pub(crate) fn by_correction(correction: &AppliedCorrection<'_>) -> Option<Retraction> {
    let recorded = correction.recorded.decode().ok()?.event;
    let now = match &correction.standing {
        Some(standing) => Some(standing.decode().ok()?.event),
        None => None,
    };
    by_change(&recorded, now.as_ref()).then(|| Retraction {
        seq: correction.by,
        kind: TakenBackBy::Correction,
        by: correction.actor.to_owned(),
        reason: Some(correction.reason.to_owned()),
    })
}
