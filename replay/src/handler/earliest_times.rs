//! The earliest time that an event may have. It may not be effective before the last event of its game,
//! the announcement of its tournament, and the last event that changed what it depends on: a part of the record of a player,
//! or a pairing or a round that it names. A fee, for example, depends on the entry and the money of its player.
//! In another stream it depends on the event that created the named subject: a game on its pairing (not on the result, which
//! comes after it), a result on the whole game, an event of a player on the first record of the player.

use std::borrow::Cow;
use std::collections::HashMap;

use annals_events::tournament::{Notice, Withdrawal};
use annals_events::{Event, Family, Micros, StreamName, Subject, TournamentEvent, each_named};

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

/// A part of the record of a player in a tournament. Rounds and pairings have the part `Play` alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// That the player entered.
    Entry,
    /// Whether the player takes part.
    Standing,
    /// What the player can use: times, machines, programs and accounts.
    Equipment,
    Money,
    /// Games of the qualifier, which rest on no other.
    Qualifying,
    /// Pairings, results, orders, rulings.
    Play,
}

impl Part {
    /// The part that an event changes; none for a notice, which states what is recorded.
    const fn changed_by(event: &TournamentEvent) -> Option<Part> {
        use TournamentEvent as T;
        Some(match event {
            T::NoticeGiven(_) => return None,
            T::PlayerRegistered(_) => Part::Entry,
            T::QualifyingGamePlayed(_) => Part::Qualifying,
            T::PlayerWithdrawn(_)
            | T::PlayerReinstated(_)
            | T::Invited(_)
            | T::InvitationLapsed(_)
            | T::Disqualified(_) => Part::Standing,
            T::AvailabilityGiven(_)
            | T::HardwareDeclared(_)
            | T::AccountGiven(_)
            | T::AccountWithdrawn(_)
            | T::ProgramPublished(_)
            | T::ProgramSubmitted(_)
            | T::ProgramTested(_)
            | T::ProgramUpdated(_)
            | T::ProgramSubstituted(_) => Part::Equipment,
            T::FeeRecorded(_)
            | T::RefundRecorded(_)
            | T::PenaltyRecorded(_)
            | T::PenaltyPaid(_)
            | T::PrizeAwarded(_)
            | T::PrizeForfeited(_)
            | T::PrizeReturned(_) => Part::Money,
            _ => Part::Play,
        })
    }

    /// The parts on which an event depends.
    const fn needed_by(event: &TournamentEvent) -> &'static [Part] {
        use TournamentEvent as T;
        match event {
            T::FeeRecorded(_) | T::PenaltyPaid(_) => &[Part::Entry, Part::Money],
            T::AvailabilityGiven(_)
            | T::HardwareDeclared(_)
            | T::AccountGiven(_)
            | T::AccountWithdrawn(_)
            | T::ProgramPublished(_)
            | T::ProgramSubmitted(_)
            | T::ProgramTested(_) => &[Part::Entry, Part::Equipment],
            T::PlayerWithdrawn(left) if matches!(left.how, Withdrawal::Own) => &[Part::Entry, Part::Standing],
            T::NoticeGiven(notice) if matches!(notice.about, Notice::Pairing) => &[Part::Entry],
            T::NoticeGiven(_) => &[Part::Entry, Part::Standing, Part::Play],
            T::QualifyingGamePlayed(_) => &[Part::Entry, Part::Standing, Part::Equipment, Part::Play],
            T::RefundRecorded(_)
            | T::PenaltyRecorded(_)
            | T::PrizeAwarded(_)
            | T::PrizeForfeited(_)
            | T::PrizeReturned(_)
            | T::BanRecorded(_)
            | T::BanLifted(_)
            | T::Closed(_) => {
                &[Part::Entry, Part::Standing, Part::Equipment, Part::Money, Part::Qualifying, Part::Play]
            }
            _ => &[Part::Entry, Part::Standing, Part::Equipment, Part::Qualifying, Part::Play],
        }
    }

    /// Whether a subject has this part.
    const fn is_of(self, subject: &Subject<'_>) -> bool {
        match subject {
            Subject::Player(_) => true,
            Subject::Round { .. } | Subject::Pairing { .. } => matches!(self, Part::Play),
            Subject::Tournament(_) | Subject::Game(_) | Subject::Event(_) => false,
        }
    }
}

/// What the events of one stream change, with the times.
#[derive(Debug, Clone, Default)]
pub struct EarliestTimes {
    stream: Option<StreamName>,
    first: Option<Cause>,
    latest: Option<Cause>,
    /// In a tournament: the first and the latest event that changed each part of a player, each round and each pairing.
    touched: HashMap<(Subject<'static>, Part), (Cause, Cause)>,
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

    /// Records what an event of the stream changes.
    pub fn touch(&mut self, cause: Cause, stream: &StreamName, event: &Event<'_>) {
        self.happened(cause);
        let Event::Tournament(changing) = event else { return };
        let Some(part) = Part::changed_by(changing) else { return };
        each_named(stream, event, |subject| {
            if part.is_of(&subject) {
                let (first, latest) = self.touched.entry((owned(&subject), part)).or_insert((cause, cause));
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

    fn of(&self, subject: &Subject<'_>, parts: &[Part]) -> Option<Cause> {
        let parts = parts.iter().filter(|part| part.is_of(subject));
        let latest = |part: &Part| self.touched.get(&(owned(subject), *part)).map(|(_, latest)| *latest);
        parts.filter_map(latest).fold(None, |floor, cause| later(floor, Some(cause)))
    }

    /// The event of a tournament's stream that first changed a round or a pairing.
    pub fn beginning_of(&self, subject: &Subject<'_>) -> Option<Cause> {
        self.touched.get(&(owned(subject), Part::Play)).map(|(first, _)| *first)
    }

    /// The event on which a further event of the same stream depends.
    pub fn under(&self, stream: &StreamName, event: &Event<'_>) -> Option<Cause> {
        match stream.family() {
            "game" | "people" => self.latest,
            "tournament" => later(self.first, self.changing(stream, event)),
            _ => None,
        }
    }

    /// The latest event of a tournament's stream that changed what an event of it depends on.
    pub fn changing(&self, stream: &StreamName, event: &Event<'_>) -> Option<Cause> {
        let Event::Tournament(depending) = event else { return None };
        let parts = Part::needed_by(depending);
        // What follows a pairing does not change the notice of it.
        let told =
            matches!(&**depending, TournamentEvent::NoticeGiven(notice) if notice.about == Notice::Pairing);
        let mut floor = None;
        each_named(stream, event, |subject| {
            let of_pairing = told && !matches!(subject, Subject::Player(_));
            let begun = if of_pairing { self.beginning_of(&subject) } else { None };
            floor = later(floor, later(begun, self.of(&subject, parts)));
            if let Subject::Pairing { tournament, pairing } = subject {
                floor = later(floor, self.of(&Subject::Round { tournament, round: pairing.round }, parts));
            }
        });
        floor
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
