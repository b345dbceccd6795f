//! The rulebook in the handler: every event of a tournament with a known rulebook is compared with it, and refused with
//! the rule that it violates. A tournament with an unknown rulebook is recorded unchecked.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use annals_events::{GameEvent, GameId, Micros, StreamName, TournamentEvent, TournamentId};
use annals_rules::game::LimitFault;
use annals_rules::{GameViolation, Retraction, TakenBackBy};
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, InPlay, JudgingContext, check, check_in_play};
use annals_tournaments::context::StandingBan;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::Verdict;

use super::draft::Draft;
use super::handler_state::{Handler, key_of};
use super::known::{self, Known};
use super::refusal::{Checked, Reason, Stop};
use crate::context::{ContextSource, LogContext, StandingBans, rulebook_in_force, ruled_by};
use crate::error::ReplayError;
use crate::facts::{FoldedGame, Games};
use crate::game::GameReplay;
use crate::projection::Growing;
use crate::taken_back;
use crate::tournament_audit::TournamentState as _;

/// The log as read by a handler, with the streams that a check used.
struct Asked<'a> {
    handler: &'a Handler<'a>,
    used: RefCell<BTreeSet<StreamName>>,
    all_tournaments: Cell<bool>,
    error: RefCell<Option<ReplayError>>,
}

impl<'a> Asked<'a> {
    /// A stream, read at its first use; none if it has no event.
    fn known(&self, stream: StreamName) -> Option<&'a Known> {
        let Handler { log, up_to, streams, .. } = self.handler;
        let known = streams.find(&key_of(&stream), || known::read(log, *up_to, &stream));
        self.used.borrow_mut().insert(stream);
        self.kept(known.map_err(ReplayError::from)).filter(|known| known.folded() > 0)
    }

    fn kept<T>(&self, found: Result<T, ReplayError>) -> Option<T> {
        found
            .map_err(|error| {
                self.error.borrow_mut().get_or_insert(error);
            })
            .ok()
    }

    /// Every ban, read from all tournaments at the first use.
    fn all_bans(&self) -> Result<&'a [StandingBan], ReplayError> {
        let Handler { log, up_to, bans, .. } = self.handler;
        if bans.get().is_none() {
            let mut events = Vec::new();
            for stream in log.streams(Some("tournament"))? {
                events.extend(StandingBans::events(log, &stream.name, *up_to)?);
            }
            events.sort_by_key(|event| event.seq);
            let accepted = self.handler.accepted().iter().map(|accepted| &accepted.envelope);
            events.extend(accepted.filter(|event| StandingBans::rest_on(&event.event_type)).cloned());
            let _ = bans.set(Growing::of(events));
        }
        Ok(bans.get().map_or(&[], |bans| &bans.state().0))
    }
}

impl Games for Asked<'_> {
    fn folded(&self, game: &GameId) -> Option<&FoldedGame> {
        self.known(format!("game/{game}").parse().ok()?)?.state().folded_game()
    }
}

impl ContextSource for Asked<'_> {
    fn bans(&self) -> &[StandingBan] {
        self.all_tournaments.set(true);
        self.kept(self.all_bans()).unwrap_or_default()
    }

    fn tournament(&self, name: &TournamentId) -> Option<&Tournament> {
        let stream = format!("tournament/{name}").parse().ok()?;
        self.known(stream)?.state().tournament()
    }
}

impl Handler<'_> {
    /// The place in the log and the times that an event would have.
    pub(super) fn when(&self, at: Micros) -> EventMeta {
        EventMeta { seq: self.next_seq, at, recorded_at: self.recorded_now(), imported: false }
    }

    /// The present tournament of a stream, if it was read.
    pub(super) fn tournament(&self, stream: &StreamName) -> Option<&Tournament> {
        self.streams.get(&key_of(stream))?.state().tournament()
    }

    /// Evaluates a query on a tournament and its rulebook. The streams that it read must be unchanged when
    /// events that depend on the answer are appended.
    pub(super) fn ask<T>(
        &mut self,
        stream: &StreamName,
        rulebook: &Rulebook,
        question: impl FnOnce(&JudgingContext<'_>) -> T,
    ) -> Result<T, ReplayError> {
        let empty = Tournament::default();
        let tournament = self.tournament(stream).unwrap_or(&empty);
        let asked = Asked {
            handler: self,
            used: RefCell::default(),
            all_tournaments: Cell::new(false),
            error: RefCell::default(),
        };
        let known = self.streams.get(&key_of(stream));
        let past = |seq| known?.before(seq)?.tournament().cloned();
        let context = LogContext::of(tournament, &asked, &past);
        let proposed = self.proposed.as_ref().filter(|(seq, _)| *seq == self.next_seq);
        let proposal = proposed.map(|(_, proposal)| proposal);
        let answer =
            question(&JudgingContext { proposal, ..JudgingContext::new(tournament, rulebook, &context) });
        drop(context);
        let Asked { used, all_tournaments, error, .. } = asked;
        for stream in used.into_inner() {
            self.dependencies.rest_on(&stream);
        }
        if all_tournaments.get()
            && let Ok(any) = "tournament/any".parse()
        {
            self.dependencies.rest_on_family(&any);
        }
        match error.into_inner() {
            Some(error) => Err(error),
            None => Ok(answer),
        }
    }

    /// Checks an event against the rulebook of its tournament, on the state before it. The stream was read before.
    pub(super) fn against_the_rules(
        &mut self,
        stream: &StreamName,
        at: Micros,
        event: &TournamentEvent,
    ) -> Result<Checked, ReplayError> {
        let empty = Tournament::default();
        let before = self.tournament(stream).unwrap_or(&empty);
        let rulebook = ruled_by(before, event).map_or(Ok(None), |by| rulebook_in_force(&by));
        let rulebook = match rulebook {
            Ok(Some(rulebook)) => rulebook,
            Err(error) if before.announced.is_none() => {
                let message = error.to_string();
                return Ok(Err(Reason::Illegal { code: "rulebook".to_owned(), message }.into()));
            }
            // Nothing is checked with an unknown rulebook, or with the invalid one of an import.
            Ok(None) | Err(_) => return Ok(Ok(Vec::new())),
        };
        let when = self.when(at);
        self.count_check();
        self.ask(stream, &rulebook, |case| check(case, &when, event)).map(Ok)
    }

    /// Compares an event in a game under way with the rulebook of the game's tournament.
    pub(super) fn in_play(
        &mut self,
        key: &str,
        draft: &Draft,
        event: &GameEvent<'_>,
    ) -> Result<Checked, ReplayError> {
        if let GameEvent::Halted(_) = event {
            return self.by_the_tournament(key, draft, &InPlay::Halted);
        }
        let goes_on = match event {
            GameEvent::TurnTaken(_) | GameEvent::Resumed(_) => Some(InPlay::GoesOn),
            GameEvent::Ended(_) => Some(InPlay::Ends),
            _ => None,
        };
        if let Some(what) = goes_on
            && self.is_out_of_force(key, draft)?
        {
            return self.by_the_tournament(key, draft, &what);
        }
        let game = self.streams.get(&key.to_owned()).and_then(|known| known.state().game());
        let plies = game.map_or(0, |replay| replay.game().plies().len());
        match taken_back::by_event(event, plies) {
            Some((_, reason)) => self.takes_back(key, draft, reason.map(str::to_owned), TakenBackBy::Play),
            None => Ok(Ok(Vec::new())),
        }
    }

    /// Whether a later attempt at the pairing of a game has begun, or a ruling took the game out of force. A change of the tournament
    /// at the same time is not considered.
    fn is_out_of_force(&self, key: &str, draft: &Draft) -> Result<bool, ReplayError> {
        let game = self.streams.get(&key.to_owned()).and_then(|known| known.state().game());
        let Some(of) = game.and_then(GameReplay::pairing) else { return Ok(false) };
        let stream = format!("tournament/{}", of.tournament).parse();
        let (Ok(stream), Ok(game)) = (stream, draft.stream.name().parse::<GameId>()) else {
            return Ok(false);
        };
        let known = self.streams.find(&key_of(&stream), || known::read(self.log, self.up_to, &stream))?;
        let board = known
            .state()
            .tournament()
            .and_then(|tournament| tournament.rounds.get(&of.pairing.round)?.boards.get(&of.pairing.board));
        Ok(board.is_some_and(|board| board.later_attempt(&game).is_some() || board.aside(&game).is_some()))
    }

    /// Checks a retraction of a move.
    pub(super) fn takes_back(
        &mut self,
        key: &str,
        draft: &Draft,
        reason: Option<String>,
        kind: TakenBackBy,
    ) -> Result<Checked, ReplayError> {
        let by = draft.actor.as_ref().unwrap_or(&self.actor).clone();
        let retraction = Retraction { seq: self.next_seq, kind, by, reason };
        self.by_the_tournament(key, draft, &InPlay::TakenBack(&retraction))
    }

    /// Why an event added to a game is invalid, if that depends on a reading: the limit of its length, the unused time
    /// of a setup. The rulebook of its tournament decides; without a tournament, the finding itself. `before` is the number of
    /// findings before the event.
    pub(super) fn as_it_is_read(
        &mut self,
        key: &str,
        draft: &Draft,
        before: usize,
    ) -> Result<Option<Stop>, ReplayError> {
        let game = self.streams.get(&key.to_owned()).and_then(|known| known.state().game());
        let new = game.and_then(|game| Some((game, game.findings().get(before..)?)));
        let fault = new.and_then(|(game, new)| {
            let read = |code| LimitFault::has_code(code) || code == GameViolation::SETUP_TIME_ADDED;
            let fault = new.iter().find(|finding| read(finding.code))?;
            Some((game.pairing().is_none(), fault.code, fault.message.clone()))
        });
        Ok(match fault {
            None => None,
            Some((true, code, message)) => Some(Reason::Illegal { code: code.to_owned(), message }.into()),
            Some((false, code, message)) => {
                let found = self.by_the_tournament(key, draft, &InPlay::Found { code, what: &message })?;
                match found {
                    Ok(verdicts) => verdicts.into_iter().find(Verdict::is_violation).map(Stop::Rule),
                    Err(stop) => Some(stop),
                }
            }
        })
    }

    /// The tournament of a game and its rulebook. None for a game without a tournament, or with an unknown
    /// rulebook.
    pub(super) fn rulebook_of_game(
        &mut self,
        key: &str,
    ) -> Result<Option<(StreamName, Rulebook)>, ReplayError> {
        let game = self.streams.get(&key.to_owned()).and_then(|known| known.state().game());
        let of = game.and_then(GameReplay::pairing).map(|of| format!("tournament/{}", of.tournament).parse());
        let Some(Ok(of)) = of else { return Ok(None) };
        self.load(&of)?;
        let rulebook = self.tournament(&of).and_then(|tournament| rulebook_in_force(tournament).ok()?);
        Ok(rulebook.map(|rulebook| (of, rulebook)))
    }

    fn by_the_tournament(
        &mut self,
        key: &str,
        draft: &Draft,
        what: &InPlay<'_>,
    ) -> Result<Checked, ReplayError> {
        let (Some((of, rulebook)), Ok(game)) =
            (self.rulebook_of_game(key)?, draft.stream.name().parse::<GameId>())
        else {
            return Ok(Ok(Vec::new()));
        };
        let when = self.when(draft.effective_at);
        self.count_check();
        self.ask(&of, &rulebook, |case| check_in_play(case, &when, &game, what)).map(Ok)
    }
}
