//! The end of a round as a point in time: after its last result, and before anything of the next round.

use annals_events::{Event, StreamName, Subject, each_named};
use annals_store::Log;
use annals_tournaments::Tournament;
use serde::Serialize;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::projection::Replayed;
use crate::questions::told::Told;
use crate::read::absent;
use crate::recorded::Scope;
use crate::timeline::Standing;
use crate::tournament_audit::of_round;

/// The end of a round. What is of a later round counts for nothing, whenever it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct RoundEnd {
    pub round: u32,
    /// The event after which it was over: of what happened in the same instant, nothing later in the log counts. None where
    /// the round is not over, and everything counts as it stands now.
    pub last: Option<u64>,
}

impl RoundEnd {
    /// Whether an event is of a later round.
    pub(crate) fn excludes(&self, event: &Standing<'_>) -> bool {
        if !event.stream.starts_with("tournament/") {
            return false;
        }
        let (Ok(entry), Ok(stream)) = (event.decode(), event.stream.parse()) else { return false };
        last_round(&stream, &entry.event).is_some_and(|round| round > self.round)
    }
}

/// The last round that an event names.
fn last_round(stream: &StreamName, event: &Event<'_>) -> Option<u32> {
    let mut last = None;
    each_named(stream, event, |subject| match subject {
        Subject::Round { round, .. } => last = last.max(Some(round)),
        Subject::Pairing { pairing, .. } => last = last.max(Some(pairing.round)),
        _ => {}
    });
    last
}

/// The cut at the end of a round, as known at a cut; at what stands there where the round is not over.
///
/// # Errors
/// When the log cannot be read, has no such tournament, or the tournament no such round.
pub fn end_of_round(log: &Log, stream: &StreamName, round: u32, cut: &Cut) -> Result<Cut, ReplayError> {
    let replayed = Replayed::<Told>::rebuild(log, Scope::Stream(stream.clone()), cut)?;
    if replayed.folded() == 0 {
        return Err(absent(log, stream)?);
    }
    let mut events = replayed.into_state().events;
    events.sort_by_key(|said| (said.at, said.seq));
    let mut tournament = Tournament::default();
    let mut end = None;
    let mut ended = false;
    for said in &events {
        tournament.evolve(said.seq, said.at, &said.event);
        let of = of_round(&said.event).and_then(|(of, _)| of);
        let event = Event::Tournament(said.event.clone());
        if of == Some(round) {
            // A ruling may reopen the round, and revoke what was paired after it.
            if !tournament.rounds.get(&round).is_some_and(annals_tournaments::Round::is_over) {
                (end, ended) = (None, false);
            } else if !ended {
                end = Some((said.at, said.seq));
            }
        } else if last_round(stream, &event).is_some_and(|named| named > round) {
            ended |= end.is_some();
        }
    }
    if !tournament.rounds.contains_key(&round) {
        let paired: Vec<String> = tournament.rounds.keys().map(u32::to_string).collect();
        let why = if paired.is_empty() {
            "no round is paired".to_owned()
        } else {
            format!("paired are the rounds {}", paired.join(", "))
        };
        return Err(ReplayError::NoSuchRound { stream: stream.clone(), round, why });
    }
    let (as_of, last) = end.map_or((cut.as_of, None), |(at, seq)| (Some(at), Some(seq)));
    Ok(Cut { as_of, round_end: Some(RoundEnd { round, last }), ..*cut })
}
