//! The end of a round as a point in time: after its last result, before anything of the next.

use annals_events::tournament::Withdrawal;
use annals_events::{Event, PlayerId, StreamName, TournamentEvent};
use annals_store::Log;
use annals_tournaments::{Round, Tournament};

use crate::cut::{Cut, RoundEnd};
use crate::error::ReplayError;
use crate::event_history::TournamentHistory;
use crate::event_round::{last_round, of_round};
use crate::read::state_at;

/// The round of a player's last forfeit, which a removal for forfeits ends.
fn last_forfeit(tournament: &Tournament, player: &PlayerId) -> Option<u32> {
    let lost = |round: &Round| round.boards.values().any(|board| board.forfeited_by().contains(&player));
    tournament.rounds.iter().rev().find(|(_, round)| lost(round)).map(|(number, _)| *number)
}

/// The cut at a round's end, as recorded at a cut; the present state if the round is not over.
///
/// # Errors
/// If the log cannot be read, or has no such tournament or round.
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
            // A ruling may reopen the round and revoke later pairings.
            if !tournament.rounds.get(&round).is_some_and(Round::is_over) {
                (end, ended) = (None, false);
            } else if !ended {
                end = Some((said.at, said.seq, said.stated()));
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
    let (as_of, last, stated) =
        end.map_or((cut.as_of, None, None), |(at, seq, stated)| (Some(at), Some(seq), stated));
    Ok(Cut { as_of, round_end: Some(RoundEnd { round: Some(round), last, stated }), ..*cut })
}
