//! The audit: each event of a tournament checked on the state before it. That is the prefix of the log, with the corrections
//! that were recorded in it; an event that was corrected itself is checked as it stands now. Where a later correction
//! changes whether a verdict holds, that is an entry of its own.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::log::Change;
use annals_events::{Event, LogEvent, RawEnvelope, StreamName};
use annals_store::Log;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::Verdict;
use annals_tournaments::{formats, refusal};

use super::record::{Reach, Record, Walk, read_as};
use super::{
    AuditCounts, AuditedEvent, LATE, LateEntry, Overturned, RankedLine, TournamentAudit,
    TournamentAuditError, changing_what_is_frozen,
};
use crate::audit::GameFinding;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::read::absent;
use crate::recorded::reference;
use crate::timeline::{Corrections, Standing};

/// Audits a tournament at a cut.
pub(super) fn run(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    readings: &[(String, String)],
) -> Result<TournamentAudit, TournamentAuditError> {
    let record = Record::read(log, stream, cut, &[])?;
    let corrections = Corrections::of(&record.events);
    let mut events = Vec::new();
    let mut late = Vec::new();
    let mut walk = record.walk(0);
    while let Some(recorded) = walk.next() {
        let reference = reference(recorded);
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
    let overturned = overturned(&record, &corrections, &events, readings)?;
    report(&record, &walk, readings, Found { events, late, overturned })
}

/// What the rules say of an event as it stands; nothing of what cannot be read, which is a finding of the fold.
fn checked(
    walk: &Walk<'_>,
    event: &Standing<'_>,
    readings: &[(String, String)],
) -> Result<Vec<Verdict>, TournamentAuditError> {
    match event.decode().map(|entry| entry.event) {
        Ok(Event::Tournament(what)) => {
            walk.check(&what, (event.seq, event.effective_at, event.said_at), readings)
        }
        _ => Ok(Vec::new()),
    }
}

fn audited(recorded: &RawEnvelope, stands: &Standing<'_>, imported: bool) -> AuditedEvent {
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

/// What the rules say of an event that was recorded, on the state before it; `what` is the event as it stands at the cut.
pub(crate) fn judged(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    seq: u64,
) -> Result<Vec<Verdict>, TournamentAuditError> {
    let record = Record::read(log, stream, cut, &[])?;
    let corrections = Corrections::of(&record.events);
    let mut walk = record.walk(0);
    walk.go_to(seq);
    let Some(event) = walk.next().filter(|event| event.seq == seq) else { return Ok(Vec::new()) };
    let reference = reference(event);
    let Some(event) = corrections.put_in_place(&reference) else { return Ok(Vec::new()) };
    checked(&walk, &event, &[])
}

/// What a correction that is about to be recorded, the last of `events`, means for the verdicts: those of the event that it
/// corrects, as it stood before and as it would stand, and the first verdict on a later event that would not hold any more.
pub(crate) struct Corrected {
    pub before: Vec<Verdict>,
    pub after: Vec<Verdict>,
    pub overturns: Option<Verdict>,
}

/// See [`Corrected`].
pub(crate) fn corrected(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    events: &[RawEnvelope],
) -> Result<Corrected, TournamentAuditError> {
    let record = Record::read(log, stream, cut, events)?;
    let mut corrected = Corrected { before: Vec::new(), after: Vec::new(), overturns: None };
    let Some((last, Ok(Event::Log(LogEvent::Correction(correction))))) =
        events.last().map(|last| (last, last.decode()))
    else {
        return Ok(corrected);
    };
    let before = Corrections::of(record.events.iter().filter(|event| event.seq < last.seq));
    let after = Corrections::of(&record.events);
    let mut walk = record.walk(0);
    walk.go_to(correction.corrects);
    let Some(target) = walk.next().filter(|event| event.seq == correction.corrects) else {
        return Ok(corrected);
    };
    let target = reference(target);
    if let Some(event) = before.put_in_place(&target) {
        corrected.before = checked(&walk, &event, &[])?;
    }
    if let Some(event) = after.put_in_place(&target) {
        corrected.after = checked(&walk, &event, &[])?;
    }
    if matches!(correction.change, Change::Strike) {
        let (mut with, mut without) = (record.walk(last.seq), record.walk(last.seq.saturating_sub(1)));
        for event in record.own().filter(|event| (correction.corrects..last.seq).contains(&event.seq)) {
            let reference = reference(event);
            let Some(stands) = after.put_in_place(&reference).filter(|event| event.seq > target.seq) else {
                continue;
            };
            with.go_to(event.seq);
            without.go_to(event.seq);
            let (new, old) = (checked(&with, &stands, &[])?, checked(&without, &stands, &[])?);
            let changes = changed(&old, &new);
            corrected.overturns =
                changes.iter().find(|(_, new)| new.departs()).map(|(_, new)| (*new).clone());
            if corrected.overturns.is_some() {
                break;
            }
        }
    }
    Ok(corrected)
}

/// What is compliant in one state and a violation in another, by subject and rule: of each, a verdict of both states. Several
/// verdicts on one subject by one rule are a violation together where one of them is.
fn changed<'v>(before: &'v [Verdict], after: &'v [Verdict]) -> Vec<(Option<&'v Verdict>, &'v Verdict)> {
    let (was, is) = (decisive(before), decisive(after));
    let pairs = is.into_iter().map(|(key, new)| (was.get(&key).copied(), new));
    pairs.filter(|(old, new)| old.is_some_and(Verdict::departs) != new.departs()).collect()
}

/// One verdict for each subject and rule: the first violation, else the first verdict.
fn decisive(verdicts: &[Verdict]) -> BTreeMap<(String, &'static str), &Verdict> {
    let mut decisive: BTreeMap<_, &Verdict> = BTreeMap::new();
    for verdict in verdicts {
        let one = decisive.entry((verdict.subject.to_string(), verdict.rule.id.name())).or_insert(verdict);
        if verdict.departs() && !one.departs() {
            *one = verdict;
        }
    }
    decisive
}

/// The verdicts that a later correction changes, each with the first correction that does.
fn overturned(
    record: &Record<'_>,
    corrections: &Corrections,
    events: &[AuditedEvent],
    readings: &[(String, String)],
) -> Result<Vec<Overturned>, TournamentAuditError> {
    let all: Vec<Reach> = record.events.iter().filter_map(Reach::of).collect();
    let affected = |event: &&AuditedEvent| all.iter().any(|by| by.reaches(event.seq));
    // What the rules say of an event with the corrections up to a place in the log.
    let checked_by = |seqs: &BTreeSet<u64>, known_by: u64| {
        let mut found = Vec::new();
        let mut walk = record.walk(known_by);
        for seq in seqs {
            walk.go_to(*seq);
            let Some(event) = walk.next().map(reference) else { break };
            if let Some(event) = corrections.put_in_place(&event) {
                found.push((*seq, checked(&walk, &event, readings)?));
            }
        }
        Ok::<_, TournamentAuditError>(found)
    };
    let mut left: BTreeSet<u64> = events.iter().filter(affected).map(|event| event.seq).collect();
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
    for by in all {
        let reached: BTreeSet<u64> = left.iter().copied().filter(|seq| by.reaches(*seq)).collect();
        if reached.is_empty() {
            continue;
        }
        for (seq, after) in checked_by(&reached, by.seq)? {
            let changes = changed(before(seq), &after);
            if !changes.is_empty() {
                left.remove(&seq);
            }
            found.extend(changes.into_iter().map(|(before, verdict)| Overturned {
                correction: by.seq,
                before: before.map(|verdict| verdict.holds.clone()),
                verdict: verdict.clone(),
            }));
        }
    }
    found.sort_by_key(|overturned| (overturned.correction, overturned.verdict.seq));
    Ok(found)
}

/// What the walk has found.
struct Found {
    events: Vec<AuditedEvent>,
    late: Vec<LateEntry>,
    overturned: Vec<Overturned>,
}

fn report(
    record: &Record<'_>,
    walk: &Walk<'_>,
    readings: &[(String, String)],
    found: Found,
) -> Result<TournamentAudit, TournamentAuditError> {
    let tournament = walk.state();
    let Some(announced) = &tournament.announced else {
        return Err(TournamentAuditError::NotAnnounced { stream: record.stream.clone() });
    };
    let rulebook = read_as(tournament, readings)?;
    let Found { mut events, late, overturned } = found;
    let mut findings: BTreeMap<u64, Vec<Finding>> = BTreeMap::new();
    for finding in walk.tournament.state().findings() {
        findings.entry(finding.seq).or_default().push(finding.clone());
    }
    for event in &mut events {
        event.findings = findings.remove(&event.seq).unwrap_or_default();
    }
    events.extend(frozen_corrections(record, &rulebook));
    events.sort_by_key(|event| event.seq);
    let mut games = Vec::new();
    let played = walk.others.games.iter().filter(|(_, game)| game.folded() > 0);
    for (game, folded) in played.clone() {
        let Ok(stream) = format!("game/{game}").parse::<StreamName>() else { continue };
        let findings = folded.state().replay().findings().iter().cloned();
        games.extend(findings.map(|finding| GameFinding { stream: stream.clone(), finding }));
    }
    games.sort_by_key(|found| found.finding.seq);
    let ranking = formats::ranking(tournament, &rulebook);
    let places = formats::places(tournament, &rulebook);
    let undecided = undecided(&ranking, &places);
    let line = |line: formats::Standing| RankedLine {
        player: line.player,
        rank: line.rank,
        measures: line.measures,
        active: line.active,
    };
    let mut audit = TournamentAudit {
        stream: record.stream.clone(),
        name: announced.name.clone(),
        rulebook: rulebook.name.to_owned(),
        edition: rulebook.edition,
        title: rulebook.title.to_owned(),
        readings: rulebook
            .ambiguous
            .iter()
            .filter_map(|number| Some(((*number).to_owned(), rulebook.readings.get(number)?.to_owned())))
            .collect(),
        cut: record.cut,
        up_to: record.up_to,
        counts: AuditCounts { games: played.count() as u64, ..AuditCounts::default() },
        events,
        overturned,
        findings: findings.into_values().flatten().collect(),
        games,
        late,
        standings: ranking.unwrap_or_default().into_iter().map(line).collect(),
        places: places.unwrap_or_default().placings,
        undecided,
    };
    audit.count();
    Ok(audit)
}

/// The corrections that change what was frozen when they were made, with what the rules say of them.
fn frozen_corrections(record: &Record<'_>, rulebook: &Rulebook) -> Vec<AuditedEvent> {
    let mut corrections: Vec<AuditedEvent> = Vec::new();
    for verdict in changing_what_is_frozen(record.own(), rulebook) {
        let Some(event) = record.event(verdict.seq) else { continue };
        if record.cut.has_happened(event.seq, event.effective_at) {
            let standing = Standing::as_recorded(&reference(event));
            let imported = record.is_imported(event.seq);
            corrections.push(AuditedEvent { verdicts: vec![verdict], ..audited(event, &standing, imported) });
        }
    }
    corrections
}

/// What stands in the way of standings and places.
fn undecided(
    ranking: &Result<Vec<formats::Standing>, refusal::Refusal>,
    places: &Result<formats::Places, refusal::Refusal>,
) -> Option<String> {
    match (ranking, places) {
        (Err(error), _) | (_, Err(error)) => Some(error.to_string()),
        (_, Ok(places)) => places.ruling_needed.clone(),
    }
}

#[cfg(test)]
mod tests {
    use annals_tournaments::rulebook::RuleId;
    use annals_tournaments::verdict::Holds;

    use super::*;

    #[test]
    fn a_violation_next_to_a_compliant_verdict_of_the_same_rule_is_no_change() {
        let rule = Rulebook::named("wcc-2015").unwrap().rule(RuleId::ResultGame).unwrap();
        let verdict = |holds| Verdict { seq: 7, subject: "the result".into(), rule, holds, criterion: None };
        let violation = || Holds::Departs { expected: "one".to_owned(), found: "other".to_owned() };
        let mixed = vec![verdict(Holds::Follows), verdict(violation())];
        assert_eq!(changed(&mixed, &mixed), []);
        let (all, none) = (vec![verdict(Holds::Follows); 2], Vec::new());
        assert_eq!(changed(&all, &mixed), [(Some(&all[0]), &mixed[1])]);
        assert_eq!(changed(&mixed, &all), [(Some(&mixed[1]), &all[0])]);
        assert_eq!(changed(&none, &mixed), [(None, &mixed[1])]);
    }
}
