//! The events of a tournament, corrected: for queries that the state does not answer, such as revocations and
//! everything on a player.

use std::collections::BTreeSet;

use annals_events::narrative::{Narrative, Narrator};
use annals_events::tournament::TournamentEvent;
use annals_events::{
    BoardId, Entry, Event, Micros, PlayerId, StatedPeriod, StreamName, Subject, TimeNote, each_named,
};

use crate::projection::Projection;
use crate::timeline::EffectiveEvent;

/// When an event happened, as far as it is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    At(Micros),
    /// A month, a season or a year.
    Within(StatedPeriod),
    Unknown,
}

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

    pub fn when(&self) -> When {
        match self.time {
            Some(TimeNote::Stated(period)) => When::Within(period),
            Some(TimeNote::Unknown) => When::Unknown,
            Some(TimeNote::Lifted { .. }) | None => When::At(self.at),
        }
    }

    /// The month, season or year in which it happened, if no more is stated.
    pub fn stated(&self) -> Option<StatedPeriod> {
        match self.when() {
            When::Within(period) => Some(period),
            When::At(_) | When::Unknown => None,
        }
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
