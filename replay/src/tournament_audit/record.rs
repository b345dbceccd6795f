//! All events that a tournament depends on, in log order: its stream, its games, bans of other tournaments, and
//! tournaments that it names. A [`Walk`] visits each event with the state before it.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::{
    Event, Family, GameId, LOG_STREAM, LogEvent, Micros, RawEnvelope, StreamName, Subject, TournamentEvent,
    TournamentId, each_named,
};
use annals_store::Log;
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, InPlay, JudgingContext, check, check_in_play};
use annals_tournaments::context::StandingBan;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::Verdict;

use super::error::TournamentAuditError;
use crate::context::{ContextSource, LogContext, StandingBans, rulebook_in_force, ruled_by};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::facts::{FoldedGame, Games};
use crate::projection::{Growing, Projection};
use crate::read::of_family;
use crate::recorded::reference;
use crate::timeline::{CORRECTION, Corrections};
use crate::tournament::TournamentReplay;

/// As recorded.
pub(crate) struct Record<'a> {
    pub stream: &'a StreamName,
    pub cut: Cut,
    pub up_to: u64,
    /// In log order.
    pub events: Vec<RawEnvelope>,
    named: BTreeSet<String>,
    /// Ranges of the log from imports.
    imports: Vec<(u64, u64)>,
}

impl<'a> Record<'a> {
    /// At a cut.
    pub fn read(log: &Log, stream: &'a StreamName, cut: &Cut) -> Result<Record<'a>, ReplayError> {
        of_family(stream, Family::Tournament)?;
        Record::of(log, stream, cut, log.stream(stream, cut.last_seq(log)?)?, &[])
    }

    /// A tournament's events with what they depend on at a cut, and further events after the prefix.
    pub fn of(
        log: &Log,
        stream: &'a StreamName,
        cut: &Cut,
        mut events: Vec<RawEnvelope>,
        extra: &[RawEnvelope],
    ) -> Result<Record<'a>, ReplayError> {
        let up_to = cut.last_seq(log)?;
        let (games, mut named) = names(stream, &events);
        let more = |stream: &StreamName| {
            let stream = stream.clone();
            extra.iter().filter(move |event| event.stream == stream).cloned()
        };
        for game in games {
            if let Ok(game) = format!("game/{game}").parse() {
                events.extend(log.stream(&game, up_to)?);
                events.extend(more(&game));
            }
        }
        let streams = log.streams(Some("tournament"))?.into_iter().map(|other| other.name);
        let (mut waiting, mut read): (Vec<StreamName>, _) =
            (streams.filter(|other| other != stream).collect(), true);
        // A named tournament may name an earlier one.
        while std::mem::take(&mut read) {
            for other in std::mem::take(&mut waiting) {
                if !named.contains(other.name()) {
                    waiting.push(other);
                    continue;
                }
                let mut own = log.stream(&other, up_to)?;
                own.extend(more(&other));
                named.extend(names(&other, &own).1);
                events.extend(own);
                read = true;
            }
        }
        for other in waiting {
            events.extend(StandingBans::events(log, &other, up_to)?);
            events.extend(more(&other).filter(|event| StandingBans::rest_on(&event.event_type)));
        }
        events.sort_by_key(|event| event.seq);
        let imports = imports(log, up_to)?;
        Ok(Record { stream, cut: *cut, up_to, events, named, imports })
    }

    /// The cut's time: `as_of`, else `known_at`, else the last recording.
    pub fn now(&self) -> Micros {
        let last = self.events.iter().map(|event| event.recorded_at).max();
        self.cut.as_of.or(self.cut.known_at).or(last).unwrap_or(Micros::MAX)
    }

    /// Of the tournament itself.
    pub fn own(&self) -> impl Iterator<Item = &RawEnvelope> {
        self.events.iter().filter(|event| event.stream == *self.stream)
    }

    pub fn event(&self, seq: u64) -> Option<&RawEnvelope> {
        self.events.get(self.events.binary_search_by_key(&seq, |event| event.seq).ok()?)
    }

    pub fn is_imported(&self, seq: u64) -> bool {
        self.imports.iter().any(|(first, last)| (*first..=*last).contains(&seq))
    }

    /// A walk with the corrections up to `known_by` from the beginning, and later ones from their recording.
    pub fn walk<P: TournamentState>(&self, known_by: u64) -> Walk<'_, P> {
        let known = self.known_by(known_by);
        Walk {
            record: self,
            next: 0,
            tournament: Growing::knowing(self.cut, known.clone()),
            others: Others {
                games: BTreeMap::new(),
                bans: Growing::knowing(self.cut.elsewhere(), known.clone()),
                tournaments: BTreeMap::new(),
            },
            known,
        }
    }

    /// Corrections recorded up to an event.
    pub fn known_by(&self, seq: u64) -> (Corrections, u64) {
        (Corrections::of(self.events.iter().filter(|event| event.seq <= seq)), seq)
    }
}

/// Games and tournaments named by events, as recorded or corrected.
fn names(stream: &StreamName, events: &[RawEnvelope]) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut games, mut tournaments) = (BTreeSet::new(), BTreeSet::new());
    let corrections = Corrections::of(events);
    let mut note = |event: &RawEnvelope| {
        let Ok(event) = event.decode() else { return };
        each_named(stream, &event, |subject| match subject {
            Subject::Game(name) => {
                games.insert(name.into_owned());
            }
            Subject::Tournament(name) if name != stream.name() => {
                tournaments.insert(name.into_owned());
            }
            _ => {}
        });
        if let Event::Tournament(event) = &event
            && let TournamentEvent::Announced(announced) = &**event
        {
            tournaments.extend(announced.previous.clone());
        }
    };
    for event in events {
        note(event);
        if corrections.corrected(&reference(event)).is_some()
            && let Some(event) = corrections.effective(event)
        {
            note(&event);
        }
    }
    (games, tournaments)
}

/// Ranges of the log from imports.
fn imports(log: &Log, up_to: u64) -> Result<Vec<(u64, u64)>, ReplayError> {
    let Ok(stream) = LOG_STREAM.parse() else { return Ok(Vec::new()) };
    let range = |event: &RawEnvelope| match event.decode() {
        Ok(Event::Log(LogEvent::Imported(imported))) => Some((imported.first_seq?, imported.last_seq?)),
        _ => None,
    };
    Ok(log.stream(&stream, up_to)?.iter().filter_map(range).collect())
}

/// A fold with a tournament's state.
pub(crate) trait TournamentState: Projection {
    fn tournament(&self) -> Option<&Tournament>;
}

impl TournamentState for TournamentReplay {
    fn tournament(&self) -> Option<&Tournament> {
        Some(&self.tournament)
    }
}

/// A walk through a record: the state before the next event, with the corrections recorded in the prefix.
pub(crate) struct Walk<'a, P = TournamentReplay> {
    record: &'a Record<'a>,
    next: usize,
    pub tournament: Growing<P>,
    pub others: Others,
    known: (Corrections, u64),
}

/// The context besides the tournament.
pub(crate) struct Others {
    pub games: BTreeMap<GameId, Growing<FoldedGame>>,
    bans: Growing<StandingBans>,
    tournaments: BTreeMap<TournamentId, Growing<TournamentReplay>>,
}

impl<'a, P: TournamentState> Walk<'a, P> {
    pub fn next(&self) -> Option<&'a RawEnvelope> {
        self.record.events.get(self.next)
    }

    pub fn step(&mut self) {
        let Some(event) = self.next() else { return };
        self.next += 1;
        let Others { games, bans, tournaments } = &mut self.others;
        if StandingBans::rest_on(&event.event_type) && event.stream.family() == "tournament" {
            bans.push(event.clone());
        }
        let new = (self.record.cut.elsewhere(), &self.known);
        let name = event.stream.name();
        if event.stream == *self.record.stream {
            self.tournament.push(event.clone());
        } else if let ("game", Ok(game)) = (event.stream.family(), name.parse()) {
            let game = games.entry(game).or_insert_with(|| Growing::knowing(new.0, new.1.clone()));
            game.push(event.clone());
        } else if let (true, Ok(other)) = (self.record.named.contains(name), name.parse()) {
            let other = tournaments.entry(other).or_insert_with(|| Growing::knowing(new.0, new.1.clone()));
            other.push(event.clone());
        }
    }

    /// Advances to the event at a position, or the next after it.
    pub fn go_to(&mut self, seq: u64) {
        while self.next().is_some_and(|event| event.seq < seq) {
            self.step();
        }
    }

    pub fn into_tournament(mut self) -> Growing<P> {
        let left = self.record.events[self.next..].iter().filter(|event| event.stream == *self.record.stream);
        left.for_each(|event| self.tournament.push(event.clone()));
        self.tournament
    }

    /// The verdicts on an event, on the state before it; none before the announcement.
    pub fn check(
        &self,
        event: &TournamentEvent,
        (seq, at, said_at): (u64, Micros, Micros),
        readings: &[(String, String)],
    ) -> Result<Vec<Verdict>, TournamentAuditError> {
        let unknown = Tournament::default();
        let before = self.tournament.state().tournament().unwrap_or(&unknown);
        let Some(by) = ruled_by(before, event) else { return Ok(Vec::new()) };
        let rulebook = read_as(&by, readings)?;
        let when = EventMeta { seq, at, recorded_at: said_at, imported: self.record.is_imported(seq) };
        let past = |seq| self.tournament.before(seq).and_then(|replay| replay.tournament().cloned());
        let context = LogContext::of(before, &self.others, &past);
        Ok(check(&JudgingContext::new(before, &rulebook, &context), &when, event))
    }

    /// The verdicts on moves taken back in games whose pairings have no result. A result is checked with its game.
    pub fn taken_back(&self, readings: &[(String, String)]) -> Result<Vec<Verdict>, TournamentAuditError> {
        let mut verdicts = Vec::new();
        let tournament = self.tournament.state().tournament();
        let Some(tournament) = tournament.filter(|tournament| tournament.announced.is_some()) else {
            return Ok(verdicts);
        };
        let rulebook = read_as(tournament, readings)?;
        let past = |seq| self.tournament.before(seq).and_then(|replay| replay.tournament().cloned());
        let context = LogContext::of(tournament, &self.others, &past);
        let case = JudgingContext::new(tournament, &rulebook, &context);
        for (game, folded) in &self.others.games {
            let replay = folded.state().replay();
            let board = replay.pairing().and_then(|of| tournament.board(of.pairing));
            if board.is_none_or(|board| board.outcome().is_some()) {
                continue;
            }
            for retraction in folded.state().facts().retractions {
                let seq = retraction.seq;
                let Some(event) = self.record.event(seq) else { continue };
                let (at, recorded_at) = (event.effective_at, event.recorded_at);
                let when = EventMeta { seq, at, recorded_at, imported: self.record.is_imported(seq) };
                verdicts.extend(check_in_play(&case, &when, game, &InPlay::TakenBack(&retraction)));
            }
        }
        Ok(verdicts)
    }
}

impl Games for Others {
    fn folded(&self, game: &GameId) -> Option<&FoldedGame> {
        self.games.get(game).filter(|game| game.folded() > 0).map(Growing::state)
    }
}

impl ContextSource for Others {
    fn bans(&self) -> &[StandingBan] {
        &self.bans.state().0
    }

    fn tournament(&self, name: &TournamentId) -> Option<&Tournament> {
        let replay = self.tournaments.get(name).filter(|replay| replay.folded() > 0)?;
        Some(&replay.state().tournament)
    }
}

/// The events between the corrected one and its correction.
pub(super) struct Reach {
    pub corrects: u64,
    pub seq: u64,
}

impl Reach {
    /// None for other events, and for corrections without an earlier event.
    pub fn of(event: &RawEnvelope) -> Option<Reach> {
        match (event.event_type == CORRECTION).then(|| event.decode()) {
            Some(Ok(Event::Log(LogEvent::Correction(said)))) if said.corrects < event.seq => {
                Some(Reach { corrects: said.corrects, seq: event.seq })
            }
            _ => None,
        }
    }

    /// Those of `events` between the corrected one and the correction.
    pub fn reached(&self, events: &BTreeSet<u64>) -> BTreeSet<u64> {
        events.range(self.corrects + 1..self.seq).copied().collect()
    }

    /// Those that any correction reaches.
    pub fn any(all: &[Reach], events: impl Iterator<Item = u64>) -> BTreeSet<u64> {
        let reaches = |seq: u64| all.iter().any(|by| by.corrects < seq && seq < by.seq);
        events.filter(|seq| reaches(*seq)).collect()
    }
}

/// The rulebook in force with other readings, and with the rules that they belong to.
pub(crate) fn read_as(
    tournament: &Tournament,
    readings: &[(String, String)],
) -> Result<Rulebook, TournamentAuditError> {
    let mut rulebook = match rulebook_in_force(tournament)? {
        Some(rulebook) => rulebook,
        None => {
            let name = tournament.announced.as_ref().map_or("", |announced| announced.rulebook.as_str());
            Rulebook::named(name)?
        }
    };
    for (number, value) in readings {
        rulebook.choose_with_its_rule(number, value)?;
    }
    Ok(rulebook)
}
