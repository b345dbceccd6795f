//! What the state of a round no longer has: revoked pairs, and earlier appointments.

use std::collections::BTreeMap;

use annals_events::tournament::TournamentEvent;
use annals_events::{BoardId, Micros, PlayerId};
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use crate::event_history::HistoryEvent;
use crate::queries::person::Person;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Appointment {
    pub at: Micros,
    pub fixed_at: Micros,
    pub reason: Option<String>,
}

/// A pair that counts as never paired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RevokedPair {
    pub board: u32,
    pub upper: Person,
    pub lower: Person,
    /// None if the colours were open.
    pub gold: Option<PlayerId>,
    pub silver: Option<PlayerId>,
    pub seq: u64,
    pub at: Micros,
    pub reason: String,
}

#[derive(Default)]
pub(super) struct Gone {
    /// Revoked or vacated pairs, with their appointments.
    revoked: Vec<(BoardId, RevokedPair, Vec<Appointment>)>,
    /// In recording order.
    appointments: BTreeMap<BoardId, Vec<Appointment>>,
}

impl Gone {
    /// From a tournament's events, by what each changes in the state.
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
            let before = boards(&state);
            state.evolve(said.seq, said.at, &said.event);
            let after = boards(&state);
            for (pairing, board) in before.iter().filter(|(pairing, _)| !after.contains_key(pairing)) {
                let revoked = RevokedPair {
                    board: pairing.board,
                    upper: Person::of(tournament, board.upper()),
                    lower: Person::of(tournament, board.lower()),
                    gold: board.gold().cloned(),
                    silver: board.silver().cloned(),
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

    pub(super) fn revoked_in(&self, round: u32) -> Vec<RevokedPair> {
        let of_round = self.revoked.iter().filter(|(pairing, ..)| pairing.round == round);
        of_round.map(|(_, revoked, _)| revoked.clone()).collect()
    }

    pub(super) fn appointments(&self, pairing: BoardId) -> Vec<Appointment> {
        self.appointments.get(&pairing).cloned().unwrap_or_default()
    }
}

fn boards(tournament: &Tournament) -> BTreeMap<BoardId, Board> {
    let rounds = tournament.rounds.iter();
    let boards = rounds.flat_map(|(&round, of)| of.boards.iter().map(move |(board, of)| (round, *board, of)));
    boards.map(|(round, board, of)| (BoardId { round, board }, of.clone())).collect()
}
