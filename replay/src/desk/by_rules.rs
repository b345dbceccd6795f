//! The rulebook at the desk: every event of a tournament whose rulebook is known is held against it, and refused with
//! the rule where it departs. A tournament under other rules is recorded as it is told.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

use annals_events::{GameId, Micros, StreamName, TournamentEvent, TournamentId};
use annals_store::Log;
use annals_tournaments::Tournament;
use annals_tournaments::around::StandingBan;
use annals_tournaments::judge::{Case, When, judge};
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::{Holds, Verdict};

use super::decide::Desk;
use super::known::{Known, State};
use super::refusal::Reason;
use crate::around::{BanTalk, LogAround, Surroundings, rulebook_in_force, standing_bans};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::facts::{FoldedGame, Games};
use crate::projection::{Projection, Replayed, fold};
use crate::recorded::Scope;
use crate::tournament::TournamentReplay;

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
        When { seq: self.next_seq, at, recorded_at: self.now.unwrap_or(self.recorded_at), imported: false }
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

/// A departure as the reason why an event is not taken.
pub(super) fn departure(verdict: &Verdict) -> Option<Reason> {
    let Holds::Departs { expected, found } = &verdict.holds else { return None };
    let rule = &verdict.rule;
    let says = rule.says.trim_end_matches('.');
    let message =
        format!("{}: expected {expected}; found: {found} ({}: {says})", verdict.subject, rule.paragraph);
    Some(Reason::Illegal { code: rule.name.to_owned(), message })
}
