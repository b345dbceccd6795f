//! What the state of a round no longer holds: pairs that count as never paired, and the times for which a game was fixed
//! before.

use std::collections::BTreeMap;

use annals_events::BoardId;
use annals_events::tournament::{Pair, TournamentEvent};
use annals_tournaments::Tournament;

use super::{Appointment, Person, RevokedPair};
use crate::event_history::HistoryEvent;

/// What was in rounds and is no more.
#[derive(Default)]
pub(super) struct Gone {
    /// The pairs that were revoked or vacated, each with the times that had been fixed for it.
    revoked: Vec<(BoardId, RevokedPair, Vec<Appointment>)>,
    /// The times for which the game of each pairing was fixed, in the order in which they were said.
    appointments: BTreeMap<BoardId, Vec<Appointment>>,
}

impl Gone {
    /// Reads it off the events of a tournament, by what each changes in the state.
    pub(super) fn of(tournament: &Tournament, said: &[HistoryEvent]) -> Gone {
        let (mut gone, mut state) = (Gone::default(), Tournament::default());
        for said in said {
            let reason = match &*said.event {
                TournamentEvent::PairingRevoked(revoked) => &revoked.reason,
                TournamentEvent::RulingGiven(ruling) => &ruling.reason,
                event => {
                    if let TournamentEvent::GameScheduled(fixed) = event {
                        let (at, fixed_at, reason) = (fixed.at, said.at, fixed.reason.clone());
                        let appointment = Appointment { at, fixed_at, reason };
                        gone.appointments.entry(fixed.pairing).or_default().push(appointment);
                    }
                    state.evolve(said.seq, said.at, event);
                    continue;
                }
            };
            let before = pairs(&state);
            state.evolve(said.seq, said.at, &said.event);
            let after = pairs(&state);
            for (pairing, pair) in before.iter().filter(|(pairing, _)| !after.contains_key(pairing)) {
                let revoked = RevokedPair {
                    board: pairing.board,
                    upper: Person::of(tournament, &pair.upper),
                    lower: Person::of(tournament, &pair.lower),
                    seq: said.seq,
                    at: said.at,
                    reason: reason.clone(),
                };
                let fixed = gone.appointments.remove(pairing).unwrap_or_default();
                gone.revoked.push((*pairing, revoked, fixed));
            }
            // The ruling that vacated it was superseded.
            for pairing in after.into_keys().filter(|pairing| !before.contains_key(pairing)) {
                if let Some(last) = gone.revoked.iter().rposition(|(revoked, ..)| *revoked == pairing) {
                    gone.appointments.insert(pairing, gone.revoked.remove(last).2);
                }
            }
        }
        gone
    }

    /// The pairs of a round that were revoked or vacated.
    pub(super) fn revoked_in(&self, round: u32) -> Vec<RevokedPair> {
        let of_round = self.revoked.iter().filter(|(pairing, ..)| pairing.round == round);
        of_round.map(|(_, revoked, _)| revoked.clone()).collect()
    }

    /// The times for which the game of a pairing was fixed.
    pub(super) fn appointments(&self, pairing: BoardId) -> Vec<Appointment> {
        self.appointments.get(&pairing).cloned().unwrap_or_default()
    }
}

fn pairs(tournament: &Tournament) -> BTreeMap<BoardId, Pair> {
    let rounds = tournament.rounds.iter();
    let boards = rounds.flat_map(|(&round, of)| of.boards.iter().map(move |(board, of)| (round, *board, of)));
    boards.map(|(round, board, of)| (BoardId { round, board }, of.pair.clone())).collect()
}
