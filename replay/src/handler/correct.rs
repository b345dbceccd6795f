//! Corrections at the desk: only an earlier event of the same stream can be corrected, its new time lies between what it
//! rests on and what rests on it, and nothing is struck or changed that others rest on.

use std::collections::HashSet;

use annals_events::bounds::beyond;
use annals_events::log::{Change, Correction};
use annals_events::tournament::RoundPaired;
use annals_events::{
    Entry, Event, Family, GameEvent, Micros, PairingId, RawEnvelope, StreamName, Subject, TournamentEvent,
    each_named,
};
use annals_store::Log;

use super::causes::is_before;
use super::decide::Desk;
use super::floor::{Cause, Floors};
use super::known::is_the_logs_own;
use super::refusal::Reason;
use crate::error::ReplayError;
use crate::projection::fold;
use crate::recorded::reference;
use crate::timeline::{CORRECTION, Corrections, Standing};

/// Decides about a correction. When it is taken, the state of the stream is that after it.
pub(super) fn judge(
    desk: &mut Desk<'_>,
    key: &str,
    stream: &StreamName,
    correction: &Correction,
    envelope: RawEnvelope,
) -> Result<Result<(), Reason>, ReplayError> {
    let corrects = correction.corrects;
    let Some(known) = desk.known(key) else { return Ok(Ok(())) };
    let standing = standing_events(&known.events);
    let in_stream = |event: &&RawEnvelope| event.seq == corrects && event.stream == *stream;
    let Some(target) = known.events.iter().find(in_stream).cloned() else {
        return Ok(Err(not_here(desk.log, corrects, stream)?));
    };
    let fixed = target.event_type == CORRECTION || target.decode().is_ok_and(|event| is_the_logs_own(&event));
    if fixed {
        let why = if target.event_type == CORRECTION {
            "that is a correction itself: correct the event that it corrects once more".to_owned()
        } else {
            format!("`{}` is the log's own account of itself and stays as it is", target.event_type)
        };
        return Ok(Err(Reason::NoSuchEvent { named: corrects, why }));
    }
    let mut new_at = None;
    let named = target.decode().map(|event| subjects_of(stream, &event)).unwrap_or_default();
    let mut lost = named.clone();
    let mut subjects = named;
    if let Change::Replace { payload, schema, effective_at } = &correction.change {
        let entry = match Entry::from_payload(&target.event_type, *schema, payload.as_str()) {
            Ok(entry) => entry,
            Err(error) => return Ok(Err(Reason::NoEvent { message: error.to_string() })),
        };
        if let Some(beyond) = beyond(&entry.event) {
            return Ok(Err(Reason::OutOfBounds { beyond }));
        }
        let at = effective_at.unwrap_or(target.effective_at);
        let floor = floor_before(&standing, &target, stream, &entry.event)?;
        if let Some(cause) = is_before(at, floor) {
            return Ok(Err(Reason::BeforeCause { effective_at: at, floor: cause.at, cause: cause.seq }));
        }
        let names_now = subjects_of(stream, &entry.event);
        lost.retain(|subject| !names_now.contains(subject));
        if let Some(resting) = resting_on_pairs(&standing, &target, &entry.event) {
            return Ok(Err(resting));
        }
        subjects.extend(names_now);
        new_at = Some(at);
    }
    let before: HashSet<(u64, &'static str)> =
        known.findings().iter().map(|finding| (finding.seq, finding.code)).collect();
    let strict_before = known.broken().map(|finding| (finding.seq, finding.code));

    // What names the same things later, here and elsewhere, must still come after it.
    if let Some(resting) = resting_here(&standing, &target, &subjects, new_at) {
        return Ok(Err(too_late(corrects, resting)));
    }
    if let Some(resting) = resting_on_names(&standing, &target, stream, lost) {
        return Ok(Err(resting));
    }
    if let Some(resting) = resting_elsewhere(desk, &standing, &target, stream, new_at)? {
        return Ok(Err(resting));
    }

    // And what stands must still follow from what is left.
    let Some(known) = desk.known(key) else { return Ok(Ok(())) };
    known.events.push(envelope);
    known.refold(stream)?;
    let orphan = known.findings().iter().find(|finding| !before.contains(&(finding.seq, finding.code)));
    let orphan = orphan
        .or(known
            .broken()
            .filter(|finding| strict_before.is_none_or(|old| old != (finding.seq, finding.code))))
        .cloned();
    if let Some(orphan) = orphan {
        known.events.pop();
        known.refold(stream)?;
        let reason = if orphan.seq == corrects {
            Reason::Illegal { code: orphan.code.to_owned(), message: orphan.message }
        } else {
            Reason::OthersRest { corrects, resting: orphan.seq, why: orphan.message }
        };
        return Ok(Err(reason));
    }
    Ok(Ok(()))
}

/// The events of a stream as they stand, corrections in place: `seq`, time, and the event with its own text.
pub(super) fn standing_events(events: &[RawEnvelope]) -> Vec<RawEnvelope> {
    let mut corrections = Corrections::default();
    events.iter().for_each(|event| corrections.note(&reference(event)));
    let stands = |event: &RawEnvelope| {
        let reference = reference(event);
        let standing: Standing<'_> = corrections.put_in_place(&reference)?;
        let payload = annals_events::RawPayload::from_stored(standing.payload.to_owned());
        let (schema, effective_at) = (standing.schema, standing.effective_at);
        Some(RawEnvelope { payload, schema, effective_at, ..event.clone() })
    };
    events.iter().filter_map(stands).collect()
}

fn not_here(log: &Log, corrects: u64, stream: &StreamName) -> Result<Reason, ReplayError> {
    let why = match log.event(corrects)?.filter(|event| event.seq == corrects) {
        Some(event) => format!(
            "that stands in `{}`; a correction stands in the stream of the event that it corrects, not in `{stream}`",
            event.stream
        ),
        None => "the log has no such event yet".to_owned(),
    };
    Ok(Reason::NoSuchEvent { named: corrects, why })
}

/// What of its own stream an event rests on, among the events before it: by the same rule as an event that is new.
fn floor_before(
    standing: &[RawEnvelope],
    target: &RawEnvelope,
    stream: &StreamName,
    event: &Event<'_>,
) -> Result<Option<Cause>, ReplayError> {
    // Of people everything is known together: an event rests on its own stream, and on what names the same players.
    let others_count = stream.family() == Family::People.word();
    let subjects = if others_count { subjects_of(stream, event) } else { HashSet::new() };
    let rests = |other: &&RawEnvelope| {
        other.seq < target.seq && (other.stream == *stream || names_any(other, &subjects))
    };
    let earlier: Vec<RawEnvelope> = standing.iter().filter(rests).cloned().collect();
    let (floors, _) = fold::<Floors>(earlier.as_slice(), None)?;
    Ok(floors.under(stream, event))
}

/// The first later event of the same stream that rests on an event and would now come before it; `subjects` is what the
/// event names, before and after the correction.
fn resting_here(
    standing: &[RawEnvelope],
    target: &RawEnvelope,
    subjects: &HashSet<String>,
    new_at: Option<Micros>,
) -> Option<Cause> {
    let new_at = new_at?;
    let is_first = standing.first().is_some_and(|first| first.seq == target.seq);
    let in_game = target.stream.family() == "game";
    standing
        .iter()
        .filter(|other| other.seq > target.seq && other.effective_at < new_at)
        .find(|other| in_game || is_first || names_any(other, subjects))
        .map(|other| Cause { seq: other.seq, at: other.effective_at })
}

/// The first later event of a tournament that names what the corrected event alone brought in, and would no more: the
/// player of an entry, the boards of a round.
fn resting_on_names(
    standing: &[RawEnvelope],
    target: &RawEnvelope,
    stream: &StreamName,
    mut lost: HashSet<String>,
) -> Option<Reason> {
    if stream.family() != "tournament" {
        return None;
    }
    let earlier = standing.iter().filter(|other| other.seq < target.seq);
    for other in earlier {
        let brought_in = other.decode().map(|event| subjects_of(stream, &event)).unwrap_or_default();
        lost.retain(|subject| !brought_in.contains(subject));
    }
    // Evidence stands in the log, whoever points to it.
    lost.retain(|subject| !subject.starts_with("event "));
    let resting = standing.iter().filter(|other| other.seq > target.seq);
    let resting = resting.into_iter().find(|other| names_any(other, &lost))?;
    let why = format!("`{}` names what it brought in", resting.event_type);
    Some(Reason::OthersRest { corrects: target.seq, resting: resting.seq, why })
}

/// The first result or game of a board that a new pairing of the round would give to others.
fn resting_on_pairs(standing: &[RawEnvelope], target: &RawEnvelope, new: &Event<'_>) -> Option<Reason> {
    let pairs = |event: &Event<'_>| match event {
        Event::Tournament(event) => match &**event {
            TournamentEvent::RoundPaired(paired) => Some(paired.clone()),
            _ => None,
        },
        _ => None,
    };
    let new = pairs(new)?;
    // As it stands, not as it was first told.
    let old = standing.iter().find(|other| other.seq == target.seq).unwrap_or(target);
    let old = pairs(&old.decode().ok()?)?;
    let changed = |board: u32| {
        let of = |paired: &RoundPaired| paired.pairs.iter().find(|pair| pair.board == board).cloned();
        let before = of(&old);
        before.is_some() && (old.round != new.round || before != of(&new))
    };
    let later = standing.iter().filter(|other| other.seq > target.seq);
    for other in later {
        let Ok(Event::Tournament(event)) = other.decode() else { continue };
        let (pairing, what) = match &*event {
            TournamentEvent::ResultRecorded(result) => (result.pairing, "a result"),
            TournamentEvent::GameAttached(attached) => (attached.pairing, "a game"),
            _ => continue,
        };
        if pairing.round == old.round && changed(pairing.board) {
            let why = format!("{pairing} has {what}, and would be of another pair");
            return Some(Reason::OthersRest { corrects: target.seq, resting: other.seq, why });
        }
    }
    None
}

fn too_late(corrects: u64, resting: Cause) -> Reason {
    let why = format!(
        "it happened {}, before the new time",
        crate::point::show(resting.at, &jiff::tz::TimeZone::UTC)
    );
    Reason::OthersRest { corrects, resting: resting.seq, why }
}

/// What of an event others can rest on: players, rounds, pairings; not the stream that they share.
fn subjects_of(stream: &StreamName, event: &Event<'_>) -> HashSet<String> {
    let mut subjects = HashSet::new();
    each_named(stream, event, |subject| {
        if let Some(word) = word(&subject) {
            subjects.insert(word);
        }
    });
    subjects
}

fn word(subject: &Subject<'_>) -> Option<String> {
    match subject {
        Subject::Player(name) => Some(format!("player {name}")),
        Subject::Round { tournament, round } => Some(format!("round {tournament} {round}")),
        Subject::Pairing { tournament, pairing } => Some(format!("pairing {tournament} {pairing}")),
        Subject::Game(name) => Some(format!("game {name}")),
        Subject::Event(seq) => Some(format!("event {seq}")),
        Subject::Tournament(_) => None,
    }
}

fn names_any(event: &RawEnvelope, subjects: &HashSet<String>) -> bool {
    let Ok(decoded) = event.decode() else { return false };
    let mut found = false;
    each_named(&event.stream, &decoded, |subject| {
        found |= word(&subject).is_some_and(|word| subjects.contains(&word));
        if let Subject::Pairing { tournament, pairing } = &subject {
            found |= subjects.contains(&format!("round {tournament} {}", pairing.round));
        }
    });
    found
}

/// What of other streams rests on an event: the tournament's account of a game, the game of a pairing, and whoever
/// names the event as evidence.
fn resting_elsewhere(
    desk: &mut Desk<'_>,
    standing: &[RawEnvelope],
    target: &RawEnvelope,
    stream: &StreamName,
    new_at: Option<Micros>,
) -> Result<Option<Reason>, ReplayError> {
    let mut subjects = HashSet::from([format!("event {}", target.seq)]);
    let Ok(event) = target.decode() else { return Ok(None) };
    // What a strike takes away altogether; a new time only moves it.
    let mut pillars = subjects.clone();
    let mut streams: Vec<StreamName> = Vec::new();
    match (stream.family(), &event) {
        ("game", _) => {
            subjects.insert(format!("game {}", stream.name()));
            pillars.insert(format!("game {}", stream.name()));
            streams.extend(tournament_of(standing, stream));
        }
        ("tournament", Event::Tournament(_)) => {
            each_named(stream, &event, |subject| {
                if let Subject::Pairing { tournament, pairing } = &subject {
                    let game = format!("game/{tournament}.{pairing}");
                    streams.extend(game.parse());
                    subjects.extend(word(&subject));
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
            subjects.insert(format!("player {}", known.player));
            let again = standing.iter().any(|other| {
                other.seq != target.seq
                    && other.event_type == target.event_type
                    && other.stream == target.stream
            });
            if !again {
                pillars.insert(format!("player {}", known.player));
            }
            let tournaments = desk.log.streams(Some("tournament"))?;
            streams.extend(tournaments.into_iter().map(|found| found.name));
            // One that begins meanwhile may name the player too.
            if let Ok(any) = "tournament/any".parse() {
                desk.causes.rest_on_family(&any);
            }
        }
        _ => {}
    }
    for other in streams {
        let key = desk.load(&other)?;
        let Some(known) = desk.known(&key) else { continue };
        let later = standing_events(&known.events).into_iter().filter(|event| event.seq > target.seq);
        for event in later {
            let rests = match new_at {
                Some(new_at) => event.effective_at < new_at && names_any(&event, &subjects),
                None => names_any(&event, &pillars),
            };
            if rests {
                let resting = event.seq;
                let why = format!("`{}` in `{}` names what it tells of", event.event_type, event.stream);
                return Ok(Some(Reason::OthersRest { corrects: target.seq, resting, why }));
            }
        }
    }
    Ok(None)
}

/// The tournament whose pairing a game says it is an attempt at, or whose pairing it is named after.
fn tournament_of(standing: &[RawEnvelope], stream: &StreamName) -> Option<StreamName> {
    let stated = standing.iter().find_map(|event| match event.decode() {
        Ok(Event::Game(GameEvent::Started(started))) => started.pairing.as_deref().map(str::to_owned),
        _ => None,
    });
    let pairing: PairingId = stated.as_deref().unwrap_or(stream.name()).parse().ok()?;
    format!("tournament/{}", pairing.tournament).parse().ok()
}
