//! Moves that are taken back, in any way: by a retraction, by play that goes on from an earlier position, by a
//! correction that strikes a turn or puts another move in its place. A rulebook that says who may take a move back
//! means all of them.

use annals_events::{Event, GameEvent};
use annals_rules::{Retraction, TakenBackBy};

use crate::timeline::AppliedCorrection;

/// How many of the turns in force an event takes back, and the reason that it gives; none where it takes none.
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

/// Whether an event that was recorded takes a move back by what becomes of it: it was a turn and is struck or another move
/// now, or it undoes more turns than it did.
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

/// Who takes a move back by a correction, and why; none where it takes none back. Whether the game was under way its fold says.
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
