//! The events of a tournament, corrected: for queries that the state does not answer, such as revocations and
//! everything on a player. And the round of an event.

use std::collections::BTreeSet;

use annals_events::narrative::{Narrative, Narrator};
use annals_events::tournament::{Effect, TournamentEvent};
use annals_events::{BoardId, Entry, Event, Micros, PlayerId, StreamName, Subject, TimeNote, each_named};
use annals_tournaments::subject::Subject as About;

use crate::projection::Projection;
use crate::timeline::EffectiveEvent;

#[derive(Debug, Clone)]
pub struct HistoryEvent {
    pub seq: u64,
    pub at: Micros,
    pub recorded_at: Micros,
    pub event: Box<TournamentEvent>,
    /// Why the time is not the stated one.
    pub time: Option<TimeNote>,
}

impl HistoryEvent {
    pub fn narrative(&self, narrator: &Narrator<'_>) -> Narrative {
        narrator.narrate(&Entry { event: Event::Tournament(self.event.clone()), time: self.time })
    }

    /// Whether the event names a player, or one of the player's pairings.
    pub fn names(&self, stream: &StreamName, player: &PlayerId, pairings: &BTreeSet<BoardId>) -> bool {
        let event = Event::Tournament(self.event.clone());
        let mut named = false;
        each_named(stream, &event, |subject| {
            named |= match &subject {
                Subject::Player(name) => *name == player.as_str(),
                Subject::Pairing { tournament, pairing } => {
                    *tournament == stream.name() && pairings.contains(pairing)
                }
                _ => false,
            };
        });
        named
    }
}

/// In log order.
#[derive(Debug, Clone, Default)]
pub struct TournamentHistory {
    pub events: Vec<HistoryEvent>,
}

impl Projection for TournamentHistory {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        // An unreadable event is a finding of the tournament.
        if let Ok(Entry { event: Event::Tournament(what), time }) = event.decode() {
            self.events.push(HistoryEvent {
                seq: event.seq,
                at: event.effective_at,
                recorded_at: event.recorded_at,
                event: what,
                time,
            });
        }
    }
}

pub(crate) fn last_round(stream: &StreamName, event: &Event<'_>) -> Option<u32> {
    let mut last = None;
    each_named(stream, event, |subject| match subject {
        Subject::Round { round, .. } => last = last.max(Some(round)),
        Subject::Pairing { pairing, .. } => last = last.max(Some(pairing.round)),
        _ => {}
    });
    last
}

/// The round of an event, and its subject; no round if every later event depends on it. None for an event on which no
/// round depends.
pub(crate) fn of_round(event: &TournamentEvent) -> Option<(Option<u32>, About)> {
    use TournamentEvent as T;
    let round = |round: u32| Some((Some(round), About::Round(round)));
    match event {
        T::RoundPaired(paired) => round(paired.round),
        T::RoundStarted(started) => round(started.round),
        T::PairingRevoked(revoked) => round(revoked.round),
        T::ResultRecorded(result) => Some((Some(result.pairing.round), result.pairing.into())),
        T::ColourDrawn(drawn) => Some((Some(drawn.pairing.round), drawn.pairing.into())),
        T::ColourChosen(chosen) => Some((Some(chosen.pairing.round), chosen.pairing.into())),
        // No round depends on a ruling without effect.
        T::RulingGiven(ruling) if ruling.effect == Effect::Nothing => None,
        T::RulingGiven(ruling) => Some((
            ruling.effect.pairing().map(|pairing| pairing.round),
            format!("ruling {}", ruling.number).into(),
        )),
        T::PlayerWithdrawn(left) => Some((None, format!("the withdrawal of {}", left.player).into())),
        T::PlayerReinstated(back) => Some((None, format!("the return of {}", back.player).into())),
        T::Disqualified(out) => Some((None, format!("the disqualification of {}", out.player).into())),
        T::Qualified(qualified) => Some((None, format!("the order of the {}", qualified.from).into())),
        _ => None,
    }
}
