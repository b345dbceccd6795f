//! One game between two contestants, from its start to its end, told in events.
//!
//! The board decides by the rules, the clock by the time control, and where a contestant fails, the other one wins: an
//! illegal turn (one that changes nothing and an empty one among them) ends the game as such; so does a flag that falls;
//! a program that cannot be started, dies, closes its input or output, is not ready in time or says nothing but nonsense forfeits,
//! with the reason kept in the words of the ending. Captures that a turn states wrongly are put right and remarked upon,
//! as an archive's are, unless they are to be strict.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use annals_events::{Ended, GameEvent, GameKind, Halted, Micros, Side, Termination, TurnRejected, TurnTaken};
use annals_rules::arimaa::{Arimaa, Illegal, Phase, Position, PositionTextError, State, Turn, TurnKind};
use annals_rules::clock::Clock;
use annals_rules::game::{Era, Game, Outcome, Rules, Strictness};
use annals_rules::scoring::Score;

use super::contestant::Contestant;
use super::pace::{Pace, Patience};
use super::report::{Failure, Report, Winner};
use super::running::Running;
use super::seat::{NoSeat, Seat, Terms};
use crate::aei::shown;
use crate::evaluation::{Registry, UnknownEvaluator};
use crate::referee::{Beginning, over};

/// Who is told of everything that happens, with its time.
pub type Sink<'a> = dyn FnMut(Micros, GameEvent<'static>) + 'a;

/// A game to be played.
#[derive(Debug, Clone, Copy)]
pub struct Bout<'a> {
    /// Gold's contestant and Silver's.
    pub contestants: [&'a Contestant; 2],
    /// How fast.
    pub pace: Pace,
    /// How long programs are waited for.
    pub patience: Patience,
    /// Whether captures must be stated exactly.
    pub captures: Strictness,
    /// The position from which it starts, with the side to move; none for the usual start.
    pub position: Option<&'a str>,
    /// The event that it belongs to, in words.
    pub event: Option<&'a str>,
    /// After so many turns of each side the score decides; none where only the time control may say so.
    pub most_turns: Option<u32>,
    /// Setup and noise of our players follow from it.
    pub seed: u64,
    /// Where our players find their evaluators.
    pub registry: &'a Registry,
    /// Set from outside where the game is to stop.
    pub stop: &'a AtomicBool,
    /// The programs that run, with those of other games.
    pub running: &'a Running,
}

/// Why a game cannot be played at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoutError {
    /// A player's evaluator is not there.
    #[error("`{name}` cannot play: {source}")]
    Evaluator {
        /// The contestant.
        name: String,
        /// Why.
        source: UnknownEvaluator,
    },
    /// It cannot start from that position.
    #[error("no game can start so: {0}")]
    Start(String),
    /// Nothing is left to play there.
    #[error("the position is decided already: {0}")]
    Decided(String),
}

/// The position of a text, if a game can be played from it.
///
/// # Errors
/// When it is none, or one in which the game is over.
pub fn position_to_play(text: &str) -> Result<Position, BoutError> {
    let position: Position =
        text.parse().map_err(|error: PositionTextError| BoutError::Start(error.to_string()))?;
    let stands_once = |hash| u32::from(hash == position.hash());
    match Arimaa::outcome(&State::from_position(position, Era::Modern), stands_once) {
        None => Ok(position),
        Some(Outcome { winner, termination }) => Err(BoutError::Decided(match winner {
            Some(side) => format!("{side} won by {termination}"),
            None => format!("nobody won, {termination}"),
        })),
    }
}

impl Bout<'_> {
    /// Plays it.
    ///
    /// # Errors
    /// When it cannot start for a reason that is nobody's fault at the board.
    pub fn play(&self, sink: &mut Sink<'_>) -> Result<Report, BoutError> {
        let position = self.position.map(position_to_play).transpose()?;
        let mut table = Table::start(self, sink)?;
        let mut seats = [None, None];
        let mut absent = [None, None];
        for side in Side::BOTH {
            let i = side.index();
            let terms = Terms {
                pace: self.pace,
                patience: self.patience,
                position,
                opponent: &self.contestants[side.other().index()].name,
                side,
                seed: self.seed,
                stop: self.stop,
                running: self.running,
            };
            match Seat::take(self.contestants[i], terms, self.registry) {
                Ok(seat) => seats[i] = Some(seat),
                Err(NoSeat::Failed(failure)) => absent[i] = Some(failure),
                Err(NoSeat::Evaluator(source)) => {
                    return Err(BoutError::Evaluator { name: self.contestants[i].name.clone(), source });
                }
            }
        }
        match (absent, &mut seats) {
            ([Some(gold), Some(silver)], _) => table.abandon(&gold, &silver),
            ([Some(failure), None], _) => table.fail(Side::Gold, failure),
            ([None, Some(failure)], _) => table.fail(Side::Silver, failure),
            ([None, None], [Some(gold), Some(silver)]) => table.play([gold, silver]),
            // Whoever is not absent has a seat.
            ([None, None], _) => {}
        }
        let mut report = table.report;
        for (side, seat) in Side::BOTH.into_iter().zip(seats) {
            let said = seat.map(Seat::leave).unwrap_or_default();
            report.remarks.extend(said.into_iter().map(|remark| (side, remark)));
        }
        Ok(report)
    }
}

/// Rounded to the nearest second; half a second is a whole one.
fn in_seconds(elapsed: Duration) -> u64 {
    elapsed.saturating_add(Duration::from_millis(500)).as_secs()
}

/// The board, the clock, and who writes it all down.
struct Table<'b, 's, 'f> {
    bout: &'b Bout<'b>,
    sink: &'s mut Sink<'f>,
    game: Game<Arimaa>,
    clock: Option<Clock>,
    began: (Micros, Instant),
    report: Report,
}

impl<'b, 's, 'f> Table<'b, 's, 'f> {
    fn start(bout: &'b Bout<'b>, sink: &'s mut Sink<'f>) -> Result<Table<'b, 's, 'f>, BoutError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Micros::try_from(since.as_micros()).unwrap_or(Micros::MAX);
        let clock = match bout.pace {
            Pace::Control(control) => Some(Clock::new(control)),
            Pace::PerTurn(_) | Pace::Untimed => None,
        };
        let mut table = Table {
            bout,
            sink,
            game: Game::new(Strictness::Archive),
            clock,
            began: (now, Instant::now()),
            report: Report::not_begun(),
        };
        let control = bout.pace.stated();
        let beginning = Beginning {
            game: GameKind::Arimaa,
            names: bout.contestants.map(|contestant| contestant.name.as_str()),
            time_control: control.as_deref(),
            event: bout.event,
            site: None,
            position: bout.position,
        };
        table.happened(beginning.started()).map_err(BoutError::Start)?;
        Ok(table)
    }

    /// Takes note of an event, if the game allows it.
    fn happened(&mut self, event: GameEvent<'static>) -> Result<(), String> {
        let (began, instant) = self.began;
        let at = began.saturating_add(Micros::try_from(instant.elapsed().as_micros()).unwrap_or(Micros::MAX));
        self.game.apply(Some(at), &event).map_err(|error| error.to_string())?;
        (self.sink)(at, event);
        Ok(())
    }

    fn play(&mut self, mut seats: [&mut Seat<'_>; 2]) {
        loop {
            if let Some((winner, termination)) = over(&self.game, self.clock.as_ref(), self.bout.most_turns) {
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
                Err(Failure::OutOfTime) if self.limit_was_first(side, asked.elapsed()) => {
                    match self.game.score() {
                        Score::Won(winner) => return self.end(Some(winner), Termination::Score, None),
                        Score::Draw | Score::Undecidable(_) => return self.fail(side, Failure::OutOfTime),
                    }
                }
                Err(failure) => return self.fail(side, failure),
            }
        }
    }

    /// Whether the game reached its length during a turn before the flag fell; what is left of both at the start of the turn.
    fn limit_was_first(&self, side: Side, elapsed: Duration) -> bool {
        let Some((clock, left)) = self.clock.and_then(|clock| Some((clock, clock.game_time_left()?))) else {
            return false;
        };
        let flag = clock.time_for_turn(side, self.is_setup());
        in_seconds(elapsed) > left && flag.is_none_or(|flag| left <= flag)
    }

    fn is_setup(&self) -> bool {
        self.game.state().is_some_and(|s| matches!(s.phase(), Phase::GoldSetup | Phase::SilverSetup))
    }

    /// How long a turn may take by the clock, and by the length of the game. Times are rounded to whole seconds, so the flag falls
    /// half a second after the last whole one is over.
    fn budget(&self, side: Side) -> Option<Duration> {
        let clock = self.clock?;
        let both = [clock.time_for_turn(side, self.is_setup()), clock.game_time_left()];
        let seconds = both.into_iter().flatten().min()?;
        Some(Duration::from_secs(seconds) + Duration::from_millis(500))
    }

    /// A turn as a contestant answered it: charged to its clock, judged by the rules, and taken note of. Gives back its
    /// text as the rules write it.
    fn take(&mut self, side: Side, text: &str, elapsed: Duration) -> Result<String, Failure> {
        if text.trim().eq_ignore_ascii_case("resign") {
            return Err(Failure::Resigned);
        }
        let setup = self.is_setup();
        let used = u32::try_from(in_seconds(elapsed)).unwrap_or(u32::MAX);
        let mut clock = self.clock;
        if let Some(clock) = &mut clock
            && (clock.charge(side, used, setup).flag.is_some() || clock.game_limit_passed())
        {
            return Err(Failure::OutOfTime);
        }
        let turn = self.judge(side, text, setup).map_err(|illegal| Failure::Illegal {
            turn: shown(text),
            code: illegal.code().to_owned(),
            why: illegal.to_string(),
        })?;
        let figures = clock.map(|clock| clock.figures());
        let exact = turn.to_string();
        // A game from a position does not say which turn it is; it goes on as after the setups.
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
        self.clock = clock;
        Ok(exact)
    }

    /// The turn as the rules write it, where it is legal here.
    fn judge(&mut self, side: Side, text: &str, setup: bool) -> Result<Turn, Illegal> {
        let turn = Turn::parse(text.as_bytes())?;
        let Some(mut state) = self.game.state().copied() else { return Err(Illegal::Empty) };
        let exact = |turn: &Turn| state.normal_text(turn);
        let written = if turn.kind() == TurnKind::Steps && !setup { exact(&turn)? } else { turn };
        // A program has no reason to leave pieces out.
        let strictness = if setup { Strictness::Strict } else { self.bout.captures };
        let game = &self.game;
        let played = state.play_turn(&turn, strictness, |hash| game.occurrences(hash))?;
        if played.captures_misstated {
            let remark = format!("it stated captures wrongly in `{}`; they were put right", shown(text));
            self.report.remarks.push((side, remark));
        }
        Ok(written)
    }

    fn end(&mut self, winner: Option<Side>, termination: Termination, stated: Option<String>) {
        self.report.winner = Some(winner.map_or(Winner::Nobody, Winner::Side));
        self.report.termination = Some(termination);
        let draw = winner.is_none() && termination != Termination::Abandoned;
        let ended = Ended { winner, termination: Some(termination), stated: stated.map(Into::into), draw };
        // An ending is always possible in a game that goes on.
        let _ = self.happened(GameEvent::Ended(ended));
    }

    /// A contestant failed: the other one wins, or where the match was stopped, play halts.
    fn fail(&mut self, side: Side, failure: Failure) {
        if let Failure::Illegal { turn, why, .. } = &failure {
            let number = self.game.expected_number().unwrap_or(2);
            let rejected =
                TurnRejected { number, side, steps: turn.clone().into(), reason: why.clone().into() };
            let _ = self.happened(GameEvent::TurnRejected(rejected));
        }
        match failure.termination() {
            Some(termination) => self.end(Some(side.other()), termination, failure.stated()),
            None => {
                let reason = Some(failure.to_string().into());
                let _ = self.happened(GameEvent::Halted(Halted { reason }));
            }
        }
        if failure != Failure::Stopped {
            self.report.failure = Some((side, failure));
        }
    }

    /// Neither side can play.
    fn abandon(&mut self, gold: &Failure, silver: &Failure) {
        if *gold == Failure::Stopped || *silver == Failure::Stopped {
            return self.fail(Side::Gold, Failure::Stopped);
        }
        let stated = format!("gold: {gold}; silver: {silver}");
        self.report.remarks.extend([(Side::Gold, gold.to_string()), (Side::Silver, silver.to_string())]);
        self.end(None, Termination::Abandoned, Some(stated));
    }
}
