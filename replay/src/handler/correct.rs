//! Corrections: only an earlier event of the same stream can be corrected, its new time lies between what it
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
use annals_tournaments::verdict::Verdict;

use super::by_rules::{Checked, departure};
use super::causes::is_before;
use super::decide::{Handler, Stop};
use super::draft::Draft;
use super::floor::{Cause, Floors, owned};
use super::known::is_the_logs_own;
use super::refusal::Reason;
use crate::context::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::projection::fold;
use crate::recorded::reference;
use crate::taken_back;
use crate::timeline::{CORRECTION, Corrections, effective};
use crate::tournament_audit::{Corrected, TournamentAuditError, changing_what_is_frozen, corrected};

/// Decides about a correction. When it is accepted, the state of the stream is that after it. Gives what the rules say of the
/// event as it is corrected.
pub(super) fn decide(
    handler: &mut Handler<'_>,
    key: &str,
    draft: &Draft,
    correction: &Correction,
    envelope: &RawEnvelope,
) -> Result<Checked, ReplayError> {
    let stream = &draft.stream;
    if let Some(frozen) = frozen(handler, stream, key, envelope) {
        return Ok(Err(Stop::Rule(frozen)));
    }
    let events = handler.events(key);
    let in_stream = |event: &&RawEnvelope| event.seq == correction.corrects && event.stream == *stream;
    let Some(target) = events.iter().find(in_stream).cloned() else {
        return Ok(Err(not_here(handler.log, correction.corrects, stream)?.into()));
    };
    let mut verdicts = Vec::new();
    let mut corrections = Corrections::of(events);
    corrections.note(&reference(envelope));
    let corrected = reference(&target);
    let takes_back = corrections.put_right(&corrected).and_then(|change| taken_back::by_correction(&change));
    if takes_back.is_some() && stream.family() == Family::Game.word() {
        verdicts = match handler.who_takes_back(key, draft, Some(correction.reason.clone()))? {
            Ok(verdicts) => verdicts,
            stopped => return Ok(stopped),
        };
        if let Some(violated) = verdicts.iter().find(|verdict| verdict.departs()) {
            return Ok(Err(Stop::Rule(violated.clone())));
        }
    }
    let standing = effective(handler.events(key));
    if let Some(reason) = pulls_away(handler, stream, correction, (&standing, &target))? {
        return Ok(Err(reason.into()));
    }

    // And what stands must still follow from what is left.
    let Some(known) = handler.streams.get(&key.to_owned()) else { return Ok(Ok(verdicts)) };
    let before: HashSet<(u64, &'static str)> =
        known.state().findings().iter().map(|finding| (finding.seq, finding.code)).collect();
    let strict_before = known.state().broken().map(|finding| (finding.seq, finding.code));
    // By rules that this program does not know nothing is checked.
    let has_rules = matches!(handler.tournament(stream).map(rulebook_in_force), Some(Ok(Some(_))));
    handler.push_correction(key, envelope.clone());
    let after = handler.streams.get(&key.to_owned()).map(|known| known.state());
    let orphan = after.and_then(|state| {
        let found = state.findings().iter().find(|finding| !before.contains(&(finding.seq, finding.code)));
        let broken = || state.broken().filter(|found| strict_before != Some((found.seq, found.code)));
        found.or_else(broken).cloned()
    });
    if let Some(orphan) = orphan {
        handler.spoil(key);
        let reason = if orphan.seq == correction.corrects {
            Reason::Illegal { code: orphan.code.to_owned(), message: orphan.message }
        } else {
            let (corrects, resting) = (correction.corrects, orphan.seq);
            Reason::OthersRest { corrects, resting, why: orphan.message }
        };
        return Ok(Err(reason.into()));
    }
    if has_rules {
        match by_the_rules(handler, draft, correction, envelope)? {
            Ok(more) => verdicts.extend(more),
            stopped => {
                handler.spoil(key);
                return Ok(stopped);
            }
        }
    }
    Ok(Ok(verdicts))
}

/// An event as it stands among the others of its stream; none where it is struck.
pub(super) fn standing(events: &[RawEnvelope], event: &RawEnvelope) -> Option<RawEnvelope> {
    Corrections::of(events).effective(event)
}

/// The verdict on a correction that would change something of a round when a later one has begun.
fn frozen(handler: &Handler<'_>, stream: &StreamName, key: &str, envelope: &RawEnvelope) -> Option<Verdict> {
    // By rules that this program does not know nothing is checked.
    let rulebook = rulebook_in_force(handler.tournament(stream)?).ok()??;
    let verdicts = changing_what_is_frozen(handler.events(key).iter().chain([envelope]), &rulebook);
    verdicts.into_iter().find(|verdict| verdict.seq == envelope.seq)
}

/// What the rules say of a corrected event of a tournament. It is refused where it violates a rule that it did not violate
/// before: a correction puts the record right, and is no way around the rulebook. Nothing is struck on which a later event
/// rests by the rules; what another change means for later events the audit says.
fn by_the_rules(
    handler: &mut Handler<'_>,
    draft: &Draft,
    correction: &Correction,
    envelope: &RawEnvelope,
) -> Result<Checked, ReplayError> {
    let mut events: Vec<RawEnvelope> = handler.accepted().iter().map(|one| one.envelope.clone()).collect();
    // It says now what it says.
    events.push(RawEnvelope { recorded_at: handler.recorded_now(), ..envelope.clone() });
    let found = corrected(handler.log, &draft.stream, &Cut::at_seq(handler.up_to), &events);
    let Corrected { before, after, overturns } = match found {
        Ok(found) => found,
        Err(TournamentAuditError::Replay(error)) => return Err(error),
        Err(error) => {
            let message = format!("as corrected it could not be checked any more: {error}");
            return Ok(Err(Reason::Illegal { code: "rulebook".to_owned(), message }.into()));
        }
    };
    handler.count_check();
    let same = |old: &Verdict, new: &Verdict| old.rule.id == new.rule.id && old.subject == new.subject;
    let stood = |new: &Verdict| before.iter().any(|old| old.departs() && same(old, new));
    if let Some(violated) = after.iter().find(|verdict| verdict.departs() && !stood(verdict)) {
        return Ok(Err(Stop::Rule(violated.clone())));
    }
    if let Some(overturned) = overturns {
        let (corrects, resting) = (correction.corrects, overturned.seq);
        let Reason::Illegal { code, message } = departure(&overturned) else { return Ok(Ok(after)) };
        let why = format!("{message} [{code}]");
        return Ok(Err(Reason::OthersRest { corrects, resting, why }.into()));
    }
    Ok(Ok(after))
}

/// Why a correction would pull the ground from under a later event.
fn pulls_away(
    handler: &mut Handler<'_>,
    stream: &StreamName,
    correction: &Correction,
    (standing, target): (&[RawEnvelope], &RawEnvelope),
) -> Result<Option<Reason>, ReplayError> {
    let corrects = correction.corrects;
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
    let named = target.decode().map(|event| subjects_of(stream, &event)).unwrap_or_default();
    let mut lost = named.clone();
    let mut subjects = named;
    if let Change::Replace { payload, schema, effective_at } = &correction.change {
        let entry = match Entry::from_payload(&target.event_type, *schema, payload.as_str()) {
            Ok(entry) => entry,
            Err(error) => return Ok(Some(Reason::NoEvent { message: error.to_string() })),
        };
        if let Some(beyond) = beyond(&entry.event) {
            return Ok(Some(Reason::OutOfBounds { beyond }));
        }
        let at = effective_at.unwrap_or(target.effective_at);
        let floor = floor_before(standing, target, stream, &entry.event)?;
        if let Some(cause) = is_before(at, floor) {
            return Ok(Some(Reason::BeforeCause { effective_at: at, floor: cause.at, cause: cause.seq }));
        }
        let names_now = subjects_of(stream, &entry.event);
        lost.retain(|subject| !names_now.contains(subject));
        if let Some(resting) = resting_on_pairs(standing, target, &entry.event) {
            return Ok(Some(resting));
        }
        subjects.extend(names_now);
        new_at = Some(at);
    }
    // What names the same things later, here and elsewhere, must still come after it.
    if let Some(resting) = resting_here(standing, target, &subjects, new_at) {
        return Ok(Some(too_late(corrects, resting)));
    }
    if let Some(resting) = resting_on_names(standing, target, stream, lost) {
        return Ok(Some(resting));
    }
    resting_elsewhere(handler, standing, target, stream, new_at)
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
    let (floors, _) = fold::<Floors>(earlier.as_slice(), &Cut::NOW)?;
    Ok(floors.under(stream, event))
}

/// The first later event of the same stream that rests on an event and would now come before it; `subjects` is what the
/// event names, before and after the correction.
fn resting_here(
    standing: &[RawEnvelope],
    target: &RawEnvelope,
    subjects: &Subjects,
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
    mut lost: Subjects,
) -> Option<Reason> {
    if stream.family() != "tournament" {
        return None;
    }
    let earlier = standing.iter().filter(|other| other.seq < target.seq);
    for other in earlier {
        let brought_in = other.decode().map(|event| subjects_of(stream, &event)).unwrap_or_default();
        lost.retain(|subject| !brought_in.contains(subject));
    }
    // Evidence is in the log, whatever points to it.
    lost.retain(|subject| !matches!(subject, Subject::Event(_)));
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

/// What of an event others can rest on.
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

/// What of other streams rests on an event: the tournament's account of a game, the game of a pairing, and whoever
/// names the event as evidence.
fn resting_elsewhere(
    handler: &mut Handler<'_>,
    standing: &[RawEnvelope],
    target: &RawEnvelope,
    stream: &StreamName,
    new_at: Option<Micros>,
) -> Result<Option<Reason>, ReplayError> {
    let mut subjects = Subjects::from([Subject::Event(target.seq)]);
    let Ok(event) = target.decode() else { return Ok(None) };
    // What a strike takes away altogether; a new time only moves it.
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
            // One that begins meanwhile may name the player too.
            if let Ok(any) = "tournament/any".parse() {
                handler.causes.rest_on_family(&any);
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
