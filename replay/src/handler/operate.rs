//! A game as an operator enters it, line by line as it is played: moves with the time used, moves taken back, an end
//! that the board does not show, halts, clocks set by hand. A line becomes events of the game; the command handler
//! decides whether they are accepted.

mod line;
mod terms;

use annals_events::canonical::CanonicalError;
use annals_events::narrative;
use annals_events::{
    ClockSet, Ended, GameEvent, GameKind, Halted, Micros, Resumed, Side, StreamName, Termination,
    TurnRetracted, TurnTaken,
};
use annals_rules::game::LimitFault;
use annals_rules::scoring::{Score, Undecidable};
use annals_store::Log;

use super::draft::Draft;
use crate::colours::colour;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::game::GameReplay;
use crate::read::game_at;
pub use line::{OperatorLine, OperatorLineError, Used};
pub(super) use line::{labelled, shown};
pub(super) use terms::Terms;

/// Why a line gives no events of a game.
#[derive(Debug, thiserror::Error)]
pub enum OperateError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error("`{stream}` has not begun: its first event is not its start")]
    NotBegun { stream: StreamName },
    #[error("`{found}` is labelled as another {what} than {expected}, which is next")]
    Label { found: String, what: &'static str, expected: String },
    #[error("{message} [{code}]")]
    Illegal { code: String, message: String },
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

/// A game as its operator has entered it so far.
#[derive(Debug)]
pub struct Board<'a> {
    stream: &'a StreamName,
    replay: GameReplay,
    terms: Terms,
    drafts: Vec<Draft>,
    at: Micros,
    now: bool,
}

impl<'a> Board<'a> {
    /// The game of the log, with further events that are not in the log. The next events happen `at` a
    /// time, or `now`.
    ///
    /// # Errors
    /// When the log cannot be read or has no such game, or the game has not begun.
    pub fn of(
        log: &Log,
        stream: &'a StreamName,
        on_top: &[Draft],
        (at, now): (Option<Micros>, Micros),
    ) -> Result<Board<'a>, OperateError> {
        let is_new = !on_top.is_empty() && log.stream_info(stream).map_err(ReplayError::from)?.is_none();
        let mut replay = if is_new { GameReplay::default() } else { game_at(log, stream, &Cut::NOW)? };
        for draft in on_top {
            if let Ok(annals_events::Event::Game(event)) = draft.decode().map(|entry| entry.event) {
                replay.apply_event(0, draft.effective_at, &event);
            }
        }
        let terms = Terms::of(log, &replay)?;
        if replay.started().is_none() {
            return Err(OperateError::NotBegun { stream: stream.clone() });
        }
        Ok(Board::on(stream, replay, terms, (at, now)))
    }

    /// A game that has begun.
    pub(super) fn on(
        stream: &'a StreamName,
        replay: GameReplay,
        terms: Terms,
        (at, now): (Option<Micros>, Micros),
    ) -> Board<'a> {
        Board { stream, replay, terms, drafts: Vec::new(), at: at.unwrap_or(now), now: at.is_none() }
    }

    /// The events entered since.
    pub(super) fn drafts(&self) -> &[Draft] {
        &self.drafts
    }

    /// The present game, with the events of the last line.
    pub fn replay(&self) -> &GameReplay {
        &self.replay
    }

    /// Seconds that the side to move has used so far, by the clock of the log; none where it is unknown.
    pub fn running(&self, now: Micros) -> Option<u32> {
        self.replay.clocks_at(Some(now)).ok()?.running.map(|running| running.used)
    }

    /// What is expected next, as a label: `12w`.
    pub fn next(&self) -> Option<String> {
        let side = self.replay.game().to_move().filter(|_| !self.replay.is_over())?;
        Some(format!("{}{}", self.number(None), side.letter_in(self.replay.kind())))
    }

    fn number(&self, label: Option<u32>) -> u32 {
        let expected = self.replay.game().expected_number();
        expected.or(label).unwrap_or_else(|| first_number(&self.replay, None))
    }

    /// Applies a line to the game. A move without a stated time used `running` seconds. If the
    /// board then shows the end, the game ends with it.
    ///
    /// # Errors
    /// When the game does not accept the line; the board is then unusable.
    pub fn say(
        mut self,
        line: &OperatorLine,
        running: Option<u32>,
    ) -> Result<(Board<'a>, Vec<Draft>), OperateError> {
        let plies = self.replay.game().plies().len();
        let side = self.replay.game().to_move().unwrap_or(Side::Gold);
        match line {
            OperatorLine::Show => {}
            OperatorLine::Move { label, words, used } => {
                self.labelled_right(*label, words)?;
                let used = match used {
                    Used::Seconds(seconds) => Some(*seconds),
                    Used::Unknown => None,
                    Used::Unsaid => running,
                };
                let number = self.number(label.map(|(number, _)| number));
                self.moves(TurnTaken { used, ..TurnTaken::plain(number, side, words.clone()) })?;
                self.ends_of_itself()?;
            }
            OperatorLine::Retract { by, why } => {
                let reason = Some(why.clone().into());
                self.happens(GameEvent::TurnRetracted(TurnRetracted { reason }), by.as_deref())?;
            }
            OperatorLine::Resign => self.is_lost_by(side, Termination::Resignation)?,
            OperatorLine::Time => self.is_lost_by(side, Termination::Time)?,
            OperatorLine::Score => {
                if let Some(fault) = self.replay.game().scored_without_a_limit() {
                    let (code, message) = (fault.code().to_owned(), fault.to_string());
                    return Err(OperateError::Illegal { code, message });
                }
                self.at_the_limit();
                self.ends_by_score()?;
            }
            OperatorLine::Halt(why) => {
                let reason = why.clone().map(Into::into);
                self.happens(GameEvent::Halted(Halted { reason }), None)?;
            }
            OperatorLine::Resume(why) => {
                let from_ply = u32::try_from(plies).unwrap_or(u32::MAX);
                let reason = why.clone().map(Into::into);
                let resumed = Resumed { from_ply, gold_reserve: None, silver_reserve: None, reason };
                self.happens(GameEvent::Resumed(resumed), None)?;
            }
            OperatorLine::Clock { first, second, why } => {
                let reason = why.clone().map(Into::into);
                let set = ClockSet { gold_reserve: *first, silver_reserve: *second, reason };
                self.happens(GameEvent::ClockSet(set), None)?;
            }
        }
        let drafts = std::mem::take(&mut self.drafts);
        Ok((self, drafts))
    }

    fn labelled_right(&self, label: Option<(u32, Side)>, words: &str) -> Result<(), OperateError> {
        let (Some((number, side)), Some(to_move)) = (label, self.replay.game().to_move()) else {
            return Ok(());
        };
        let expected = self.replay.game().expected_number();
        if side == to_move && expected.is_none_or(|expected| expected == number) {
            return Ok(());
        }
        let found = format!("{number}{} {}", side.letter_in(self.replay.kind()), shown(words));
        let expected = format!("{}{}", self.number(None), to_move.letter_in(self.replay.kind()));
        Err(OperateError::Label { found, what: "move", expected })
    }

    pub(super) fn is_lost_by(&mut self, side: Side, termination: Termination) -> Result<(), OperateError> {
        let (winner, termination) = (Some(side.other()), Some(termination));
        self.happens(GameEvent::Ended(Ended { winner, termination, stated: None, draw: false }), None)
    }

    /// A turn, and by the reading, the unused time of a setup on the clock.
    pub(super) fn moves(&mut self, turn: TurnTaken<'static>) -> Result<(), OperateError> {
        self.happens(GameEvent::TurnTaken(turn), None)?;
        let reserves = self.replay.game().reserves_with_setup_time().filter(|_| self.terms.adds_setup_time);
        let Some([gold_reserve, silver_reserve]) = reserves else { return Ok(()) };
        let reason = Some("unused time of the setup is added (T23)".into());
        self.happens(GameEvent::ClockSet(ClockSet { gold_reserve, silver_reserve, reason }), None)
    }

    /// Ends the game if the board shows the end, or if it has reached its limit.
    pub(super) fn ends_of_itself(&mut self) -> Result<(), OperateError> {
        let game = self.replay.game();
        if game.ending().is_some() {
            return Ok(());
        }
        match game.board_says() {
            Some(outcome) => {
                let (winner, termination) = (outcome.winner, Some(outcome.termination));
                self.ends(Ended { winner, termination, stated: None, draw: winner.is_none() })
            }
            None if self.terms.limit_ends && game.limit_reached() => self.ends_by_score(),
            None => Ok(()),
        }
    }

    /// The next event happens when the game reached its limit, if that was earlier.
    fn at_the_limit(&mut self) {
        let game = self.replay.game();
        let instant = game.limit_instant().filter(|instant| self.terms.limit_ends && *instant < self.at);
        if let Some(instant) = instant {
            self.at = game.last_at().map_or(instant, |last| last.max(instant)).min(self.at);
            self.now = false;
        }
    }

    /// Ends the game by score. If its piece points are unknown, the winner is undetermined.
    fn ends_by_score(&mut self) -> Result<(), OperateError> {
        let ended = Ended { winner: None, termination: Some(Termination::Score), stated: None, draw: false };
        match self.replay.game().score_with(self.terms.points.as_ref()) {
            Score::Won(side) => self.ends(Ended { winner: Some(side), ..ended }),
            Score::Draw => self.ends(Ended { draw: true, ..ended }),
            Score::Undecidable(Undecidable::PiecePointsUnknown) => self.ends(ended),
            Score::Undecidable(why) => {
                Err(OperateError::Illegal { code: "not_scored".to_owned(), message: why.to_string() })
            }
        }
    }

    fn ends(&mut self, ended: Ended<'static>) -> Result<(), OperateError> {
        self.happens(GameEvent::Ended(ended), None)
    }

    pub(super) fn happens(
        &mut self,
        event: GameEvent<'static>,
        by: Option<&str>,
    ) -> Result<(), OperateError> {
        let before = self.replay.findings().len();
        self.replay.apply_event(0, self.at, &event);
        let counts = |finding: &&Finding| self.terms.limit_ends || !LimitFault::has_code(finding.code);
        let new = self.replay.findings().get(before..).unwrap_or_default();
        if let Some(finding) = new.iter().find(counts) {
            let (code, message) = (finding.code.to_owned(), finding.message.clone());
            return Err(OperateError::Illegal { code, message });
        }
        let draft = Draft::new(self.stream.clone(), self.at, event)?;
        let draft = if self.now { draft.now() } else { draft };
        self.drafts.push(match by {
            Some(by) => draft.by(by),
            None => draft,
        });
        Ok(())
    }

    /// The ending as text; none while the game is played.
    pub fn ending(&self) -> Option<String> {
        let ending = self.replay.game().ending()?;
        let how =
            ending.termination.map_or_else(String::new, |how| format!(" by {}", narrative::ending(how)));
        Some(match ending.winner {
            Some(side) => format!("{} wins{how}", colour(self.replay.kind(), side)),
            None => format!("no player wins{how}"),
        })
    }
}

/// The number of the first turn of a game that begins from a position: by the plies of the game that it resumes, if any,
/// else as for a new game; in Arimaa the setups are turn 1.
pub(super) fn first_number(replay: &GameReplay, carried: Option<u32>) -> u32 {
    let begins = if replay.kind() == GameKind::Arimaa { 2 } else { 1 };
    carried.map_or(begins, |plies| plies / 2 + 1)
}
