//! The rulebook at the desk: every event of a tournament whose rulebook is known is held against it, and refused with
//! the rule where it departs. A tournament under other rules is recorded as it is told.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

use annals_events::log::{Change, Correction};
use annals_events::{
    Entry, GameEvent, GameId, Micros, PairingId, RawEnvelope, StreamName, TournamentEvent, TournamentId,
};
use annals_rules::Retraction;
use annals_store::Log;
use annals_tournaments::Tournament;
use annals_tournaments::check::{Case, When, judge, judge_retraction};
use annals_tournaments::context::StandingBan;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::{Holds, Verdict};

use super::correct::standing_events;
use super::decide::Desk;
use super::draft::Draft;
use super::known::{Known, State};
use super::refusal::Reason;
use crate::around::{BanTalk, LogAround, Surroundings, rulebook_in_force, standing_bans};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::facts::{FoldedGame, Games};
use crate::projection::{Projection, Replayed, fold};
use crate::recorded::Scope;
use crate::taken_back;
use crate::tournament::TournamentReplay;
use crate::tournament_audit::{TournamentAuditError, audit_with, changing_what_is_frozen};

/// The log as a desk knows it, and what of it was asked for.
struct AtDesk<'a> {
    log: &'a Log,
    up_to: u64,
    known: &'a HashMap<String, Known>,
    used: RefCell<BTreeSet<StreamName>>,
    all_tournaments: Cell<bool>,
    error: RefCell<Option<ReplayError>>,
}

impl AtDesk<'_> {
    /// The state of a stream: what the desk has taken a moment ago counts.
    fn folded<P: Projection>(&self, stream: StreamName) -> Option<P> {
        let state = match self.known.get(stream.as_str()) {
            Some(known) => fold(known.events.as_slice(), None).map_err(ReplayError::from),
            None => Replayed::<P>::rebuild(self.log, Scope::Stream(stream.clone()), &Cut::at_seq(self.up_to))
                .map(|replayed| (replayed.folded(), replayed.into_state()))
                .map(|(folded, state)| (state, folded)),
        };
        self.used.borrow_mut().insert(stream);
        match state {
            Ok((state, folded)) => (folded > 0).then_some(state),
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error);
                None
            }
        }
    }

    fn all_bans(&self) -> Result<Vec<StandingBan>, ReplayError> {
        let mut said = Vec::new();
        for stream in self.log.streams(Some("tournament"))? {
            if !self.known.contains_key(stream.name.as_str()) {
                let of = Scope::Stream(stream.name);
                let talk = Replayed::<BanTalk>::rebuild(self.log, of, &Cut::at_seq(self.up_to))?;
                said.extend(talk.into_state().into_said());
            }
        }
        for (name, known) in self.known {
            if name.starts_with("tournament/") {
                said.extend(fold::<BanTalk>(known.events.as_slice(), None)?.0.into_said());
            }
        }
        Ok(standing_bans(said))
    }
}

impl Games for AtDesk<'_> {
    fn show(&self, game: &GameId, to: &mut dyn FnMut(&FoldedGame)) -> bool {
        let stream = format!("game/{game}").parse().ok();
        match stream.and_then(|stream| self.folded::<FoldedGame>(stream)) {
            Some(folded) => {
                to(&folded);
                true
            }
            None => false,
        }
    }
}

impl Surroundings for AtDesk<'_> {
    fn bans(&self) -> Vec<StandingBan> {
        self.all_tournaments.set(true);
        self.all_bans().unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            Vec::new()
        })
    }

    fn tournament(&self, name: &TournamentId) -> Option<Tournament> {
        let stream = format!("tournament/{name}").parse().ok()?;
        self.folded::<TournamentReplay>(stream).map(|replay| replay.tournament)
    }
}

impl Desk<'_> {
    /// The tournament of a stream as it stands now.
    pub(super) fn tournament(&mut self, stream: &StreamName) -> Result<Tournament, ReplayError> {
        let key = self.load(stream)?;
        Ok(match self.known(&key).map(|known| &known.state) {
            Some(State::Tournament(replay)) => replay.tournament.clone(),
            _ => Tournament::default(),
        })
    }

    /// The place in the log and the times that an event would have.
    pub(super) fn when(&self, at: Micros) -> When {
        When { seq: self.next_seq, at, recorded_at: self.recorded_now(), imported: false }
    }

    /// Puts a question about a tournament to its rulebook. What the answer looked at has to be found unchanged when
    /// something is appended on the strength of it.
    pub(super) fn ask<T>(
        &mut self,
        tournament: &Tournament,
        rulebook: &Rulebook,
        question: impl FnOnce(&Case<'_>) -> T,
    ) -> Result<T, ReplayError> {
        let desk = AtDesk {
            log: self.log,
            up_to: self.up_to,
            known: &self.known,
            used: RefCell::default(),
            all_tournaments: Cell::new(false),
            error: RefCell::default(),
        };
        let around = LogAround::of(tournament, &desk);
        let answer = question(&Case { tournament, rulebook, around: &around });
        drop(around);
        let AtDesk { used, all_tournaments, error, .. } = desk;
        for stream in used.into_inner() {
            self.causes.rest_on(&stream);
        }
        if all_tournaments.get()
            && let Ok(any) = "tournament/any".parse()
        {
            self.causes.rest_on_family(&any);
        }
        match error.into_inner() {
            Some(error) => Err(error),
            None => Ok(answer),
        }
    }

    /// Holds an event against the rulebook of its tournament, as things stand before it; the first departure is the
    /// reason not to take it.
    pub(super) fn against_the_rules(
        &mut self,
        stream: &StreamName,
        at: Micros,
        event: &TournamentEvent,
    ) -> Result<Option<Reason>, ReplayError> {
        let tournament = self.tournament(stream)?;
        let announced = match (&tournament.announced, event) {
            (None, TournamentEvent::Announced(announced)) => {
                Some(Tournament { announced: Some(announced.clone()), ..Tournament::default() })
            }
            _ => None,
        };
        let rulebook = match rulebook_in_force(announced.as_ref().unwrap_or(&tournament)) {
            Ok(Some(rulebook)) => rulebook,
            Ok(None) => return Ok(None),
            Err(error) if announced.is_some() => {
                let message = error.to_string();
                return Ok(Some(Reason::Illegal { code: "rulebook".to_owned(), message }));
            }
            // An import brought it in: there is nothing by which it could be judged.
            Err(_) => return Ok(None),
        };
        let when = self.when(at);
        let verdicts = self.ask(&tournament, &rulebook, |case| judge(case, &when, event))?;
        Ok(verdicts.iter().find_map(departure))
    }
}

impl Desk<'_> {
    /// Holds moves that an event takes back against the rulebook of the tournament that the game belongs to.
    pub(super) fn taking_back_against_the_rules(
        &mut self,
        draft: &Draft,
        event: &GameEvent<'_>,
    ) -> Result<Option<Reason>, ReplayError> {
        let key = self.load(&draft.stream)?;
        let plies = match self.known(&key).map(|known| &known.state) {
            Some(State::Game(replay, _)) => replay.game().plies().len(),
            _ => 0,
        };
        match taken_back::by_event(event, plies) {
            Some((_, reason)) => self.who_takes_back(draft, reason.map(str::to_owned)),
            None => Ok(None),
        }
    }

    /// Holds a move that a correction takes back against the same rulebook.
    pub(super) fn correction_takes_back(
        &mut self,
        draft: &Draft,
        correction: &Correction,
    ) -> Result<Option<Reason>, ReplayError> {
        if draft.stream.family() != "game" {
            return Ok(None);
        }
        let key = self.load(&draft.stream)?;
        let events = self.known(&key).map_or(&[][..], |known| known.events.as_slice());
        let is_it = |event: &&RawEnvelope| event.seq == correction.corrects;
        let standing = standing_events(events);
        let Some(target) = standing.iter().find(is_it).or_else(|| events.iter().find(is_it)) else {
            return Ok(None);
        };
        let now = match &correction.change {
            Change::Strike => None,
            Change::Replace { payload, schema, .. } => {
                match Entry::from_payload(&target.event_type, *schema, payload.as_str()) {
                    Ok(entry) => Some(entry.event),
                    // What cannot be read is refused as that.
                    Err(_) => return Ok(None),
                }
            }
        };
        let takes = target.decode().is_ok_and(|event| taken_back::by_change(&event, now.as_ref()));
        if takes { self.who_takes_back(draft, Some(correction.reason.clone())) } else { Ok(None) }
    }

    /// Holds the word on which a move is taken back against the rulebook of the tournament that the game belongs to, where it
    /// does.
    fn who_takes_back(
        &mut self,
        draft: &Draft,
        reason: Option<String>,
    ) -> Result<Option<Reason>, ReplayError> {
        let stream = &draft.stream;
        let key = self.load(stream)?;
        let of = match self.known(&key).map(|known| &known.state) {
            Some(State::Game(replay, _)) => replay.started().and_then(|started| started.pairing.clone()),
            _ => None,
        };
        let of = of.and_then(|of| of.parse::<PairingId>().ok());
        let (Some(of), Ok(game)) = (of, stream.name().parse::<GameId>()) else { return Ok(None) };
        let Ok(of) = format!("tournament/{}", of.tournament).parse::<StreamName>() else { return Ok(None) };
        let tournament = self.tournament(&of)?;
        // By rules that this program does not know nothing is judged.
        let Ok(Some(rulebook)) = rulebook_in_force(&tournament) else { return Ok(None) };
        let retraction = Retraction {
            seq: self.next_seq,
            by: draft.actor.as_ref().unwrap_or(&self.actor).clone(),
            reason,
        };
        let when = self.when(draft.effective_at);
        let judged = |case: &Case<'_>| judge_retraction(case, &when, &game, &retraction);
        let verdicts = self.ask(&tournament, &rulebook, judged)?;
        Ok(verdicts.iter().find_map(departure))
    }

    /// Whether a correction would change something of a round when a later one has begun.
    pub(super) fn correction_of_what_is_frozen(
        &mut self,
        stream: &StreamName,
        envelope: &RawEnvelope,
    ) -> Result<Option<Reason>, ReplayError> {
        if stream.family() != "tournament" {
            return Ok(None);
        }
        // By rules that this program does not know nothing is judged.
        let Ok(Some(rulebook)) = rulebook_in_force(&self.tournament(stream)?) else { return Ok(None) };
        let key = self.load(stream)?;
        let events = self.known(&key).map_or(&[][..], |known| known.events.as_slice());
        let verdicts = changing_what_is_frozen(events.iter().chain([envelope]), &rulebook);
        Ok(verdicts.iter().filter(|verdict| verdict.seq == envelope.seq).find_map(departure))
    }

    /// Whether a corrected event would depart from a rule from which it did not depart before: a correction puts the
    /// record right, and is no way around the rulebook. What it means for later events is for the audit to say.
    pub(super) fn correction_departs(
        &self,
        stream: &StreamName,
        correction: &Correction,
        envelope: &RawEnvelope,
    ) -> Result<Option<Reason>, ReplayError> {
        if stream.family() != "tournament" || matches!(correction.change, Change::Strike) {
            return Ok(None);
        }
        let cut = Cut::at_seq(self.up_to);
        let mut extra = self.taken().to_vec();
        let before = audit_with(self.log, stream, &cut, &extra, &[]);
        // It says now what it says.
        let recorded_at = self.recorded_now();
        extra.push(RawEnvelope { recorded_at, ..envelope.clone() });
        let after = audit_with(self.log, stream, &cut, &extra, &[]);
        let (before, after) = match (before, after) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(TournamentAuditError::Replay(error)), _) | (_, Err(TournamentAuditError::Replay(error))) => {
                return Err(error);
            }
            // By rules that this program does not know nothing is judged.
            (Err(_), _) => return Ok(None),
            (Ok(_), Err(error)) => {
                let message = format!("as corrected it could not be judged any more: {error}");
                return Ok(Some(Reason::Illegal { code: "rulebook".to_owned(), message }));
            }
        };
        let stood = |rule: &str| {
            before.departures().any(|old| old.seq == correction.corrects && old.rule.id.name() == rule)
        };
        let mut new = after.departures().filter(|found| found.seq == correction.corrects);
        Ok(new.find(|found| !stood(found.rule.id.name())).and_then(departure))
    }
}

/// A departure as the reason why an event is not taken.
pub(super) fn departure(verdict: &Verdict) -> Option<Reason> {
    let Holds::Departs { expected, found } = &verdict.holds else { return None };
    let rule = &verdict.rule;
    let says = rule.says.trim_end_matches('.');
    let message =
        format!("{}: expected {expected}; found: {found} ({}: {says})", verdict.subject, rule.paragraph);
    Some(Reason::Illegal { code: rule.id.name().to_owned(), message })
}
