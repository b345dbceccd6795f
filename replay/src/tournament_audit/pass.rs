//! One pass over everything that a tournament rests on, merged in the order of the log: its own stream, the games that it
//! names, what other tournaments say of bans, and those that it names. Nothing is folded twice.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use annals_events::{
    Event, GameId, LOG_STREAM, LogEvent, Micros, RawEnvelope, StreamName, Subject, TournamentEvent,
    TournamentId, each_named,
};
use annals_rules::Retraction;
use annals_store::{Log, ReadError};
use annals_tournaments::Tournament;
use annals_tournaments::check::{Case, When, judge};
use annals_tournaments::context::StandingBan;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::Verdict;
use annals_tournaments::{formats, refusal};

use super::{
    AuditCounts, AuditedEvent, LATE, LateEntry, RankedLine, TournamentAudit, TournamentAuditError,
    changing_what_is_frozen,
};
use crate::around::{LogAround, Said, Surroundings, rulebook_in_force};
use crate::audit::GameFinding;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::facts::{FoldedGame, Games};
use crate::finding::Finding;
use crate::projection::{Projection, fold};
use crate::read::absent;
use crate::taken_back;
use crate::timeline::{CORRECTION, PutRight, Standing};
use crate::tournament::TournamentReplay;

/// An event as it stands, kept.
#[derive(Debug, Clone)]
struct Kept {
    seq: u64,
    stream: String,
    event_type: String,
    schema: u32,
    payload: String,
    effective_at: Micros,
    recorded_at: Micros,
    actor: String,
    said_at: Micros,
    corrected_by: Option<u64>,
}

impl Kept {
    fn standing(&self) -> Standing<'_> {
        Standing {
            seq: self.seq,
            stream: &self.stream,
            event_type: &self.event_type,
            schema: self.schema,
            payload: &self.payload,
            effective_at: self.effective_at,
            recorded_at: self.recorded_at,
            actor: &self.actor,
            said_at: self.said_at,
            corrected_by: self.corrected_by,
        }
    }
}

/// The events of a stream as they stand, corrections in place.
#[derive(Debug, Default)]
struct Gathered {
    events: Vec<Kept>,
    /// What corrections take back of a game.
    taken_back: Vec<Retraction>,
    findings: Vec<Finding>,
}

impl Projection for Gathered {
    fn apply(&mut self, event: &Standing<'_>) {
        self.events.push(Kept {
            seq: event.seq,
            stream: event.stream.to_owned(),
            event_type: event.event_type.to_owned(),
            schema: event.schema,
            payload: event.payload.to_owned(),
            effective_at: event.effective_at,
            recorded_at: event.recorded_at,
            actor: event.actor.to_owned(),
            said_at: event.said_at,
            corrected_by: event.corrected_by,
        });
    }

    fn put_right(&mut self, correction: &PutRight<'_>) {
        self.taken_back.extend(taken_back::by_correction(correction));
    }

    fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

/// Where the events come from: a prefix of the log, and further ones on top.
struct Source<'a> {
    log: &'a Log,
    up_to: u64,
    as_of: Option<Micros>,
    extra: &'a [RawEnvelope],
}

impl Source<'_> {
    /// The events of a stream as they were recorded, corrections among them.
    fn recorded(&self, stream: &StreamName) -> Result<Vec<RawEnvelope>, ReplayError> {
        let mut events = self.log.stream(stream, self.up_to)?;
        events.extend(self.extra.iter().filter(|event| event.stream == *stream).cloned());
        Ok(events)
    }

    fn gather(&self, stream: &StreamName) -> Result<Gathered, ReplayError> {
        Ok(fold(self.recorded(stream)?.as_slice(), self.as_of)?.0)
    }

    /// What a stream says of bans; the rest of it is passed over as it is read.
    fn gather_bans(&self, stream: &StreamName) -> Result<Gathered, ReplayError> {
        let counts = |event_type: &str| event_type == CORRECTION || Said::is_said_in(event_type);
        let mut events = Vec::new();
        self.log.scan_stream(stream, self.up_to, |event| {
            if counts(event.event_type) {
                let problem = |problem| ReadError::Row { seq: event.seq, problem };
                events.push(event.to_envelope().map_err(problem)?);
            }
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        let extra = self.extra.iter().filter(|event| event.stream == *stream && counts(&event.event_type));
        events.extend(extra.cloned());
        Ok(fold(events.as_slice(), self.as_of)?.0)
    }

    /// The ranges of the log that came in by imports.
    fn imports(&self) -> Result<Vec<(u64, u64)>, ReplayError> {
        let Ok(stream) = LOG_STREAM.parse() else { return Ok(Vec::new()) };
        let range = |event: &RawEnvelope| match event.decode() {
            Ok(Event::Log(LogEvent::Imported(imported))) => Some((imported.first_seq?, imported.last_seq?)),
            _ => None,
        };
        Ok(self.log.stream(&stream, self.up_to)?.iter().filter_map(range).collect())
    }
}

/// What a tournament's own events name beyond its stream.
#[derive(Default)]
struct Named {
    games: BTreeSet<String>,
    tournaments: BTreeSet<String>,
}

impl Named {
    fn by(stream: &StreamName, events: &[Kept]) -> Named {
        let mut named = Named::default();
        for event in events {
            let standing = event.standing();
            let Ok(entry) = standing.decode() else { continue };
            each_named(stream, &entry.event, |subject| match subject {
                Subject::Game(name) => {
                    named.games.insert(name.into_owned());
                }
                Subject::Tournament(name) if name != stream.name() => {
                    named.tournaments.insert(name.into_owned());
                }
                _ => {}
            });
            if let Event::Tournament(event) = &entry.event
                && let TournamentEvent::Announced(announced) = &**event
            {
                named.tournaments.extend(announced.previous.clone());
            }
        }
        named
    }
}

/// Everything around the tournament as the pass has come to know it.
#[derive(Default)]
struct SoFar {
    games: BTreeMap<GameId, FoldedGame>,
    /// What corrections take back of the games that are still to come.
    taken_back: TakenBack,
    bans: Vec<StandingBan>,
    tournaments: BTreeMap<TournamentId, TournamentReplay>,
}

impl Games for SoFar {
    fn show(&self, game: &GameId, to: &mut dyn FnMut(&FoldedGame)) -> bool {
        self.games.get(game).map(to).is_some()
    }
}

impl Surroundings for SoFar {
    fn bans(&self) -> Vec<StandingBan> {
        self.bans.clone()
    }

    fn tournament(&self, name: &TournamentId) -> Option<Tournament> {
        self.tournaments.get(name).map(|replay| replay.tournament.clone())
    }
}

impl SoFar {
    /// Folds an event of another stream.
    fn take(&mut self, event: &Kept) {
        let standing = event.standing();
        match event.stream.split_once('/') {
            Some(("game", name)) => {
                if let Ok(game) = name.parse() {
                    let new = || FoldedGame::corrected(self.taken_back.remove(name).unwrap_or_default());
                    self.games.entry(game).or_insert_with(new).apply(&standing);
                }
            }
            Some(("tournament", name)) => {
                if let Ok(name) = name.parse() {
                    self.tournaments.entry(name).or_default().apply(&standing);
                }
            }
            _ => {}
        }
    }
}

pub(super) fn run(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    extra: &[RawEnvelope],
    readings: &[(String, String)],
) -> Result<TournamentAudit, TournamentAuditError> {
    if stream.family() != "tournament" {
        return Err(ReplayError::NoSuchFamily { stream: stream.clone() }.into());
    }
    let source = Source { log, up_to: cut.last_seq(log)?, as_of: cut.as_of, extra };
    let recorded = source.recorded(stream)?;
    let own: Gathered = fold(recorded.as_slice(), cut.as_of).map_err(ReplayError::from)?.0;
    if own.events.is_empty() {
        return Err(absent(log, stream).map_err(ReplayError::from)?.into());
    }
    let imports = source.imports()?;
    let (others, taken_back) = elsewhere(&source, stream, &Named::by(stream, &own.events))?;
    let mut merged: Vec<&Kept> = own.events.iter().chain(&others).collect();
    merged.sort_by_key(|event| event.seq);

    let mut around = SoFar { taken_back, ..SoFar::default() };
    let mut replay = TournamentReplay::default();
    let (mut events, mut late) = (Vec::new(), Vec::new());
    for event in merged {
        if event.stream != stream.as_str() {
            if let Some(said) = Said::in_event(&event.standing()) {
                said.put_to(&mut around.bans);
            }
            around.take(event);
            continue;
        }
        let imported = came_in_by(&imports, event.seq);
        let audited = audited(event, imported, &replay.tournament, &around, readings)?;
        if !imported && event.recorded_at.saturating_sub(event.effective_at) > LATE {
            let (at, recorded_at) = (event.effective_at, event.recorded_at);
            late.push(LateEntry { seq: event.seq, at, recorded_at });
        }
        let before = replay.findings().len();
        replay.apply(&event.standing());
        let findings = replay.findings().get(before..).unwrap_or_default().to_vec();
        events.push(AuditedEvent { findings, ..audited });
        if let Some(said) = Said::in_event(&event.standing()) {
            said.put_to(&mut around.bans);
        }
    }
    let own = own.findings;
    report(Report { stream, cut, source, recorded, own, imports, events, late, around, replay, readings })
}

/// One event of a tournament held against a rulebook, on the tournament `before` it and with everything else as the log
/// had it then.
pub(super) fn judged(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    (seq, at): (u64, Micros),
    (before, rulebook): (&Tournament, &Rulebook),
    event: &TournamentEvent,
) -> Result<Vec<Verdict>, ReplayError> {
    let last = cut.last_seq(log)?;
    let all = Source { log, up_to: last, as_of: cut.as_of, extra: &[] };
    let imported = came_in_by(&all.imports()?, seq);
    let now = all.gather(stream)?.events;
    let recorded_at = now.iter().find(|event| event.seq == seq).map_or(at, |event| event.said_at);
    let source = Source { up_to: last.min(seq.saturating_sub(1)), ..all };
    let own = source.gather(stream)?.events;
    let (mut merged, taken_back) = elsewhere(&source, stream, &Named::by(stream, &own))?;
    merged.extend(own.into_iter().filter(|event| Said::in_event(&event.standing()).is_some()));
    merged.sort_by_key(|event| event.seq);
    let mut around = SoFar { taken_back, ..SoFar::default() };
    for event in &merged {
        if let Some(said) = Said::in_event(&event.standing()) {
            said.put_to(&mut around.bans);
        }
        if event.stream != stream.as_str() {
            around.take(event);
        }
    }
    let around = LogAround::of(before, &around);
    let case = Case { tournament: before, rulebook, around: &around };
    Ok(judge(&case, &When { seq, at, recorded_at, imported }, event))
}

/// What corrections take back, by the names of the games.
type TakenBack = BTreeMap<String, Vec<Retraction>>;

/// The events of other streams that count.
fn elsewhere(
    source: &Source<'_>,
    own: &StreamName,
    named: &Named,
) -> Result<(Vec<Kept>, TakenBack), ReplayError> {
    let (mut events, mut taken_back) = (Vec::new(), TakenBack::new());
    for game in &named.games {
        if let Ok(stream) = format!("game/{game}").parse() {
            let mut gathered = source.gather(&stream)?;
            events.append(&mut gathered.events);
            taken_back.insert(game.clone(), gathered.taken_back);
        }
    }
    for stream in source.log.streams(Some("tournament"))? {
        if stream.name == *own {
            continue;
        }
        let found = if named.tournaments.contains(stream.name.name()) {
            source.gather(&stream.name)?
        } else {
            source.gather_bans(&stream.name)?
        };
        events.extend(found.events);
    }
    Ok((events, taken_back))
}

/// One event held against the rulebook, on the tournament before it.
fn audited(
    event: &Kept,
    imported: bool,
    before: &Tournament,
    around: &SoFar,
    readings: &[(String, String)],
) -> Result<AuditedEvent, TournamentAuditError> {
    let mut audited = AuditedEvent {
        seq: event.seq,
        event_type: event.event_type.clone(),
        at: event.effective_at,
        recorded_at: event.recorded_at,
        corrected_by: event.corrected_by,
        imported,
        verdicts: Vec::new(),
        findings: Vec::new(),
    };
    let standing = event.standing();
    // What cannot be read is a finding of the fold.
    let Ok(Event::Tournament(what)) = standing.decode().map(|entry| entry.event) else { return Ok(audited) };
    let announcing = match (&before.announced, &*what) {
        (None, TournamentEvent::Announced(announced)) => {
            Some(Tournament { announced: Some(announced.clone()), ..Tournament::default() })
        }
        (None, _) => return Ok(audited),
        _ => None,
    };
    let rulebook = read_as(announcing.as_ref().unwrap_or(before), readings)?;
    let when = When { seq: event.seq, at: event.effective_at, recorded_at: event.said_at, imported };
    let around = LogAround::of(before, around);
    audited.verdicts =
        judge(&Case { tournament: before, rulebook: &rulebook, around: &around }, &when, &what);
    Ok(audited)
}

/// The rulebook in force, with other readings put in the place of its own.
fn read_as(tournament: &Tournament, readings: &[(String, String)]) -> Result<Rulebook, TournamentAuditError> {
    let mut rulebook = match rulebook_in_force(tournament)? {
        Some(rulebook) => rulebook,
        None => {
            let name = tournament.announced.as_ref().map_or("", |announced| announced.rulebook.as_str());
            Rulebook::named(name)?
        }
    };
    for (number, value) in readings {
        rulebook.read(number, value)?;
    }
    Ok(rulebook)
}

/// What is left when the pass is over.
struct Report<'a> {
    stream: &'a StreamName,
    cut: &'a Cut,
    source: Source<'a>,
    recorded: Vec<RawEnvelope>,
    own: Vec<Finding>,
    imports: Vec<(u64, u64)>,
    events: Vec<AuditedEvent>,
    late: Vec<LateEntry>,
    around: SoFar,
    replay: TournamentReplay,
    readings: &'a [(String, String)],
}

fn report(mut found: Report<'_>) -> Result<TournamentAudit, TournamentAuditError> {
    let tournament = &found.replay.tournament;
    let Some(announced) = &tournament.announced else {
        return Err(TournamentAuditError::NotAnnounced { stream: found.stream.clone() });
    };
    let rulebook = read_as(tournament, found.readings)?;
    let frozen = frozen_corrections(&found, &rulebook);
    let mut games = Vec::new();
    for (game, folded) in &found.around.games {
        let Ok(stream) = format!("game/{game}").parse::<StreamName>() else { continue };
        let findings = folded.replay().findings().iter().cloned();
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
    found.events.extend(frozen);
    found.events.sort_by_key(|event| event.seq);
    let mut audit = TournamentAudit {
        stream: found.stream.clone(),
        name: announced.name.clone(),
        rulebook: rulebook.name.to_owned(),
        edition: rulebook.edition,
        title: rulebook.title.to_owned(),
        readings: rulebook
            .ambiguous
            .iter()
            .filter_map(|number| Some(((*number).to_owned(), rulebook.readings.get(number)?.to_owned())))
            .collect(),
        cut: *found.cut,
        up_to: found.source.up_to,
        counts: AuditCounts { games: found.around.games.len() as u64, ..AuditCounts::default() },
        events: found.events,
        findings: found.own,
        games,
        late: found.late,
        standings: ranking.unwrap_or_default().into_iter().map(line).collect(),
        places: places.unwrap_or_default().placings,
        undecided,
    };
    audit.count();
    Ok(audit)
}

/// The corrections that change what was frozen when they were made, with what the rules say of them.
fn frozen_corrections(found: &Report<'_>, rulebook: &Rulebook) -> Vec<AuditedEvent> {
    let mut corrections: Vec<AuditedEvent> = Vec::new();
    for verdict in changing_what_is_frozen(found.recorded.iter(), rulebook) {
        let Some(event) = found.recorded.iter().find(|event| event.seq == verdict.seq) else { continue };
        if found.cut.has_happened(event.effective_at) {
            corrections.push(AuditedEvent {
                seq: event.seq,
                event_type: event.event_type.clone(),
                at: event.effective_at,
                recorded_at: event.recorded_at,
                corrected_by: None,
                imported: came_in_by(&found.imports, event.seq),
                verdicts: vec![verdict],
                findings: Vec::new(),
            });
        }
    }
    corrections
}

/// Whether an event came in by an import.
fn came_in_by(imports: &[(u64, u64)], seq: u64) -> bool {
    imports.iter().any(|(first, last)| (*first..=*last).contains(&seq))
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
