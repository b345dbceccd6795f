//! One game between two contestants, from its start to its end, as events.
//!
//! The board decides by the rules, the clock by the time control, and if a contestant fails, the other one wins: an
//! illegal turn (one that changes nothing and an empty one among them) ends the game as an illegal turn; a fallen flag ends it on time;
//! a program that cannot be started, dies, closes its input or output, is not ready in time or sends only invalid messages forfeits,
//! with the reason in the text of the ending. Captures that a turn states wrongly are corrected with a remark,
//! as for an archive, unless the match is strict. If a match has a director, the director decides instead about a program that
//! fails, and can take moves back.

mod ending;
mod spent;

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use annals_events::{GameEvent, Micros, Resumed, Side, Termination, TurnRetracted, TurnTaken};
use annals_rules::clock::{Clock, TurnEnd};
use annals_rules::game::{Game, Rules, Strictness};
use annals_rules::scoring::Score;

use self::spent::{HALF_A_SECOND, Spent, in_seconds};
use super::contestant::Contestant;
use super::director::{Decision, Director, Instruction};
use super::pace::{Pace, Patience};
use super::report::{Failure, Report};
use super::running::Running;
use super::seat::{Desk, NoSeat, Seat, Terms};
use crate::aei::shown;
use crate::evaluation::UnknownEvaluator;
use crate::player::Settings;
use crate::referee::Beginning;
use crate::seated::{NoStart, Seated, start_of};

/// Receives every event, with its time.
pub type Sink<'a> = dyn FnMut(Micros, GameEvent<'static>) + 'a;

/// A game to be played.
pub struct Bout<'a, S: Seated = Settings> {
    /// Gold's contestant and Silver's: White's and Black's in the Amazons.
    pub contestants: [&'a Contestant<S>; 2],
    pub pace: Pace,
    /// The time limits for programs.
    pub patience: Patience,
    /// Whether captures must be stated exactly.
    pub captures: Strictness,
    /// The position from which it starts, with the side to move; none for the start of the game.
    pub position: Option<&'a str>,
    /// The event that it belongs to, as text.
    pub event: Option<&'a str>,
    /// The turns of each side after which the score decides; none if only the time control limits the game.
    pub most_turns: Option<u32>,
    /// Setup and noise of built-in players follow from it.
    pub seed: u64,
    /// The evaluators of built-in players.
    pub registry: &'a S::Registry,
    /// The earlier events of a game that resumes, from its start; empty for a new game. They are not reported again.
    pub opening: &'a [(Micros, GameEvent<'a>)],
    /// The director; none if only the rules of the match decide.
    pub director: Option<&'a dyn Director>,
    /// Set from outside to stop the game.
    pub stop: &'a AtomicBool,
    /// The running programs, with those of other games.
    pub running: &'a Running,
}

/// Why a game cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoutError {
    #[error("`{name}` cannot play: {source}")]
    Evaluator { name: String, source: UnknownEvaluator },
    #[error("no game can start so: {0}")]
    Start(String),
    #[error("the position is decided already: {0}")]
    Decided(String),
}

/// Checks that a game can be played from the position of a text.
///
/// # Errors
/// When it is not a position, or the game is over in it.
pub fn position_to_play<S: Seated>(text: &str) -> Result<(), BoutError> {
    position::<S>(text).map(|_| ())
}

/// The side and the board of a position, as the protocol states them.
fn position<S: Seated>(text: &str) -> Result<(String, String), BoutError> {
    match start_of::<S>(text) {
        Ok(state) => Ok(S::position_words(&state)),
        Err(NoStart::NoPosition(why)) => Err(BoutError::Start(why)),
        Err(NoStart::Decided(how)) => Err(BoutError::Decided(how)),
    }
}

impl<S: Seated> Bout<'_, S> {
    /// Plays it.
    ///
    /// # Errors
    /// When it cannot start, and neither contestant is the cause.
    pub fn play(&self, sink: &mut Sink<'_>) -> Result<Report, BoutError> {
        let position = self.starting_position().map(position::<S>).transpose()?;
        let desk = self.director.map(|director| Desk { director, given: RefCell::new(None) });
        let mut table = GameTable::start(self, desk.as_ref(), sink)?;
        let terms = |side: Side| Terms {
            pace: self.pace,
            patience: self.patience,
            position: position.as_ref(),
            opponent: &self.contestants[side.other().index()].name,
            side,
            seed: self.seed,
            stop: self.stop,
            running: self.running,
            desk: desk.as_ref(),
        };
        let mut seats = [None, None];
        let mut absent = [None, None];
        for side in Side::BOTH {
            let i = side.index();
            loop {
                match Seat::take(self.contestants[i], terms(side), self.registry) {
                    Ok(seat) => seats[i] = Some(seat),
                    Err(NoSeat::Failed(failure)) if self.director.is_some() => {
                        match table.after(side, failure) {
                            Next::Over => return Ok(table.report),
                            Next::GoesOn | Next::Again => continue,
                        }
                    }
                    Err(NoSeat::Failed(failure)) => absent[i] = Some(failure),
                    Err(NoSeat::Evaluator(source)) => {
                        return Err(BoutError::Evaluator { name: self.contestants[i].name.clone(), source });
                    }
                }
                break;
            }
        }
        match (absent, &mut seats) {
            ([Some(gold), Some(silver)], _) => table.abandon(&gold, &silver),
            ([Some(failure), None], _) => table.fail(Side::Gold, failure),
            ([None, Some(failure)], _) => table.fail(Side::Silver, failure),
            ([None, None], [Some(gold), Some(silver)]) => table.play([gold, silver], terms),
            // A contestant that is not absent has a seat.
            ([None, None], _) => {}
        }
        let mut report = table.report;
        for (side, seat) in Side::BOTH.into_iter().zip(seats) {
            let remarks = seat.map(Seat::leave).unwrap_or_default();
            report.remarks.extend(remarks.into_iter().map(|remark| (side, remark)));
        }
        Ok(report)
    }

    /// The text of the position from which it starts.
    fn starting_position(&self) -> Option<&str> {
        match self.opening.first() {
            Some((_, GameEvent::Started(started))) => started.position.as_deref(),
            _ => self.position,
        }
    }
}

/// What follows when a side has failed, or the director has given an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Over,
    GoesOn,
    /// The program of that side was started again.
    Again,
}

/// The board, the clock, and the receiver of the events.
struct GameTable<'b, 's, 'f, S: Seated> {
    bout: &'b Bout<'b, S>,
    desk: Option<&'b Desk<'b>>,
    sink: &'s mut Sink<'f>,
    game: Game<S::Rules>,
    clock: Option<Clock>,
    spent: [Spent; 2],
    /// The turns in force, each with the clocks before it.
    turns: Vec<(String, Option<Clock>, [Spent; 2])>,
    began: (Micros, Instant),
    report: Report,
}

impl<'b, 's, 'f, S: Seated> GameTable<'b, 's, 'f, S> {
    fn start(
        bout: &'b Bout<'b, S>,
        desk: Option<&'b Desk<'b>>,
        sink: &'s mut Sink<'f>,
    ) -> Result<GameTable<'b, 's, 'f, S>, BoutError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Micros::try_from(since.as_micros()).unwrap_or(Micros::MAX);
        let clock = match bout.pace {
            Pace::Control(control) => Some(Clock::new(control)),
            Pace::PerTurn(_) | Pace::Untimed => None,
        };
        let mut table = GameTable {
            bout,
            desk,
            sink,
            game: Game::new(Strictness::Archive),
            clock,
            spent: [Spent::default(); 2],
            turns: Vec::new(),
            began: (now, Instant::now()),
            report: Report::default(),
        };
        if !bout.opening.is_empty() {
            table.go_on_from(bout.opening).map_err(BoutError::Start)?;
            return Ok(table);
        }
        let control = bout.pace.stated();
        let beginning = Beginning {
            game: S::KIND,
            names: bout.contestants.map(|contestant| contestant.name.as_str()),
            time_control: control.as_deref(),
            event: bout.event,
            site: None,
            position: bout.position,
        };
        table.happened(beginning.started()).map_err(BoutError::Start)?;
        Ok(table)
    }

    /// Records an event, if the game allows it.
    fn happened(&mut self, event: GameEvent<'static>) -> Result<(), String> {
        self.happened_by(event, None)
    }

    fn happened_by(&mut self, event: GameEvent<'static>, by: Option<&str>) -> Result<(), String> {
        let (began, instant) = self.began;
        let at = began.saturating_add(Micros::try_from(instant.elapsed().as_micros()).unwrap_or(Micros::MAX));
        self.game.apply(Some(at), &event).map_err(|error| error.to_string())?;
        if let Some(director) = self.bout.director {
            director.happened(at, &event, by);
        }
        (self.sink)(at, event);
        Ok(())
    }

    /// Applies the earlier events.
    fn go_on_from(&mut self, opening: &[(Micros, GameEvent<'_>)]) -> Result<(), String> {
        for (at, event) in opening {
            match event {
                GameEvent::TurnTaken(turn) => {
                    self.turns.push((turn.steps.clone().into_owned(), self.clock, self.spent));
                    let used = turn.used.unwrap_or(0);
                    let setup = S::is_setup(&self.game);
                    if let Some(clock) = &mut self.clock {
                        clock.charge(turn.side, used, setup);
                    }
                    let spent = &mut self.spent[turn.side.index()];
                    spent.real += Duration::from_secs(u64::from(used));
                    spent.charged += u64::from(used);
                }
                GameEvent::TurnRetracted(_) => self.take_back(),
                GameEvent::ClockSet(set) => {
                    if let Some(clock) = &mut self.clock {
                        clock.set_reserve(Side::Gold, set.gold_reserve);
                        clock.set_reserve(Side::Silver, set.silver_reserve);
                    }
                }
                GameEvent::Resumed(resumed) => {
                    let stands = usize::try_from(resumed.from_ply).unwrap_or(usize::MAX);
                    while self.turns.len() > stands {
                        self.take_back();
                    }
                    let reserves = [resumed.gold_reserve, resumed.silver_reserve];
                    for (side, reserve) in Side::BOTH.into_iter().zip(reserves) {
                        if let (Some(clock), Some(reserve)) = (&mut self.clock, reserve) {
                            clock.set_reserve(side, reserve);
                        }
                    }
                }
                _ => {}
            }
            self.game.apply(Some(*at), event).map_err(|error| error.to_string())?;
        }
        if self.game.is_halted() {
            let from_ply = u32::try_from(self.game.plies().len()).unwrap_or(u32::MAX);
            let resumed = Resumed { from_ply, gold_reserve: None, silver_reserve: None, reason: None };
            self.happened(GameEvent::Resumed(resumed))?;
        }
        self.report.turns = self.game.plies().len();
        Ok(())
    }

    /// Restores the clocks before the last turn.
    fn take_back(&mut self) {
        if let Some((_, clock, spent)) = self.turns.pop() {
            (self.clock, self.spent) = (clock, spent);
        }
    }

    fn play<'t>(&mut self, mut seats: [&mut Seat<'t, S>; 2], terms: impl Fn(Side) -> Terms<'t>) {
        if !self.turns.is_empty() && !self.tell_game(&mut seats, &terms, None) {
            return;
        }
        loop {
            if let Some((winner, termination)) =
                S::over(&self.game, self.clock.as_ref(), self.bout.most_turns)
            {
                return self.end(winner, termination, None);
            }
            let side = self.game.to_move().unwrap_or(Side::Gold);
            let budget = self.budget(side);
            let asked = Instant::now();
            let answer = seats[side.index()].turn(&self.game, self.clock.as_ref(), budget);
            let played = answer.and_then(|answer| self.take(side, &answer.text, answer.elapsed));
            match played {
                Ok(turn) => {
                    self.report.turns = self.game.plies().len();
                    for seat in &mut seats {
                        seat.tell(&turn);
                    }
                }
                Err(failure @ (Failure::OutOfTime | Failure::Resigned))
                    if self.limit_was_first(side, asked.elapsed()) =>
                {
                    match self.game.score() {
                        Score::Won(winner) => return self.end(Some(winner), Termination::Score, None),
                        Score::Draw | Score::Undecidable(_) => return self.fail(side, failure),
                    }
                }
                Err(failure) => {
                    let next = self.after(side, failure);
                    let again = Some(side).filter(|_| next == Next::Again);
                    if next == Next::Over || !self.tell_game(&mut seats, &terms, again) {
                        return;
                    }
                }
            }
        }
    }

    /// Sends the present game to both sides, one of them perhaps a restarted program; false if that ends
    /// the game.
    fn tell_game<'t>(
        &mut self,
        seats: &mut [&mut Seat<'t, S>; 2],
        terms: &impl Fn(Side) -> Terms<'t>,
        again: Option<Side>,
    ) -> bool {
        let turns: Vec<String> = self.turns.iter().map(|(text, ..)| text.clone()).collect();
        for side in Side::BOTH {
            let i = side.index();
            let mut starts = again == Some(side);
            loop {
                let ready = match starts {
                    false => Ok(()),
                    true => Seat::take(self.bout.contestants[i], terms(side), self.bout.registry)
                        .map(|seat| {
                            let before = std::mem::replace(&mut *seats[i], seat);
                            let remarks = before.leave().into_iter().map(|remark| (side, remark));
                            self.report.remarks.extend(remarks);
                        })
                        .map_err(|error| match error {
                            NoSeat::Failed(failure) => failure,
                            NoSeat::Evaluator(error) => Failure::NotStarted(error.to_string()),
                        }),
                };
                let Err(failure) = ready.and_then(|()| seats[i].begin_with(&turns)) else { break };
                if self.after(side, failure) == Next::Over {
                    return false;
                }
                starts = true;
            }
        }
        true
    }

    /// The director's instruction, unless the match is stopped.
    fn instruction(&self) -> Option<Instruction> {
        let given = self.desk?.given.borrow_mut().take();
        given.filter(|_| !self.bout.stop.load(Ordering::Relaxed))
    }

    /// What follows when a side failed, or was interrupted by the director. The director does not decide on
    /// a fallen flag or a resignation, for which the rules state the result.
    fn after(&mut self, side: Side, failure: Failure) -> Next {
        if failure == Failure::Stopped
            && let Some(instruction) = self.instruction()
        {
            return self.carry_out(instruction);
        }
        let ruled = matches!(failure, Failure::OutOfTime | Failure::Resigned | Failure::Stopped);
        let director = self.bout.director.filter(|_| !ruled);
        let who = format!("{} ({})", side.name_in(S::KIND), self.bout.contestants[side.index()].name);
        match director.map_or(Decision::Lost, |director| director.decide(&who, &failure)) {
            Decision::Lost => {
                self.fail(side, failure);
                Next::Over
            }
            Decision::Again => {
                self.rejected(side, &failure);
                Next::Again
            }
            Decision::Halt => {
                self.rejected(side, &failure);
                self.halt(Some(failure.to_string()));
                self.report.failure = Some((side, failure));
                Next::Over
            }
        }
    }

    fn carry_out(&mut self, instruction: Instruction) -> Next {
        match instruction {
            Instruction::Retract { by, why } => {
                let retracted = TurnRetracted { reason: Some(why.into()) };
                if self.happened_by(GameEvent::TurnRetracted(retracted), Some(&by)).is_ok() {
                    self.report.retracted_by.push(by);
                    self.take_back();
                    self.report.turns = self.game.plies().len();
                }
                Next::GoesOn
            }
            Instruction::Halt { why } => {
                self.halt(why);
                Next::Over
            }
        }
    }

    /// The limits that end the turn of a side.
    fn turn_ends(&self, side: Side) -> Option<TurnEnd> {
        self.clock?.turn_ends(side, S::is_setup(&self.game))
    }

    /// Whether the game reached its length during a turn before the flag fell.
    fn limit_was_first(&self, side: Side, elapsed: Duration) -> bool {
        let left = self.turn_ends(side).and_then(TurnEnd::limit);
        left.is_some_and(|left| in_seconds(elapsed) >= left)
    }

    /// The time for a turn by the clock, and by the length of the game. Times are rounded to whole seconds, so the flag falls
    /// half a second after the last whole one is over.
    fn budget(&self, side: Side) -> Option<Duration> {
        let clock = self.clock?;
        if clock.control().whole_game().is_some() {
            let reserve = u64::try_from(clock.figures().reserve(side)).unwrap_or(0);
            let Spent { real, charged } = self.spent[side.index()];
            let all = Duration::from_secs(charged.saturating_add(reserve)) + HALF_A_SECOND;
            return Some(all.saturating_sub(real));
        }
        Some(Duration::from_secs(self.turn_ends(side)?.seconds()) + HALF_A_SECOND)
    }

    /// A turn from a contestant: charged to its clock, checked by the rules, and recorded. Returns its
    /// text as the rules write it.
    fn take(&mut self, side: Side, text: &str, elapsed: Duration) -> Result<String, Failure> {
        if text.trim().eq_ignore_ascii_case("resign") {
            return Err(Failure::Resigned);
        }
        let setup = S::is_setup(&self.game);
        let spent = self.spent[side.index()].after(elapsed, self.clock.as_ref());
        let used = u32::try_from(spent.charged - self.spent[side.index()].charged).unwrap_or(u32::MAX);
        let mut clock = self.clock;
        if let Some(clock) = &mut clock
            && (clock.charge(side, used, setup).flag.is_some() || clock.game_limit_passed())
        {
            return Err(Failure::OutOfTime);
        }
        let exact = self.exact_turn(side, text).map_err(|illegal| Failure::Illegal {
            turn: shown(text),
            code: S::Rules::illegal_code(&illegal).to_owned(),
            why: illegal.to_string(),
        })?;
        let figures = clock.map(|clock| clock.figures());
        // A game from a position does not state the number of the turn; it is numbered as after the setups.
        let number = self.game.expected_number().unwrap_or(2);
        let taken = TurnTaken {
            used: Some(used),
            gold_reserve: figures.map(|figures| figures.reserve(Side::Gold)),
            silver_reserve: figures.map(|figures| figures.reserve(Side::Silver)),
            game_time: figures.map(|figures| figures.game_time),
            ..TurnTaken::plain(number, side, exact.clone())
        };
        self.happened(GameEvent::TurnTaken(taken)).map_err(|why| Failure::Illegal {
            turn: shown(text),
            code: "refused".to_owned(),
            why,
        })?;
        self.turns.push((exact.clone(), self.clock, self.spent));
        self.clock = clock;
        self.spent[side.index()] = spent;
        Ok(exact)
    }

    /// The turn as the rules write it, if it is legal here.
    fn exact_turn(&mut self, side: Side, text: &str) -> Result<String, <S::Rules as Rules>::Illegal> {
        let exact = S::exact(&self.game, text, self.bout.captures)?;
        if exact.misstated {
            let remark = format!("it stated captures wrongly in `{}`; they were put right", shown(text));
            self.report.remarks.push((side, remark));
        }
        Ok(exact.text)
    }
}
