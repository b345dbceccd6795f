//! The audit: each event is checked on the state before it, which is the prefix with the corrections recorded in it; a
//! corrected event is checked as it is now. A later correction that changes a verdict is an entry of its own.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::log::{Change, Correction};
use annals_events::tournament::PairingRevoked;
use annals_events::{Event, Micros, RawEnvelope, StreamName, TournamentEvent};
use annals_store::Log;
use annals_tournaments::check::{counts_against, overdue};
use annals_tournaments::imitation::LEAST;
use annals_tournaments::rulebook::{ReadingFrom, Rulebook, RulebookError};
use annals_tournaments::verdict::Verdict;
use annals_tournaments::{Tournament, formats, refusal};

use super::error::TournamentAuditError;
use super::frozen;
use super::imitation::imitations;
use super::not_as_ruled::not_as_ruled;
use super::record::{Reach, Record, TournamentState, Walk, read_as};
use super::result::{AuditCounts, AuditedEvent, LateEntry, Overturned, TournamentAudit};
use crate::audit::GameFinding;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::projection::Growing;
use crate::read::{absent, tournament_at};
use crate::recorded::reference;
use crate::timeline::{Corrections, EffectiveEvent};
use crate::tournament::TournamentReplay;

/// Delay after which recording counts as late: a day.
pub const LATE: Micros = 24 * 60 * 60 * 1_000_000;

#[derive(Debug, Clone, Copy)]
pub struct AuditOptions<'a> {
    /// Number and value, such as `T7` and `B`, that replace announced readings.
    pub readings: &'a [(String, String)],
    /// The least number of turns of a shared sequence.
    pub imitation: usize,
}

impl Default for AuditOptions<'_> {
    fn default() -> Self {
        AuditOptions { readings: &[], imitation: LEAST }
    }
}

/// Audits a tournament at a cut. `readings` are pairs such as `T7` and `B` that replace announced readings.
///
/// # Errors
/// If the log cannot be read, has no such tournament, or the rulebook or a reading is unknown.
pub fn audit_tournament(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    readings: &[(String, String)],
) -> Result<TournamentAudit, TournamentAuditError> {
    audit_with(log, stream, cut, &AuditOptions { readings, ..AuditOptions::default() })
}

/// Audits a tournament at a cut with options.
///
/// # Errors
/// As [`audit_tournament`].
pub fn audit_with(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    options: &AuditOptions<'_>,
) -> Result<TournamentAudit, TournamentAuditError> {
    run(log, stream, cut, options).map_err(|error| match error {
        TournamentAuditError::Rulebook(RulebookError::Unknown { .. }) => {
            nothing_to_check(log, stream, cut).unwrap_or(error)
        }
        error => error,
    })
}

/// Checks corrected events once more that violate a rule by the record of their time: what a correction states is checked by the
/// corrections before it too, as when it was recorded.
fn check_as_corrected(
    record: &Record<'_>,
    corrections: &Corrections,
    events: &mut [AuditedEvent],
    readings: &[(String, String)],
) -> Result<(), TournamentAuditError> {
    for event in events.iter_mut().filter(|event| event.verdicts.iter().any(Verdict::is_violation)) {
        let Some(by) = event.corrected_by else { continue };
        let mut walk = record.walk::<TournamentReplay>(by);
        walk.go_to(event.seq);
        let recorded = walk.next().map(reference);
        if let Some(standing) = recorded.as_ref().and_then(|recorded| corrections.put_in_place(recorded)) {
            event.verdicts = checked(&walk, &standing, readings)?;
        }
    }
    Ok(())
}

/// An error for a record of totals only.
fn nothing_to_check(log: &Log, stream: &StreamName, cut: &Cut) -> Option<TournamentAuditError> {
    let tournament = tournament_at(log, stream, cut).ok()?.tournament;
    Some(TournamentAuditError::NothingToCheck {
        stream: stream.clone(),
        source_of_totals: tournament.published_table()?.source.clone(),
        rulebook: tournament.announced.as_ref()?.rulebook.clone(),
    })
}

fn run(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    options: &AuditOptions<'_>,
) -> Result<TournamentAudit, TournamentAuditError> {
    let readings = options.readings;
    let record = Record::read(log, stream, cut)?;
    let corrections = Corrections::of(&record.events);
    let mut events = Vec::new();
    let mut late = Vec::new();
    let mut frozen = Vec::new();
    let mut walk = record.walk(0);
    while let Some(recorded) = walk.next() {
        let reference = reference(recorded);
        frozen.extend(frozen_correction(&record, &walk, recorded, readings)?);
        let stands = corrections.put_in_place(&reference).filter(|event| cut.counts(event));
        if let Some(event) = stands.filter(|_| recorded.stream == *stream) {
            let imported = record.is_imported(event.seq);
            if !imported && event.recorded_at.saturating_sub(event.effective_at) > LATE {
                let (at, recorded_at) = (event.effective_at, event.recorded_at);
                late.push(LateEntry { seq: event.seq, at, recorded_at });
            }
            events.push(AuditedEvent {
                verdicts: checked(&walk, &event, readings)?,
                corrected_by: event.corrected_by,
                ..audited(recorded, &event, imported)
            });
        }
        walk.step();
    }
    if events.is_empty() {
        return Err(absent(log, stream).map_err(ReplayError::from)?.into());
    }
    check_as_corrected(&record, &corrections, &mut events, readings)?;
    let overturned = overturned(&record, &corrections, &events, readings)?;
    for verdict in walk.taken_back(readings)? {
        if let Some(event) = events.iter_mut().find(|event| event.seq == verdict.seq) {
            event.verdicts.push(verdict);
        } else if let Some(event) = record.event(verdict.seq) {
            let standing = EffectiveEvent::as_recorded(&reference(event));
            let imported = record.is_imported(event.seq);
            events.push(AuditedEvent { verdicts: vec![verdict], ..audited(event, &standing, imported) });
        }
    }
    report(&record, &walk, options, Found { events, frozen, late, overturned })
}

/// The verdicts on an event as it is; none if unreadable, which is a finding of the fold.
fn checked<P: TournamentState>(
    walk: &Walk<'_, P>,
    event: &EffectiveEvent<'_>,
    readings: &[(String, String)],
) -> Result<Vec<Verdict>, TournamentAuditError> {
    match event.decode().map(|entry| entry.event) {
        Ok(Event::Tournament(what)) => {
            walk.check(&what, (event.seq, event.effective_at, event.said_at), readings)
        }
        _ => Ok(Vec::new()),
    }
}

fn audited(recorded: &RawEnvelope, stands: &EffectiveEvent<'_>, imported: bool) -> AuditedEvent {
    AuditedEvent {
        seq: recorded.seq,
        event_type: recorded.event_type.clone(),
        at: stands.effective_at,
        recorded_at: recorded.recorded_at,
        corrected_by: None,
        imported,
        verdicts: Vec::new(),
        findings: Vec::new(),
    }
}

/// The verdicts on a recorded event, on the state before it; `what` is the event at the cut.
pub(crate) fn judged(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    seq: u64,
) -> Result<Vec<Verdict>, TournamentAuditError> {
    let record = Record::read(log, stream, cut)?;
    let corrections = Corrections::of(&record.events);
    let mut walk = record.walk::<TournamentReplay>(seq);
    walk.go_to(seq);
    let Some(event) = walk.next().filter(|event| event.seq == seq) else { return Ok(Vec::new()) };
    let reference = reference(event);
    let Some(event) = corrections.put_in_place(&reference) else { return Ok(Vec::new()) };
    checked(&walk, &event, &[])
}

/// What a new correction changes: verdicts on its event before and after, and the first later verdict that becomes a
/// violation.
pub(crate) struct Corrected {
    pub before: Vec<Verdict>,
    pub after: Vec<Verdict>,
    pub overturns: Option<Verdict>,
}

/// The corrected tournament and the changed verdicts; `by` is the correction, the last event. One walk checks the event
/// and continues with the correction in place.
pub(crate) fn corrected<P: TournamentState>(
    record: &Record<'_>,
    correction: &Correction,
    by: u64,
) -> (Growing<P>, Result<Corrected, TournamentAuditError>) {
    // By the record as it is corrected now: the event on which this one depends may have been corrected before.
    let mut walk = record.walk(by);
    walk.go_to(correction.corrects);
    let corrections = [by.saturating_sub(1), by].map(|seq| record.known_by(seq).0);
    let target = walk.next().filter(|event| event.seq == correction.corrects).map(reference);
    let verdicts = corrections.each_ref().map(|corrections| {
        let event = target.as_ref().and_then(|target| corrections.put_in_place(target));
        event.map_or(Ok(Vec::new()), |event| checked(&walk, &event, &[]))
    });
    let overturns = match correction.change {
        Change::Strike => overturned_by_strike(record, &mut walk, (correction.corrects, by)),
        Change::Replace { .. } => Ok(None),
    };
    let found = || {
        let [before, after] = verdicts;
        Ok(Corrected { before: before?, after: after?, overturns: overturns? })
    };
    (walk.into_tournament(), found())
}

/// The first verdict between a struck event and its strike that becomes a violation.
fn overturned_by_strike<P: TournamentState>(
    record: &Record<'_>,
    with: &mut Walk<'_, P>,
    (struck, by): (u64, u64),
) -> Result<Option<Verdict>, TournamentAuditError> {
    let (corrections, _) = record.known_by(by);
    // Needed only if a later event is a violation with the strike.
    let mut without: Option<Walk<'_, P>> = None;
    let mut overturned = None;
    // What was revoked rests on nothing any more.
    let revoked = revoked(record.own().map(|event| (event, true)));
    let stands = |event: &&RawEnvelope| !revoked.contains_key(&event.seq);
    let later = record.own().filter(|event| (struck.saturating_add(1)..by).contains(&event.seq));
    for event in later.filter(stands) {
        let reference = reference(event);
        let Some(event) = corrections.put_in_place(&reference) else { continue };
        with.go_to(event.seq);
        let new = checked(with, &event, &[])?;
        if !new.iter().any(Verdict::is_violation) {
            continue;
        }
        let without = without.get_or_insert_with(|| record.walk(by.saturating_sub(1)));
        without.go_to(event.seq);
        let old = checked(without, &event, &[])?;
        overturned =
            changed(&old, &new).into_iter().map(|(_, new)| new).find(|new| new.is_violation()).cloned();
        if overturned.is_some() {
            break;
        }
    }
    if let Some(without) = without {
        with.tournament.replaces(&without.tournament);
    }
    Ok(overturned)
}

/// Compliant in one state and a violation in the other, by subject and rule, with both verdicts. Several verdicts of
/// one subject and rule are a violation if one is.
fn changed<'v>(before: &'v [Verdict], after: &'v [Verdict]) -> Vec<(Option<&'v Verdict>, &'v Verdict)> {
    let (was, is) = (decisive(before), decisive(after));
    let pairs = is.into_iter().map(|(key, new)| (was.get(&key).copied(), new));
    pairs.filter(|(old, new)| old.is_some_and(Verdict::is_violation) != new.is_violation()).collect()
}

/// Per subject and rule the first violation, else the first verdict.
fn decisive(verdicts: &[Verdict]) -> BTreeMap<(String, &'static str), &Verdict> {
    let mut decisive: BTreeMap<_, &Verdict> = BTreeMap::new();
    for verdict in verdicts {
        let one = decisive.entry((verdict.subject.to_string(), verdict.rule.id.name())).or_insert(verdict);
        if verdict.is_violation() && !one.is_violation() {
            *one = verdict;
        }
    }
    decisive
}

/// Verdicts that later corrections change, each with every such correction.
fn overturned(
    record: &Record<'_>,
    corrections: &Corrections,
    events: &[AuditedEvent],
    readings: &[(String, String)],
) -> Result<Vec<Overturned>, TournamentAuditError> {
    let all: Vec<Reach> = record.events.iter().filter_map(Reach::of).collect();
    // The verdicts with the corrections up to a position.
    let checked_by = |seqs: &BTreeSet<u64>, known_by: u64| {
        let mut found = Vec::new();
        let mut walk = record.walk::<TournamentReplay>(known_by);
        for seq in seqs {
            walk.go_to(*seq);
            let Some(event) = walk.next().map(reference) else { break };
            if let Some(event) = corrections.put_in_place(&event) {
                found.push((*seq, checked(&walk, &event, readings)?));
            }
        }
        Ok::<_, TournamentAuditError>(found)
    };
    let mut left = Reach::any(&all, events.iter().map(|event| event.seq));
    let verdicts: BTreeMap<u64, &[Verdict]> =
        events.iter().map(|event| (event.seq, event.verdicts.as_slice())).collect();
    let before = |seq: u64| verdicts.get(&seq).copied().unwrap_or_default();
    let mut found = Vec::new();
    if left.is_empty() {
        return Ok(found);
    }
    let now = checked_by(&left, u64::MAX)?;
    let changes = |(seq, after): &(u64, Vec<Verdict>)| !changed(before(*seq), after).is_empty();
    left = now.iter().filter(|one| changes(one)).map(|(seq, _)| *seq).collect();
    let audited = events.iter().filter_map(|audited| {
        let allowed = !audited.verdicts.iter().any(Verdict::is_violation);
        Some((record.event(audited.seq)?, allowed))
    });
    let revoked = revoked(audited);
    let mut was: BTreeMap<u64, Vec<Verdict>> = left.iter().map(|seq| (*seq, before(*seq).to_vec())).collect();
    for by in all {
        let reached = by.reached(&left);
        if reached.is_empty() {
            continue;
        }
        for (seq, after) in checked_by(&reached, by.seq)? {
            let was = was.entry(seq).or_default();
            found.extend(changed(was, &after).into_iter().map(|(before, verdict)| Overturned {
                correction: by.seq,
                before: before.map(|verdict| verdict.holds.clone()),
                verdict: verdict.clone(),
                revoked_by: revoked.get(&seq).copied(),
            }));
            *was = after;
        }
    }
    found.sort_by_key(|overturned| (overturned.correction, overturned.verdict.seq));
    Ok(found)
}

/// What a correction makes a violation: published rounds, and other events such as awards and the close.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OverturnedBy {
    /// With whether the round has begun.
    pub rounds: Vec<(u32, bool)>,
    /// By their `seq`, with what of them violates the rules.
    pub events: BTreeMap<u64, Vec<String>>,
    /// Of these, the awards of a tournament that is not closed: they can be struck, and awarded again.
    pub awards: BTreeSet<u64>,
    /// Of these, the orders of a stage after which no round has begun: they can be struck, and published again.
    pub orders: BTreeSet<u64>,
}

/// What was recorded before a correction and violates the rules with it.
///
/// # Errors
/// When the record cannot be audited.
pub fn overturned_by(
    log: &Log,
    stream: &StreamName,
    correction: u64,
) -> Result<OverturnedBy, TournamentAuditError> {
    let tournament = tournament_at(log, stream, &Cut::NOW)?.tournament;
    let mut by_it = OverturnedBy::default();
    if tournament.announced.is_none() {
        return Ok(by_it);
    }
    let overturned = audit_tournament(log, stream, &Cut::NOW, &[])?.overturned;
    let now = overturned.iter().filter(|one| one.correction == correction && one.verdict.is_violation());
    for Overturned { verdict, revoked_by, .. } in now {
        match tournament.rounds.iter().find(|(_, round)| round.paired.seq == verdict.seq) {
            Some((&number, round)) => {
                let round = (number, round.has_begun());
                if !by_it.rounds.contains(&round) {
                    by_it.rounds.push(round);
                }
            }
            None if revoked_by.is_none() => {
                let award = tournament.prizes.iter().any(|prize| prize.seq == verdict.seq);
                if award && tournament.closed.is_none() {
                    by_it.awards.insert(verdict.seq);
                }
                if is_order_before_play(log, verdict.seq, &tournament)? {
                    by_it.orders.insert(verdict.seq);
                }
                by_it.events.entry(verdict.seq).or_default().push(verdict.subject.to_string());
            }
            None => {}
        }
    }
    by_it.rounds.sort_unstable();
    Ok(by_it)
}

/// Whether an event is the published order of a stage, and no round of the next stage has begun.
fn is_order_before_play(log: &Log, seq: u64, tournament: &Tournament) -> Result<bool, ReplayError> {
    let Some(event) = log.event(seq)? else { return Ok(false) };
    let Ok(Event::Tournament(event)) = event.decode() else { return Ok(false) };
    let TournamentEvent::Qualified(qualified) = *event else { return Ok(false) };
    let mut rounds = tournament.rounds.values();
    Ok(!rounds.any(|round| round.stage == qualified.to && round.has_begun()))
}

/// Published rounds that were revoked as the rulebook allows, and the lots of their colours, with the revocation: they count as never
/// made. With each event comes whether the rulebook allows it.
fn revoked<'e>(events: impl Iterator<Item = (&'e RawEnvelope, bool)>) -> BTreeMap<u64, u64> {
    let mut published: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    let mut revoked = BTreeMap::new();
    for (recorded, allowed) in events {
        let Ok(Event::Tournament(event)) = recorded.decode() else { continue };
        match *event {
            TournamentEvent::RoundPaired(paired) => {
                published.insert(paired.round, vec![recorded.seq]);
            }
            TournamentEvent::ColourDrawn(drawn) => {
                published.entry(drawn.pairing.round).or_default().push(recorded.seq);
            }
            TournamentEvent::PairingRevoked(PairingRevoked { round, board: None, .. }) => {
                let made = published.remove(&round).filter(|_| allowed);
                revoked.extend(made.into_iter().flatten().map(|made| (made, recorded.seq)));
            }
            _ => {}
        }
    }
    revoked
}

/// The result of the walk.
struct Found {
    events: Vec<AuditedEvent>,
    /// Corrections of something that was fixed.
    frozen: Vec<AuditedEvent>,
    late: Vec<LateEntry>,
    overturned: Vec<Overturned>,
}

/// Readings that neither the announcement nor a ruling states.
fn by_default(rulebook: &Rulebook, tournament: &Tournament) -> Vec<String> {
    let readings = rulebook.readings_of(tournament).into_iter();
    let by_edition = readings.filter(|reading| reading.from == ReadingFrom::Edition);
    by_edition.map(|reading| format!("{}={}", reading.number, reading.letter)).collect()
}

fn report(
    record: &Record<'_>,
    walk: &Walk<'_>,
    options: &AuditOptions<'_>,
    found: Found,
) -> Result<TournamentAudit, TournamentAuditError> {
    let tournament = &walk.tournament.state().tournament;
    let Some(announced) = &tournament.announced else {
        return Err(TournamentAuditError::NotAnnounced { stream: record.stream.clone() });
    };
    let rulebook = read_as(tournament, options.readings)?;
    let Found { mut events, frozen, late, overturned } = found;
    let mut findings: BTreeMap<u64, Vec<Finding>> = BTreeMap::new();
    for finding in walk.tournament.state().findings() {
        findings.entry(finding.seq).or_default().push(finding.clone());
    }
    for finding in not_as_ruled(tournament, &walk.others) {
        findings.entry(finding.seq).or_default().push(finding);
    }
    for event in &mut events {
        event.findings = findings.remove(&event.seq).unwrap_or_default();
    }
    events.extend(frozen);
    events.sort_by_key(|event| event.seq);
    let mut games = Vec::new();
    let played = walk.others.games.iter().filter(|(_, game)| game.folded() > 0);
    for (game, folded) in played.clone() {
        let Ok(stream) = format!("game/{game}").parse::<StreamName>() else { continue };
        let findings = folded.state().replay().findings().iter();
        let findings = findings.filter(|found| counts_against(&rulebook, found.code)).cloned();
        games.extend(findings.map(|finding| GameFinding { stream: stream.clone(), finding }));
    }
    games.sort_by_key(|found| found.finding.seq);
    let ranking = formats::ranking(tournament, &rulebook);
    let places = formats::places(tournament, &rulebook);
    let undecided = undecided(&ranking, &places);
    let overdue = overdue(tournament, &rulebook, record.now());
    let places = places.unwrap_or_default();
    let mut audit = TournamentAudit {
        overdue,
        stream: record.stream.clone(),
        name: announced.name.clone(),
        rulebook: rulebook.name.to_owned(),
        edition: rulebook.edition,
        title: rulebook.title.to_owned(),
        readings: rulebook
            .ambiguous
            .iter()
            .filter_map(|number| Some(((*number).to_owned(), rulebook.readings.get(number)?.to_owned())))
            .chain(rulebook.chosen())
            .collect(),
        readings_by_default: by_default(&rulebook, tournament),
        cut: record.cut,
        up_to: record.up_to,
        counts: AuditCounts { games: played.count() as u64, ..AuditCounts::default() },
        events,
        overturned,
        findings: findings.into_values().flatten().collect(),
        games,
        imitations: imitations(tournament, &rulebook, &walk.others, options.imitation),
        late,
        standings: ranking.unwrap_or_default(),
        places: places.placings,
        left_out: places.left_out,
        undecided,
    };
    audit.count();
    Ok(audit)
}

/// A correction of something fixed, with its verdict.
fn frozen_correction(
    record: &Record<'_>,
    walk: &Walk<'_>,
    event: &RawEnvelope,
    readings: &[(String, String)],
) -> Result<Option<AuditedEvent>, TournamentAuditError> {
    let counts = record.cut.has_happened(event.seq, event.effective_at);
    let Some(target) = Reach::of(event).filter(|_| counts).and_then(|by| record.event(by.corrects)) else {
        return Ok(None);
    };
    let before = &walk.tournament.state().tournament;
    if before.announced.is_none() || event.stream != *record.stream || target.stream != event.stream {
        return Ok(None);
    }
    let rulebook = read_as(before, readings)?;
    let said = [event.seq.saturating_sub(1), event.seq].map(|seq| record.known_by(seq).0.effective(target));
    let verdict = frozen::violation((before, &rulebook), event.seq, target, &said);
    let standing = EffectiveEvent::as_recorded(&reference(event));
    let audited = audited(event, &standing, record.is_imported(event.seq));
    Ok(verdict.map(|verdict| AuditedEvent { verdicts: vec![verdict], ..audited }))
}

fn undecided(
    ranking: &Result<Vec<formats::RankedPlayer>, refusal::Refusal>,
    places: &Result<formats::Places, refusal::Refusal>,
) -> Option<String> {
    match (ranking, places) {
        (Err(error), _) | (_, Err(error)) => Some(error.to_string()),
        (_, Ok(places)) => places.ruling_needed.clone(),
    }
}

#[cfg(test)]
mod tests {
    use annals_tournaments::rulebook::{RuleId, Rulebook};
    use annals_tournaments::verdict::Compliance;

    use super::*;

    #[test]
    fn a_violation_next_to_a_compliant_verdict_of_the_same_rule_is_no_change() {
        let rule = Rulebook::named("wcc-2015").unwrap().rule(RuleId::ResultGame).unwrap();
        let verdict = |holds| Verdict { seq: 7, subject: "the result".into(), rule, holds, criterion: None };
        let violation = || Compliance::Violation { expected: "one".to_owned(), found: "other".to_owned() };
        let mixed = vec![verdict(Compliance::Compliant), verdict(violation())];
        assert_eq!(changed(&mixed, &mixed), []);
        let (all, none) = (vec![verdict(Compliance::Compliant); 2], Vec::new());
        assert_eq!(changed(&all, &mixed), [(Some(&all[0]), &mixed[1])]);
        assert_eq!(changed(&mixed, &all), [(Some(&mixed[1]), &all[0])]);
        assert_eq!(changed(&none, &mixed), [(None, &mixed[1])]);
    }
}
