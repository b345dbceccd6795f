//! The events on which an event depends, in its own stream and in those that it names. Records the streams read, so that the log
//! rejects the append if any of them has a new event.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use annals_events::{Event, EventId, Micros, StreamName, Subject, TournamentEvent, each_named};
use annals_store::{CLOCK_TOLERANCE, Expected, Log};

use super::earliest_times::{Cause, EarliestTimes, later};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::read::state_of;

/// The earliest times of one stream, and the `seq` up to which it was read.
#[derive(Debug)]
struct Known {
    earliest_times: EarliestTimes,
    read_at: u64,
}

/// The source of earliest times: a handler that has folded the stream, else a prefix of the log.
pub(super) struct Prefix<'a> {
    pub log: &'a Log,
    pub up_to: u64,
    pub held: &'a dyn Fn(&StreamName) -> Option<&'a EarliestTimes>,
}

/// The streams read to find earliest times.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    known: HashMap<StreamName, Known>,
    /// Streams on which decisions since the last [`Dependencies::settled`] depend.
    used: BTreeSet<StreamName>,
    /// A stream of each family of which all was read, by the family's name.
    families: BTreeMap<String, StreamName>,
}

impl Dependencies {
    fn look<T>(
        &mut self,
        prefix: &Prefix<'_>,
        stream: &StreamName,
        look: impl FnOnce(&EarliestTimes) -> T,
    ) -> Result<T, ReplayError> {
        self.used.insert(stream.clone());
        if let Some(earliest_times) = (prefix.held)(stream) {
            return Ok(look(earliest_times));
        }
        let known = match self.known.entry(stream.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let earliest_times =
                    state_of(prefix.log, stream, &Cut::at_seq(prefix.up_to))?.unwrap_or_default();
                place.insert(Known { earliest_times, read_at: prefix.up_to })
            }
        };
        Ok(look(&known.earliest_times))
    }

    /// The latest event on which an event of a stream depends. A named event that is not in the log is
    /// the second value.
    pub fn floor(
        &mut self,
        prefix: &Prefix<'_>,
        stream: &StreamName,
        event: &Event<'_>,
    ) -> Result<(Option<Cause>, Option<u64>), ReplayError> {
        let mut floor = self.look(prefix, stream, |earliest_times| earliest_times.under(stream, event))?;
        let mut missing = None;
        if !names_others(event) {
            return Ok((floor, None));
        }
        let mut others = Vec::new();
        each_named(stream, event, |subject| others.push(subject));
        for subject in others {
            let found = match &subject {
                Subject::Game(name) => {
                    let of =
                        if rests_on_its_end(event) { EarliestTimes::latest } else { EarliestTimes::first };
                    self.elsewhere(prefix, stream, ("game", name), of)?
                }
                Subject::Player(name) if stream.family() == "people" => {
                    self.elsewhere(prefix, stream, ("people", name), EarliestTimes::latest)?
                }
                // A player must be recorded; an alias declared later is not a cause of earlier events.
                Subject::Player(name) => {
                    self.elsewhere(prefix, stream, ("people", name), EarliestTimes::first)?
                }
                Subject::Tournament(name) => {
                    self.elsewhere(prefix, stream, ("tournament", name), EarliestTimes::first)?
                }
                Subject::Round { tournament, .. } | Subject::Pairing { tournament, .. } => {
                    let of = |earliest_times: &EarliestTimes| earliest_times.beginning_of(&subject);
                    self.elsewhere(prefix, stream, ("tournament", tournament), of)?
                }
                Subject::Event(seq) => {
                    let found = prefix.log.event(*seq)?;
                    match found.filter(|found| found.seq == *seq && *seq <= prefix.up_to) {
                        Some(found) => Some(Cause { seq: *seq, at: found.effective_at }),
                        None => {
                            missing = missing.or(Some(*seq));
                            None
                        }
                    }
                }
            };
            floor = later(floor, found);
        }
        Ok((floor, missing))
    }

    fn elsewhere(
        &mut self,
        prefix: &Prefix<'_>,
        own: &StreamName,
        (family, name): (&str, &str),
        cause: impl FnOnce(&EarliestTimes) -> Option<Cause>,
    ) -> Result<Option<Cause>, ReplayError> {
        match format!("{family}/{name}").parse::<StreamName>() {
            Ok(stream) if stream != *own => self.look(prefix, &stream, cause),
            _ => Ok(None),
        }
    }

    /// Adds an event that is to be appended. The earliest times of its stream were read before.
    pub fn touch(&mut self, cause: Cause, stream: &StreamName, event: &Event<'_>) {
        if let Some(known) = self.known.get_mut(stream) {
            known.earliest_times.touch(cause, stream, event);
        }
    }

    /// Drops the state of a stream, since a correction has changed its past.
    pub fn forget(&mut self, stream: &StreamName) {
        self.known.remove(stream);
    }

    /// Adds a stream on which a decision depends.
    pub fn rest_on(&mut self, stream: &StreamName) {
        self.used.insert(stream.clone());
    }

    /// Adds all streams of a family, also future ones, to those on which a decision depends.
    pub fn rest_on_family(&mut self, stream: &StreamName) {
        self.families.entry(stream.family().to_owned()).or_insert_with(|| stream.clone());
    }

    /// Streams that must be unchanged at the append.
    pub fn expectations(&self, up_to: u64) -> Vec<(StreamName, Expected)> {
        let families = self.families.values();
        let families = families.map(|stream| (stream.clone(), Expected::FamilyUnchangedSince(up_to)));
        let streams = self.used.iter().map(|stream| {
            let read_at = self.known.get(stream).map_or(up_to, |known| known.read_at);
            (stream.clone(), Expected::UnchangedSince(read_at))
        });
        streams.chain(families).collect()
    }

    /// The append succeeded: the log ends at `seq`.
    pub fn settled(&mut self, seq: u64) {
        self.families.clear();
        for stream in std::mem::take(&mut self.used) {
            if let Some(known) = self.known.get_mut(&stream) {
                known.read_at = seq;
            }
        }
        // There are many games, and each is read only while its events are imported.
        self.known.retain(|stream, _| stream.family() != "game");
    }
}

/// Whether an event can name a subject outside its own stream: the turns of a game, nearly all events, cannot.
fn names_others(event: &Event<'_>) -> bool {
    use annals_events::{GameEvent, LogEvent};
    match event {
        Event::Game(GameEvent::Started(started)) => started.pairing.is_some(),
        Event::Game(_) => false,
        Event::Log(LogEvent::Correction(_)) => true,
        Event::Log(_) => false,
        Event::Tournament(_) | Event::People(_) => true,
    }
}

/// Whether an event that names a game depends on all of it: it states how the game ended, or rules on it.
fn rests_on_its_end(event: &Event<'_>) -> bool {
    let Event::Tournament(event) = event else { return false };
    matches!(
        **event,
        TournamentEvent::ResultRecorded(_)
            | TournamentEvent::QualifyingGamePlayed(_)
            | TournamentEvent::RulingGiven(_)
    )
}

/// The identity of an event that is not yet in the log.
pub(super) const UNDECIDED: EventId = EventId([0; 16]);

/// The cause that is later than this time, if any.
pub(super) fn is_before(at: Micros, floor: Option<Cause>) -> Option<Cause> {
    floor.filter(|cause| at < cause.at)
}

/// Whether a time is further ahead of the clock than the tolerance.
pub(super) fn is_in_the_future(at: Micros, now: Micros) -> bool {
    at > now.saturating_add(CLOCK_TOLERANCE)
}
