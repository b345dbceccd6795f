//! What was said in a tournament, event by event, corrections in place: for questions that the state alone does not
//! answer, such as what was revoked, or everything that names one player.

use std::collections::BTreeSet;

use annals_events::story::{Story, Teller};
use annals_events::tournament::TournamentEvent;
use annals_events::{Entry, Event, Micros, Pairing, PlayerId, StreamName, Subject, TimeNote, each_named};

use crate::finding::Finding;
use crate::projection::Projection;
use crate::timeline::Standing;

/// One event of a tournament.
#[derive(Debug, Clone)]
pub struct Said {
    pub seq: u64,
    pub at: Micros,
    /// When the log took it.
    pub recorded_at: Micros,
    pub event: Box<TournamentEvent>,
    /// Why the time is not the one that the source states.
    pub time: Option<TimeNote>,
}

impl Said {
    /// The event in words.
    #[must_use]
    pub fn story(&self, teller: &Teller<'_>) -> Story {
        teller.tell(&Entry { event: Event::Tournament(self.event.clone()), time: self.time })
    }

    /// Whether the event names a player, or one of the pairings that the player has.
    #[must_use]
    pub fn names(&self, stream: &StreamName, player: &PlayerId, pairings: &BTreeSet<Pairing>) -> bool {
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

/// All that was said, in the order of the log.
#[derive(Debug, Clone, Default)]
pub struct Told {
    pub events: Vec<Said>,
}

impl Projection for Told {
    fn apply(&mut self, event: &Standing<'_>) {
        // What cannot be read is a finding of the tournament itself.
        if let Ok(Entry { event: Event::Tournament(what), time }) = event.decode() {
            self.events.push(Said {
                seq: event.seq,
                at: event.effective_at,
                recorded_at: event.recorded_at,
                event: what,
                time,
            });
        }
    }

    fn find(&mut self, _finding: Finding) {}
}
