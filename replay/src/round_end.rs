//! The end of a round as a point in time: after its last result, and before anything of the next round.

use annals_events::tournament::Withdrawal;
use annals_events::{Event, PlayerId, StreamName, TournamentEvent};
use annals_store::Log;
use annals_tournaments::{Round, Tournament};
use serde::Serialize;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::event_history::{TournamentHistory, last_round, of_round};
use crate::read::state_at;
use crate::timeline::EffectiveEvent;

/// The end of a round. What is of a later round counts for nothing, whenever it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct RoundEnd {
    /// None for another tournament, whose rounds are others.
    pub round: Option<u32>,
    /// The event after which it was over: of what happened in the same instant, nothing later in the log counts. None where
    /// the round is not over, and everything counts as it is now.
    pub last: Option<u64>,
}

impl RoundEnd {
    /// Whether an event is of a later round.
    pub(crate) fn excludes(&self, event: &EffectiveEvent<'_>) -> bool {
        let Some(end) = self.round.filter(|_| event.stream.starts_with("tournament/")) else { return false };
        let (Ok(entry), Ok(stream)) = (event.decode(), event.stream.parse()) else { return false };
        last_round(&stream, &entry.event).is_some_and(|round| round > end)
    }
}

/// The round of the last forfeit of a player, which a removal for forfeits ends.
fn last_forfeit(tournament: &Tournament, player: &PlayerId) -> Option<u32> {
    let lost = |round: &Round| round.boards.values().any(|board| board.forfeited_by().contains(&player));
    tournament.rounds.iter().rev().find(|(_, round)| lost(round)).map(|(number, _)| *number)
}

/// The cut at the end of a round, as known at a cut; at the state there where the round is not over.
///
/// # Errors
/// When the log cannot be read, has no such tournament, or the tournament no such round.
pub fn end_of_round(log: &Log, stream: &StreamName, round: u32, cut: &Cut) -> Result<Cut, ReplayError> {
    let mut events = state_at::<TournamentHistory>(log, stream, cut)?.events;
    events.sort_by_key(|said| (said.at, said.seq));
    let mut tournament = Tournament::default();
    let mut end = None;
    let mut ended = false;
    for said in &events {
        tournament.evolve(said.seq, said.at, &said.event);
        let of = match &*said.event {
            TournamentEvent::PlayerWithdrawn(left) if left.how == Withdrawal::Forfeit => {
                last_forfeit(&tournament, &left.player)
            }
            event => of_round(event).and_then(|(of, _)| of),
        };
        let event = Event::Tournament(said.event.clone());
        if of == Some(round) {
            // A ruling may reopen the round, and revoke what was paired after it.
            if !tournament.rounds.get(&round).is_some_and(Round::is_over) {
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
    Ok(Cut { as_of, round_end: Some(RoundEnd { round: Some(round), last }), ..*cut })
}
