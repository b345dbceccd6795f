//! The rounds: paired by the rulebook, three games at a time, first and second games of encounters, recorded in order
//! of time. In round 1 an operator errs, in round 2 a connection is lost, in round 4 a program is absent; the first
//! resigned game has its territory from the director.

use annals_events::tournament::Effect;
use annals_events::{BoardId, GameEvent, GameId, Micros, PlayerId, Termination};
use annals_replay::{Cut, GameReplay, Replayed, Scope};
use annals_rules::seeded::Rng;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use super::matches::{PlayMatch, Request};
use super::participants::Participants;
use crate::boards::{Halt, Next, RoundGames, seats, side_by_side, turn_after};
use crate::director::{Director, stream_of, time};
use crate::entry::{entry, known};
use crate::game_in_play::{DAY, HOUR, MINUTE, SECOND};
use crate::ongoing_game::{OngoingGame, narrate, rule};
use crate::{DemoError, Progress};

/// The rule that ends pairing.
const FORMAT: &str = "encounter.format";
/// Between the games of an encounter.
const SECOND_GAME: Micros = 2 * HOUR + 30 * MINUTE;

/// The game with a wrong move, and its ply.
const SLIP: (BoardId, usize) = (BoardId { round: 1, board: 1 }, 8);
/// The game with a lost connection, and its least plies.
const LOST: (BoardId, usize) = (BoardId { round: 2, board: 3 }, 2);
/// The game with an absent program.
const MISSED: BoardId = BoardId { round: 4, board: 6 };

/// Instants for the follow-up.
#[derive(Debug, Clone, Default)]
pub struct Instants {
    /// The game with a wrong move, and when it was on the board.
    pub slip: Option<(GameId, Micros)>,
    /// The game with a lost connection, and when.
    pub halted: Option<(GameId, Micros)>,
}

struct Rounds<'a> {
    director: &'a mut Director,
    players: Players<'a>,
    progress: &'a dyn Progress,
    instants: Instants,
    /// A resigned game has got its territory.
    counted: bool,
}

/// Seats and the match function.
#[derive(Clone, Copy)]
struct Players<'a> {
    participants: &'a Participants,
    seed: u64,
    play_match: PlayMatch,
    progress: &'a dyn Progress,
}

pub fn play(
    director: &mut Director,
    participants: &Participants,
    seed: u64,
    play_match: PlayMatch,
    progress: &dyn Progress,
) -> Result<Instants, DemoError> {
    let mut morning = time("2000-08-21T09:00")?;
    let players = Players { participants, seed, play_match, progress };
    let mut rounds = Rounds { director, players, progress, instants: Instants::default(), counted: false };
    while let Some(round) = rounds.director.pair(morning, FORMAT)? {
        if round == 1 {
            rounds.too_late_to_enter(morning + 10 * MINUTE)?;
        }
        rounds.half(round, 1, morning + HOUR)?;
        rounds.half(round, 0, morning + HOUR + SECOND_GAME)?;
        narrate(progress, &rounds.director.state()?, round)?;
        morning += DAY;
    }
    Ok(rounds.instants)
}

impl Players<'_> {
    /// Returns the events after its opening.
    fn play_on(&self, state: &Tournament, open: &OngoingGame, first: u32) -> Result<OngoingGame, DemoError> {
        let BoardId { round, board } = open.pairing;
        let ([gold, silver], attempt) = seats(state, open.pairing)?;
        let program = |player: &PlayerId| {
            let program = self.participants.program(player);
            program.ok_or_else(|| DemoError::Script(format!("{player} is not of the cast")))
        };
        let parts = [self.seed, 5, u64::from(round), u64::from(board), u64::from(attempt)];
        let request = Request {
            opening: open.events.clone(),
            first,
            programs: [program(gold)?, program(silver)?],
            slip: (open.pairing == SLIP.0).then_some(SLIP.1),
            seed: Rng::of(&parts).any(),
        };
        let events = (self.play_match)(&request)?;
        self.progress.game();
        Ok(OngoingGame { pairing: open.pairing, game: open.game.clone(), events })
    }
}

impl Rounds<'_> {
    /// The first games of all encounters, on odd boards, or the second ones.
    fn half(&mut self, number: u32, parity: u32, begins: Micros) -> Result<(), DemoError> {
        let state = self.director.state()?;
        let Some(round) = state.rounds.get(&number) else { return Ok(()) };
        let boards = round.boards.keys().filter(|board| **board % 2 == parity);
        let mut at = begins.max(self.director.now() + MINUTE);
        let mut openings = Vec::new();
        for board in boards {
            let pairing = BoardId { round: number, board: *board };
            if pairing == MISSED {
                self.missed(pairing, at)?;
            } else {
                openings.push(self.director.begin(pairing, at)?);
            }
            at += MINUTE;
        }
        let (state, players) = (self.director.state()?, self.players);
        let games = side_by_side(&openings, |open| players.play_on(&state, open, 1))?;
        let mut games = RoundGames::of(games, LOST);
        while let Some(next) = games.pop() {
            match next {
                Next::Halted(game, halt) => games.resume(self.connection_lost(&game, &halt)?),
                Next::Over(game, at) => self.over(game, at)?,
            }
        }
        Ok(())
    }

    /// Records a game with its result, and rules the territory of the first resigned one.
    fn over(&mut self, game: OngoingGame, at: Micros) -> Result<(), DemoError> {
        if game.pairing == SLIP.0 {
            self.told_of_the_slip(&game)?;
        }
        let pairing = game.pairing;
        let resigned = ended_by(&game) == Some(Termination::Resignation);
        let id = game.game.clone();
        self.director.finish(game, at)?;
        if resigned && !self.counted {
            self.counted = true;
            self.count(pairing, &id, at + 5 * MINUTE)?;
        }
        Ok(())
    }

    /// Narrates the wrong move.
    fn told_of_the_slip(&mut self, game: &OngoingGame) -> Result<(), DemoError> {
        let retracted =
            |(_, event): &(Micros, GameEvent<'static>)| matches!(event, GameEvent::TurnRetracted(_));
        let Some(found) = game.events.iter().position(retracted) else { return Ok(()) };
        let Some((entered, GameEvent::TurnTaken(wrong))) =
            found.checked_sub(1).and_then(|at| game.events.get(at))
        else {
            return Ok(());
        };
        self.instants.slip = Some((game.game.clone(), entered + SECOND));
        self.progress.say(&format!(
            "In {} an operator enters {} by mistake; the director has it retracted.",
            game.game, wrong.steps
        ))
    }

    /// An entry after the first pairing is too late.
    fn too_late_to_enter(&mut self, at: Micros) -> Result<(), DemoError> {
        let late: PlayerId = "latecomer".parse()?;
        let steps = [known(&late, at)?, entry(&late, Some(8))];
        let refusal = self.director.refused(at, &steps, "registration.window")?;
        self.progress.say(&format!("{late} wants to enter too, and is refused: {refusal}"))
    }

    /// A lost connection: the game is halted, and resumed from the last move that both sides have, with the clocks
    /// then.
    fn connection_lost(&mut self, game: &OngoingGame, halt: &Halt) -> Result<OngoingGame, DemoError> {
        self.instants.halted = Some((game.game.clone(), halt.at));
        let reason = "the connection to a program's machine was lost, and the last move never reached it; both sides go on \
                      from the move before, with the time that they had then";
        let evidence = "both operators' logs of the connection";
        let open = self.director.halt(game, halt, (5 * MINUTE, reason, evidence))?;
        let again = self.players.play_on(&self.director.state()?, &open, turn_after(halt.stands()))?;
        self.progress.say(&format!(
            "{} is halted after {} plies: a connection was lost. It goes on from ply {} as {}.",
            game.game,
            halt.played,
            halt.stands(),
            again.game
        ))?;
        Ok(again)
    }

    /// White of the second game is absent.
    fn missed(&mut self, pairing: BoardId, at: Micros) -> Result<(), DemoError> {
        let state = self.director.state()?;
        let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
        let Some(absent) = board.and_then(|board| board.gold().cloned()) else { return Ok(()) };
        let forfeit = Command::Forfeit { pairing, absent: vec![absent.clone()], waited_until: None };
        self.director.carry_out(at, &[forfeit.into()])?;
        self.progress.say(&format!("{absent} does not come to {pairing}, and forfeits it."))
    }

    /// A resigned game has no territory unless the director rules it: the rulebook rejects any that comes with the
    /// result.
    fn count(&mut self, pairing: BoardId, game: &GameId, at: Micros) -> Result<(), DemoError> {
        let replayed =
            Replayed::<GameReplay>::rebuild(&self.director.log, Scope::Stream(stream_of(game)?), &Cut::NOW)?;
        let state = replayed.state().game();
        let position = state.state().and_then(|state| state.amazons());
        let (Some(position), Some(winner)) = (position, state.ending().and_then(|ending| ending.winner))
        else {
            return Ok(());
        };
        let squares = position.board().territory(winner).count_ones();
        let effect = Effect::SetTerritory { pairing, squares };
        let reason =
            "resigned before the end; the director has counted the squares that the winner can still reach";
        self.director.carry_out(at, &[rule(effect, reason, "the final position", None)])?;
        self.progress
            .say(&format!("{game} was resigned; the director counts {squares} squares for the winner."))
    }
}

fn ended_by(game: &OngoingGame) -> Option<Termination> {
    game.events.iter().rev().find_map(|(_, event)| match event {
        GameEvent::Ended(ended) => ended.termination,
        _ => None,
    })
}
