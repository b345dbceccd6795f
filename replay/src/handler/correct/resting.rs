//! The events that depend on a corrected event: later ones of its stream, and those of other streams.

use std::collections::HashSet;

use annals_events::bounds::beyond;
use annals_events::log::{Change, Correction};
use annals_events::tournament::{Pair, RoundPaired};
use annals_events::{
    Entry, Event, Family, GameEvent, Micros, PairingId, RawEnvelope, StreamName, Subject, TournamentEvent,
    blank_name, each_named,
};

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::handler::decide::without_name;
use crate::handler::dependencies::is_before;
use crate::handler::earliest_times::{Cause, EarliestTimes, owned};
use crate::handler::handler_state::Handler;
use crate::handler::known::is_the_logs_own;
use crate::handler::refusal::Reason;
use crate::projection::fold;
use crate::timeline::{CORRECTION, effective};

/// Why a later event would be invalid after a correction.
pub(super) fn pulls_away(
    handler: &mut Handler<'_>,
    correction: &Correction,
    standing: &[RawEnvelope],
    target: &RawEnvelope,
) -> Result<Option<Reason>, ReplayError> {
    let (corrects, stream, among) = (correction.corrects, &target.stream, Among { standing, target });
    let fixed = target.event_type == CORRECTION || target.decode().is_ok_and(|event| is_the_logs_own(&event));
    if fixed {
        let why = if target.event_type == CORRECTION {
            "that is a correction itself: correct the event that it corrects once more".to_owned()
        } else {
            format!("`{}` is the log's own account of itself and stays as it is", target.event_type)
        };
        return Ok(Some(Reason::NoSuchEvent { named: corrects, why }));
    }
    let mut new_at = None;
    let old = target.decode().ok();
    let mut lost = old.as_ref().map(|event| subjects_of(stream, event)).unwrap_or_default();
    let mut said: Vec<&Event<'_>> = old.iter().collect();
    let entry;
    if let Change::Replace { payload, schema, effective_at } = &correction.change {
        entry = match Entry::from_payload(&target.event_type, *schema, payload.as_str()) {
            Ok(entry) => entry,
            Err(error) => return Ok(Some(Reason::NoEvent { message: error.to_string() })),
        };
        if let Some(beyond) = beyond(&entry.event) {
            return Ok(Some(Reason::OutOfBounds { beyond }));
        }
        // A log that has such a name can correct the rest of the event.
        let had = old.as_ref().and_then(blank_name);
        if let Some(key) = blank_name(&entry.event).filter(|_| had.is_none()) {
            return Ok(Some(Reason::NoEvent { message: without_name(key) }));
        }
        let at = effective_at.unwrap_or(target.effective_at);
        let floor = among.floor(&entry.event)?;
        if let Some(cause) = is_before(at, floor) {
            return Ok(Some(Reason::BeforeCause { effective_at: at, floor: cause.at, cause: cause.seq }));
        }
        let names_now = subjects_of(stream, &entry.event);
        lost.retain(|subject| !names_now.contains(subject));
        if let Event::Tournament(event) = &entry.event
            && matches!(**event, TournamentEvent::RoundStarted(_))
        {
            // It names a board and a game that other events brought in.
            lost.clear();
        }
        if let Some(resting) = among.resting_on_pairs(&entry.event) {
            return Ok(Some(resting));
        }
        said.push(&entry.event);
        new_at = Some(at);
    }
    // Later events that depend on it, in any stream, must still happen after it.
    let here = new_at.and_then(|new_at| among.resting_here(&said, new_at));
    match here.or_else(|| among.resting_on_names(lost)) {
        Some(resting) => Ok(Some(resting)),
        None => among.resting_elsewhere(handler, new_at),
    }
}

/// A corrected event, among the present events of its stream.
struct Among<'a> {
    standing: &'a [RawEnvelope],
    target: &'a RawEnvelope,
}

impl Among<'_> {
    fn earlier(&self) -> impl Iterator<Item = &RawEnvelope> {
        self.standing.iter().filter(|other| other.seq < self.target.seq)
    }

    fn later(&self) -> impl Iterator<Item = &RawEnvelope> {
        self.standing.iter().filter(|other| other.seq > self.target.seq)
    }

    fn rests(&self, resting: &RawEnvelope, why: String) -> Reason {
        Reason::OthersRest { corrects: self.target.seq, resting: resting.seq, why }
    }

    /// The event of its own stream on which an event depends, by the same rule as for a new event.
    fn floor(&self, event: &Event<'_>) -> Result<Option<Cause>, ReplayError> {
        let stream = &self.target.stream;
        // All people are read together: an event depends on its own stream, and on events with the same players.
        let others_count = stream.family() == Family::People.word();
        let subjects = if others_count { subjects_of(stream, event) } else { HashSet::new() };
        let rests = |other: &&RawEnvelope| other.stream == *stream || names_any(other, &subjects);
        let earlier: Vec<RawEnvelope> = self.earlier().filter(rests).cloned().collect();
        let (earliest_times, _) = fold::<EarliestTimes>(earlier.as_slice(), &Cut::NOW)?;
        Ok(earliest_times.under(stream, event))
    }

    /// The first later event of the same stream that depends on the event and would now precede it; `said` is the event
    /// before and after the correction.
    fn resting_here(&self, said: &[&Event<'_>], new_at: Micros) -> Option<Reason> {
        let stream = &self.target.stream;
        let is_first = self.standing.first().is_some_and(|first| first.seq == self.target.seq);
        let all = is_first || stream.family() == Family::Game.word();
        let mut subjects: Subjects = said.iter().flat_map(|event| subjects_of(stream, event)).collect();
        let mut changes = EarliestTimes::default();
        if stream.family() == Family::Tournament.word() {
            for event in said {
                changes.touch(Cause { seq: self.target.seq, at: new_at }, stream, event);
            }
            // Of players, rounds and pairings only what changed counts.
            subjects.retain(|subject| matches!(subject, Subject::Game(_) | Subject::Event(_)));
        }
        let depends = |other: &RawEnvelope| {
            let changed = |event: Event<'_>| changes.changing(stream, &event).is_some();
            names_any(other, &subjects) || other.decode().is_ok_and(changed)
        };
        let mut before_it = self.later().filter(|other| other.effective_at < new_at);
        let resting = before_it.find(|other| all || depends(other))?;
        let at = crate::point::show(resting.effective_at, &jiff::tz::TimeZone::UTC);
        Some(self.rests(resting, format!("it happened {at}, before the new time")))
    }

    /// The first later event of a tournament that names a subject which only the uncorrected event introduced: the
    /// player of an entry, the boards of a round.
    fn resting_on_names(&self, mut lost: Subjects) -> Option<Reason> {
        let stream = &self.target.stream;
        if stream.family() != Family::Tournament.word() {
            return None;
        }
        for other in self.earlier() {
            let brought_in = other.decode().map(|event| subjects_of(stream, &event)).unwrap_or_default();
            lost.retain(|subject| !brought_in.contains(subject));
        }
        // Events named as evidence are in the log independently of this one.
        lost.retain(|subject| !matches!(subject, Subject::Event(_)));
        let resting = self.later().find(|other| names_any(other, &lost))?;
        Some(self.rests(resting, format!("`{}` names what it brought in", resting.event_type)))
    }

    /// The first result or game of a board whose pair the corrected pairing changes.
    fn resting_on_pairs(&self, new: &Event<'_>) -> Option<Reason> {
        let pairs = |event: &Event<'_>| match event {
            Event::Tournament(event) => match &**event {
                TournamentEvent::RoundPaired(paired) => Some(paired.clone()),
                _ => None,
            },
            _ => None,
        };
        let new = pairs(new)?;
        // As corrected, not as it was first recorded.
        let old = self.standing.iter().find(|other| other.seq == self.target.seq).unwrap_or(self.target);
        let old = pairs(&old.decode().ok()?)?;
        let changed = |board: u32| {
            // The paragraph of the colours does not change the pair.
            let of = |paired: &RoundPaired| {
                let pair = paired.pairs.iter().find(|pair| pair.board == board)?.clone();
                Some(Pair { colour: None, ..pair })
            };
            let before = of(&old);
            before.is_some() && (old.round != new.round || before != of(&new))
        };
        for other in self.later() {
            let Ok(Event::Tournament(event)) = other.decode() else { continue };
            let (pairing, what) = match &*event {
                TournamentEvent::ResultRecorded(result) => (result.pairing, "a result"),
                TournamentEvent::GameAttached(attached) => (attached.pairing, "a game"),
                _ => continue,
            };
            if pairing.round == old.round && changed(pairing.board) {
                let why = format!("{pairing} has {what}, and would be of another pair");
                return Some(self.rests(other, why));
            }
        }
        None
    }

    /// The event of another stream that depends on an event: a tournament's event on a game, the game of a pairing, and any event that
    /// names the event as evidence.
    fn resting_elsewhere(
        &self,
        handler: &mut Handler<'_>,
        new_at: Option<Micros>,
    ) -> Result<Option<Reason>, ReplayError> {
        let Among { standing, target } = *self;
        let stream = &target.stream;
        let mut subjects = Subjects::from([Subject::Event(target.seq)]);
        let Ok(event) = target.decode() else { return Ok(None) };
        // Subjects that a strike removes; a new time only moves them.
        let mut pillars = subjects.clone();
        let mut streams: Vec<StreamName> = Vec::new();
        match (stream.family(), &event) {
            ("game", _) => {
                let game = Subject::Game(stream.name().to_owned().into());
                subjects.insert(game.clone());
                pillars.insert(game);
                streams.extend(tournament_of(standing, stream));
            }
            ("tournament", Event::Tournament(_)) => {
                each_named(stream, &event, |subject| {
                    if let Subject::Pairing { tournament, pairing } = &subject {
                        let game = format!("game/{tournament}.{pairing}");
                        streams.extend(game.parse());
                        subjects.insert(owned(&subject));
                    }
                    if let Subject::Game(name) = &subject {
                        streams.extend(format!("game/{name}").parse());
                    }
                });
                if target.event_type == "tournament.round_paired" {
                    pillars.extend(subjects.iter().cloned());
                }
            }
            ("people", Event::People(annals_events::PeopleEvent::PlayerKnown(known))) => {
                let player = Subject::Player(known.player.to_string().into());
                subjects.insert(player.clone());
                let again = standing.iter().any(|other| {
                    other.seq != target.seq
                        && other.event_type == target.event_type
                        && other.stream == target.stream
                });
                if !again {
                    pillars.insert(player);
                }
                let tournaments = handler.log.streams(Some("tournament"))?;
                streams.extend(tournaments.into_iter().map(|found| found.name));
                // A tournament announced meanwhile may name the player too.
                if let Ok(any) = "tournament/any".parse() {
                    handler.dependencies.rest_on_family(&any);
                }
            }
            _ => {}
        }
        for other in streams {
            let key = handler.load(&other)?;
            let later = effective(handler.events(&key)).into_iter().filter(|event| event.seq > target.seq);
            for event in later {
                let rests = match new_at {
                    Some(new_at) => event.effective_at < new_at && names_any(&event, &subjects),
                    None => names_any(&event, &pillars),
                };
                if rests {
                    let why = format!("`{}` in `{}` names what it tells of", event.event_type, event.stream);
                    return Ok(Some(self.rests(&event, why)));
                }
            }
        }
        Ok(None)
    }
}

/// The subjects of an event on which other events can depend.
type Subjects = HashSet<Subject<'static>>;

/// The players, rounds, pairings, games and events that an event names; not the tournament, whose stream they share.
fn subjects_of(stream: &StreamName, event: &Event<'_>) -> Subjects {
    let mut subjects = HashSet::new();
    each_named(stream, event, |subject| {
        if !matches!(subject, Subject::Tournament(_)) {
            subjects.insert(owned(&subject));
        }
    });
    subjects
}

fn names_any(event: &RawEnvelope, subjects: &Subjects) -> bool {
    let Ok(decoded) = event.decode() else { return false };
    let mut found = false;
    each_named(&event.stream, &decoded, |subject| {
        found |= subjects.contains(&owned(&subject));
        if let Subject::Pairing { tournament, pairing } = subject {
            found |= subjects.contains(&owned(&Subject::Round { tournament, round: pairing.round }));
        }
    });
    found
}

/// The tournament of the pairing that a game states, or after which it is named.
fn tournament_of(standing: &[RawEnvelope], stream: &StreamName) -> Option<StreamName> {
    let stated = standing.iter().find_map(|event| match event.decode() {
        Ok(Event::Game(GameEvent::Started(started))) => started.pairing.as_deref().map(str::to_owned),
        _ => None,
    });
    let pairing: PairingId = stated.as_deref().unwrap_or(stream.name()).parse().ok()?;
    format!("tournament/{}", pairing.tournament).parse().ok()
}
