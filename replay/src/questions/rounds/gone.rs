//! What the state of a round no longer holds: pairs that were revoked, and the times for which a game was fixed before.

use std::collections::BTreeMap;

use annals_events::Pairing;
use annals_events::tournament::{Effect, TournamentEvent};
use annals_tournaments::Tournament;

use super::{Appointment, Person, RevokedPair};
use crate::questions::told::Said;

/// The pairs that were revoked or vacated, by round.
pub(super) fn revoked_in(tournament: &Tournament, said: &[Said]) -> BTreeMap<u32, Vec<RevokedPair>> {
    let mut standing: BTreeMap<Pairing, (Person, Person)> = BTreeMap::new();
    let mut revoked: BTreeMap<u32, Vec<RevokedPair>> = BTreeMap::new();
    for said in said {
        let (gone, reason): (Vec<Pairing>, &str) = match &*said.event {
            TournamentEvent::RoundPaired(paired) => {
                for pair in &paired.pairs {
                    let pairing = Pairing { round: paired.round, board: pair.board };
                    let pair = (Person::of(tournament, &pair.upper), Person::of(tournament, &pair.lower));
                    standing.entry(pairing).or_insert(pair);
                }
                continue;
            }
            TournamentEvent::PairingRevoked(event) => {
                let reached = |pairing: &&Pairing| {
                    pairing.round == event.round && event.board.is_none_or(|board| board == pairing.board)
                };
                (standing.keys().filter(reached).copied().collect(), &event.reason)
            }
            TournamentEvent::RulingGiven(ruling) => match &ruling.effect {
                Effect::Vacate { pairing } => (vec![*pairing], &ruling.reason),
                _ => continue,
            },
            _ => continue,
        };
        for pairing in gone {
            if let Some((upper, lower)) = standing.remove(&pairing) {
                let (board, reason) = (pairing.board, reason.to_owned());
                let pair = RevokedPair { board, upper, lower, seq: said.seq, at: said.at, reason };
                revoked.entry(pairing.round).or_default().push(pair);
            }
        }
    }
    revoked
}

/// The times for which the game of each pairing was fixed, in the order in which they were said.
pub(super) fn appointments_in(said: &[Said]) -> BTreeMap<Pairing, Vec<Appointment>> {
    let mut all: BTreeMap<Pairing, Vec<Appointment>> = BTreeMap::new();
    for said in said {
        if let TournamentEvent::GameScheduled(fixed) = &*said.event {
            all.entry(fixed.pairing).or_default().push(Appointment {
                at: fixed.at,
                fixed_at: said.at,
                reason: fixed.reason.clone(),
            });
        }
    }
    all
}
