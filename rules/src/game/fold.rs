//! The fold: [`Game`] applies events to the line of plies, or returns an error and remains unchanged.

use annals_events::{ClockSet, Ended, GameEvent, Resumed, Started, TurnRejected, TurnTaken};

use super::applied::{Applied, AppliedOf, NoClock, RejectionCheck};
use super::beside::{Beside, Difference};
use super::contract::{Era, Outcome, Rules, Strictness};
use super::ending::{self, Ending, EndingCheck};
use super::error::{GameError, GameErrorOf};
use super::ply::Ply;
use super::watch::Watch;
use crate::clock::TimeControl;
use crate::scoring::Lead;

/// The start of a game.
pub(super) struct Begun<R: Rules> {
    pub(super) state: R::State,
    pub(super) era: Era,
    pub(super) at: Option<i64>,
    /// From a stated position, so that the first turn may have any number.
    pub(super) from_position: bool,
    pub(super) lead: Lead,
    pub(super) clock: Result<Beside, NoClock>,
    /// Before the first turn: a stated position can be decided.
    pub(super) outcome: Option<Outcome>,
}

/// One game as the fold of its events. An illegal event leaves it unchanged.
///
/// In archive mode a differing clock, an unnoticed flag, play after a decision and a differing end are reported
/// ([`Ply::clock_matches`], [`Ply::flag`], [`Game::played_on`], [`Applied::Ended`]). In strict mode they are errors,
/// and so are an unreadable time control, a resumption without a halt, and times that run backwards.
///
/// [`Game::clear`] keeps the buffers, so that folding many games does not allocate.
pub struct Game<R: Rules> {
    pub(super) strictness: Strictness,
    pub(super) begun: Option<Begun<R>>,
    pub(super) plies: Vec<Ply<R>>,
    /// Hashes of the positions that count for repetition.
    pub(super) line: Vec<u64>,
    pub(super) clock: Option<Beside>,
    pub(super) last_at: Option<i64>,
    pub(super) watch: Watch,
    pub(super) rated: bool,
    pub(super) halted: bool,
    pub(super) annulled: bool,
    pub(super) ending: Option<Ending>,
}

impl<R: Rules> Game<R> {
    #[must_use]
    pub fn new(strictness: Strictness) -> Game<R> {
        Game {
            strictness,
            begun: None,
            plies: Vec::new(),
            line: Vec::new(),
            clock: None,
            last_at: None,
            watch: Watch::default(),
            rated: false,
            halted: false,
            annulled: false,
            ending: None,
        }
    }

    /// Resets everything except strictness and buffers.
    pub fn clear(&mut self) {
        self.begun = None;
        self.plies.clear();
        self.line.clear();
        self.clock = None;
        self.last_at = None;
        self.watch = Watch::default();
        self.rated = false;
        self.halted = false;
        self.annulled = false;
        self.ending = None;
    }

    /// The times are not the source's, so that differences do not count.
    pub fn doubt_times(&mut self) {
        self.watch.doubtful = true;
    }

    /// `at` is the effective time in microseconds since the Unix epoch (UTC).
    ///
    /// # Errors
    /// If the event is illegal; the error names the rule, and the game is unchanged.
    pub fn apply(&mut self, at: Option<i64>, event: &GameEvent<'_>) -> Result<AppliedOf<R>, GameErrorOf<R>> {
        self.may_happen(at, event)?;
        let applied = match event {
            GameEvent::Started(started) => self.start(at, started)?,
            GameEvent::TurnTaken(turn) => self.turn(at, turn)?,
            GameEvent::TurnRejected(turn) => Applied::TurnRejected(self.judge(turn)),
            GameEvent::TurnRetracted(_) => self.retract()?,
            GameEvent::ClockSet(set) => self.set_clock(set)?,
            GameEvent::Halted(_) => {
                self.halted = true;
                Applied::Halted
            }
            GameEvent::Resumed(resumed) => self.resume(resumed)?,
            GameEvent::Ended(ended) => self.end(at, ended)?,
            GameEvent::Annulled(_) => {
                self.annulled = true;
                Applied::Annulled
            }
            GameEvent::RatedChanged(changed) => {
                self.rated = changed.rated;
                Applied::RatedChanged
            }
        };
        self.last_at = at.or(self.last_at);
        self.watch.note(at, event);
        Ok(applied)
    }

    /// Preconditions of an event's type.
    fn may_happen(&self, at: Option<i64>, event: &GameEvent<'_>) -> Result<(), GameErrorOf<R>> {
        let (name, plies) = (event.type_name(), self.plies.len());
        match (&self.begun, event) {
            (None, GameEvent::Started(_)) => return Ok(()),
            (None, _) => return Err(GameError::NotStarted { event: name }),
            (Some(_), GameEvent::Started(_)) => return Err(GameError::StartedTwice { plies }),
            (Some(_), _) => {}
        }
        if self.annulled {
            return Err(GameError::Annulled { event: name });
        }
        let after_the_end = matches!(event, GameEvent::Annulled(_) | GameEvent::RatedChanged(_));
        if self.ending.is_some() && !after_the_end {
            return Err(GameError::Ended { event: name, plies });
        }
        let needs_play =
            matches!(event, GameEvent::TurnTaken(_) | GameEvent::TurnRetracted(_) | GameEvent::Halted(_));
        if self.halted && needs_play {
            return Err(GameError::Halted { event: name, plies });
        }
        if let (Strictness::Strict, Some(at), Some(last)) = (self.strictness, at, self.last_at)
            && at < last
        {
            return Err(GameError::BeforeItsCause { event: name, at, last });
        }
        Ok(())
    }

    fn start(&mut self, at: Option<i64>, started: &Started<'_>) -> Result<AppliedOf<R>, GameErrorOf<R>> {
        if let Some(expected) = R::refuses(started.game) {
            return Err(GameError::OtherGame { found: started.game, expected });
        }
        let clock = match &started.time_control {
            None => Err(NoClock::NoTimeControl),
            Some(text) => match TimeControl::parse(text) {
                Ok(control) => Ok(Beside::new(control)),
                Err(error) if self.strictness == Strictness::Strict => return Err(error.into()),
                Err(error) => Err(NoClock::BadTimeControl(error)),
            },
        };
        let era = Era::at(at);
        let state = R::start(started.game, started.position.as_deref(), era)
            .map_err(|illegal| GameError::StartPosition { code: R::illegal_code(&illegal), illegal })?;
        let mut lead = Lead::default();
        if R::counts_for_repetition(&state) {
            self.line.push(R::hash(&state));
            lead = lead.after(R::piece_counts(&state));
        }
        self.clock = clock.as_ref().ok().copied();
        self.rated = started.rated;
        let from_position = started.position.is_some();
        let seen = |hash| occurrences(&self.line, hash);
        let outcome = if from_position { R::outcome(&state, seen) } else { None };
        self.begun = Some(Begun { state, era, at, from_position, lead, clock, outcome });
        Ok(Applied::Started)
    }

    fn turn(&mut self, at: Option<i64>, turn: &TurnTaken<'_>) -> Result<AppliedOf<R>, GameErrorOf<R>> {
        let Some(begun) = &self.begun else {
            return Err(GameError::NotStarted { event: "turn_taken" });
        };
        let before = self.plies.last();
        let (number, side) = (turn.number, turn.side);
        // The gameroom let play continue after a goal in 2002 (game 46); archives report it.
        if let (Strictness::Strict, Some(outcome)) = (self.strictness, self.board_says()) {
            return Err(GameError::DecidedOnBoard { number, side, outcome });
        }
        let mut state = before.map_or(&begun.state, |ply| &ply.state_after).clone();
        let expected = R::to_move(&state);
        if side != expected {
            return Err(GameError::WrongSide { number, expected, found: side });
        }
        if let Some(expected) = self.expected_number()
            && number != expected
        {
            return Err(GameError::WrongNumber { side, expected, found: number });
        }
        let hash_before = before.map_or_else(|| R::hash(&state), |ply| ply.hash_after);
        let line = &self.line;
        let played =
            R::play(&mut state, turn.steps.as_bytes(), self.strictness, |hash| occurrences(line, hash))
                .map_err(|illegal| GameError::IllegalTurn {
                    number,
                    side,
                    steps: turn.steps.chars().take(200).collect(),
                    code: R::illegal_code(&illegal),
                    illegal,
                })?;

        let reached = self.limit_reached();
        let mut clock = self.clock;
        let tick = clock.as_mut().map(|clock| clock.turn(turn, played.setup)).unwrap_or_default();
        if self.strictness == Strictness::Strict {
            if let Some(flag) = tick.flag {
                return Err(GameError::OutOfTime { number, side, used: turn.used.unwrap_or(0), flag });
            }
            if let Some(Difference { what, expected, found }) = tick.difference {
                return Err(GameError::ClockDisagrees { number, side, what, expected, found });
            }
        }

        // Nothing can fail from here.
        let hash_after = R::hash(&state);
        let counted = R::counts_for_repetition(&state);
        let scored = R::is_scored_by_pieces(&state);
        let piece_counts = R::piece_counts(&state);
        let mut lead = before.map_or(begun.lead, |ply| ply.lead);
        if counted {
            self.line.push(hash_after);
            lead = lead.after(piece_counts);
        }
        let outcome = R::outcome(&state, |hash| occurrences(&self.line, hash));
        self.plies.push(Ply {
            number,
            side,
            played,
            state_after: state,
            hash_before,
            hash_after,
            outcome,
            piece_counts,
            at,
            used: turn.used,
            gold_reserve: tick.reserves[0],
            silver_reserve: tick.reserves[1],
            game_time: tick.game_time,
            clock_matches: tick.matches,
            flag: tick.flag,
            clock_differs: tick.difference.is_some(),
            adds_setup_time: tick.adds_setup_time,
            past_limit: reached || scored && clock.is_some_and(|clock| clock.at_least().game_limit_passed()),
            counted,
            lead,
            clock_before: self.clock,
            clock_after: clock,
        });
        self.clock = clock;
        Ok(Applied::TurnTaken)
    }

    /// The verdict on a turn that the server rejected: by this game's strictness, and if that accepts it, strictly. A
    /// server may reject what an archive permits, such as an incomplete setup.
    fn judge(&self, turn: &TurnRejected<'_>) -> RejectionCheck<R::Illegal> {
        let Some(state) = self.state() else {
            return RejectionCheck::OutOfTurn;
        };
        if let Some(outcome) = self.board_says() {
            return RejectionCheck::Decided(outcome);
        }
        let number_fits = self.expected_number().is_none_or(|expected| turn.number == expected);
        if turn.side != R::to_move(state) || !number_fits {
            return RejectionCheck::OutOfTurn;
        }
        let played = |strictness| {
            let seen = |hash| occurrences(&self.line, hash);
            R::play(&mut state.clone(), turn.steps.as_bytes(), strictness, seen)
        };
        match played(self.strictness).and_then(|_| played(Strictness::Strict)) {
            Ok(played) => RejectionCheck::Legal(played),
            Err(illegal) => RejectionCheck::Illegal(illegal),
        }
    }

    fn retract(&mut self) -> Result<AppliedOf<R>, GameErrorOf<R>> {
        let Some(ply) = self.plies.pop() else {
            return Err(GameError::NothingToRetract);
        };
        if ply.counted {
            self.line.pop();
        }
        // The rules restore the time; whether the gameroom did is unknown, so it is assumed.
        self.clock = ply.clock_before;
        if self.strictness == Strictness::Archive
            && let Some(clock) = &mut self.clock
        {
            clock.doubt();
        }
        Ok(Applied::TurnRetracted { number: ply.number, side: ply.side })
    }

    fn set_clock(&mut self, set: &ClockSet<'_>) -> Result<AppliedOf<R>, GameErrorOf<R>> {
        let Some(clock) = &mut self.clock else {
            return Err(GameError::NoClock { event: "clock_set" });
        };
        clock.set([Some(set.gold_reserve), Some(set.silver_reserve)]);
        Ok(Applied::ClockSet)
    }

    fn resume(&mut self, resumed: &Resumed<'_>) -> Result<AppliedOf<R>, GameErrorOf<R>> {
        let from_ply = resumed.from_ply;
        if !self.halted && self.strictness == Strictness::Strict {
            return Err(GameError::NotHalted { from_ply });
        }
        let plies = self.plies.len();
        let Some(stand) = usize::try_from(from_ply).ok().filter(|stand| *stand <= plies) else {
            return Err(GameError::NoSuchPly { from_ply, plies });
        };
        let reserves = [resumed.gold_reserve, resumed.silver_reserve];
        if self.clock.is_none() && reserves != [None, None] {
            return Err(GameError::NoClock { event: "resumed" });
        }

        // If nothing is undone, the clock remains: it may have been set during a halt.
        if stand < plies {
            let undone = self.plies[stand..].iter().filter(|ply| ply.counted).count();
            self.line.truncate(self.line.len() - undone);
            self.plies.truncate(stand);
            self.clock = match self.plies.last() {
                Some(ply) => ply.clock_after,
                None => self.begun.as_ref().and_then(|begun| begun.clock.as_ref().ok().copied()),
            };
        }
        if let Some(clock) = &mut self.clock {
            clock.set(reserves);
        }
        self.halted = false;
        Ok(Applied::Resumed { undone: plies - stand })
    }

    fn end(&mut self, at: Option<i64>, ended: &Ended<'_>) -> Result<AppliedOf<R>, GameErrorOf<R>> {
        if let (Some(winner), true) = (ended.winner, ended.draw) {
            return Err(GameError::WinnerAndDraw { winner });
        }
        let check = ending::check(ended, self.board_says(), self.score());
        if let (Strictness::Strict, EndingCheck::Disagrees { board }) = (self.strictness, check) {
            return Err(GameError::EndingDisagrees {
                winner: ended.winner,
                termination: ended.termination,
                board,
            });
        }
        let Ended { winner, draw, termination, .. } = *ended;
        if let (Strictness::Strict, Some(winner)) = (self.strictness, self.won_by_clock_that_stood(ended)) {
            return Err(GameError::ClockStood { winner });
        }
        let limit = self.limit_check(at, termination);
        self.ending = Some(Ending { winner, draw, termination, check, limit });
        Ok(Applied::Ended(check))
    }
}

/// A linear count: some hundred comparisons without branches are faster than any table.
pub(super) fn occurrences(line: &[u64], hash: u64) -> u32 {
    line.iter().map(|stood| u32::from(*stood == hash)).sum()
}
