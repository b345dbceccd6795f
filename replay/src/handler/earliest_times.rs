//! The earliest time that an event may have. It may not be effective before the last event of its game,
//! the announcement of its tournament, and the last event that named a player, a pairing or a round that it names.
//! In another stream it depends on the event that created the named subject: a game on its pairing (not on the result, which
//! comes after it), a result on the whole game, an event of a player on the first record of the player.

use std::borrow::Cow;
use std::collections::HashMap;

use annals_events::{Event, Family, Micros, StreamName, Subject, each_named};

use crate::projection::Projection;
use crate::timeline::EffectiveEvent;

/// An event on which others depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    pub seq: u64,
    pub at: Micros,
}

/// The later of two causes; the first if they have the same time.
pub(super) fn later(a: Option<Cause>, b: Option<Cause>) -> Option<Cause> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.at > a.at { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The subjects that the events of one stream name, with the times.
#[derive(Debug, Clone, Default)]
pub struct EarliestTimes {
    stream: Option<StreamName>,
    first: Option<Cause>,
    latest: Option<Cause>,
    /// In a tournament: the first and the latest event that named each player, round and pairing.
    touched: HashMap<Subject<'static>, (Cause, Cause)>,
}

impl Projection for EarliestTimes {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        if self.stream.as_ref().is_none_or(|stream| stream.as_str() != event.stream) {
            self.stream = event.stream.parse().ok();
        }
        let cause = Cause { seq: event.seq, at: event.effective_at };
        // The turns of a game name no subject; an unreadable event still happened.
        let in_tournament = event.stream.starts_with(Family::Tournament.word());
        let entry = if in_tournament { event.decode().ok() } else { None };
        let stream = self.stream.take();
        match (&entry, &stream) {
            (Some(entry), Some(stream)) => self.touch(cause, stream, &entry.event),
            _ => self.happened(cause),
        }
        self.stream = stream;
    }
}

impl EarliestTimes {
    fn happened(&mut self, cause: Cause) {
        self.first.get_or_insert(cause);
        self.latest = later(self.latest, Some(cause));
    }

    /// Records the subjects that an event of the stream names.
    pub fn touch(&mut self, cause: Cause, stream: &StreamName, event: &Event<'_>) {
        self.happened(cause);
        if stream.family() != Family::Tournament.word() {
            return;
        }
        each_named(stream, event, |subject| {
            if matches!(subject, Subject::Player(_) | Subject::Round { .. } | Subject::Pairing { .. }) {
                let (first, latest) = self.touched.entry(owned(&subject)).or_insert((cause, cause));
                *first = if cause.at < first.at { cause } else { *first };
                *latest = if cause.at > latest.at { cause } else { *latest };
            }
        });
    }

    /// The first event of the stream.
    pub fn first(&self) -> Option<Cause> {
        self.first
    }

    /// The event of the stream that happened last.
    pub fn latest(&self) -> Option<Cause> {
        self.latest
    }

    /// The latest event of a tournament's stream that named a player, a round or a pairing.
    pub fn of(&self, subject: &Subject<'_>) -> Option<Cause> {
        self.touched.get(&owned(subject)).map(|(_, latest)| *latest)
    }

    /// The event of a tournament's stream that first named a player, a round or a pairing.
    pub fn beginning_of(&self, subject: &Subject<'_>) -> Option<Cause> {
        self.touched.get(&owned(subject)).map(|(first, _)| *first)
    }

    /// The event on which a further event of the same stream depends.
    pub fn under(&self, stream: &StreamName, event: &Event<'_>) -> Option<Cause> {
        match stream.family() {
            "game" | "people" => self.latest,
            "tournament" => {
                let mut floor = self.first;
                each_named(stream, event, |subject| {
                    floor = later(floor, self.of(&subject));
                    if let Subject::Pairing { tournament, pairing } = subject {
                        floor = later(floor, self.of(&Subject::Round { tournament, round: pairing.round }));
                    }
                });
                floor
            }
            _ => None,
        }
    }
}

/// A subject with its own text.
pub(super) fn owned(subject: &Subject<'_>) -> Subject<'static> {
    let text = |text: &Cow<'_, str>| Cow::Owned(text.clone().into_owned());
    match subject {
        Subject::Tournament(name) => Subject::Tournament(text(name)),
        Subject::Game(name) => Subject::Game(text(name)),
        Subject::Player(name) => Subject::Player(text(name)),
        Subject::Round { tournament: of, round } => Subject::Round { tournament: text(of), round: *round },
        Subject::Pairing { tournament: of, pairing } => {
            Subject::Pairing { tournament: text(of), pairing: *pairing }
        }
        Subject::Event(seq) => Subject::Event(*seq),
    }
}
