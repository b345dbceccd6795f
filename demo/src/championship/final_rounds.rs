//! The final: rounds are paired by the rulebook, games played on all cores, and everything recorded in order of time. A
//! game of round 1 is halted and resumed, one of round 2 is invalidated after round 3 was paired, and in round 3 a
//! change of round 1 is requested too late.

use annals_events::tournament::{DisputeFiled, Effect, Failure};
use annals_events::{BoardId, GameId, Micros, PlayerId};
use annals_replay::handler::Step;
use annals_replay::{Cut, GameReplay, Replayed, Scope};
use annals_rules::seeded::Rng;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use super::matches::{PlayMatch, Request};
use super::participants::Participants;
use crate::boards::{Halt, Next, RoundGames, seats, side_by_side, turn_after};
use crate::director::{Director, stream_of, time};
use crate::game_in_play::{HOUR, MINUTE};
use crate::ongoing_game::{OngoingGame, narrate, narrate_board, rule};
use crate::{DemoError, Progress};

/// The rule that ends pairing.
const NEEDED: &str = "round.needed";
/// Between rounds.
const ROUND: Micros = 12 * HOUR;

/// The halted game, and its least plies: setups and a turn each.
const HALTED: (BoardId, usize) = (BoardId { round: 1, board: 1 }, 4);
/// Its result is invalidated.
const INVALIDATED: BoardId = BoardId { round: 2, board: 1 };
/// A complaint about it comes too late.
const TOO_LATE: BoardId = BoardId { round: 1, board: 2 };

/// Instants for the follow-up.
#[derive(Debug, Clone, Default)]
pub struct Instants {
    /// A halted game, and just before the halt.
    pub halted: Option<(GameId, Micros)>,
    /// Round 3 paired on a result that was invalidated later.
    pub believed: Option<Micros>,
    pub rounds: u32,
}

struct Final<'a> {
    director: &'a mut Director,
    players: Players<'a>,
    progress: &'a dyn Progress,
    instants: Instants,
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
    let mut slot = time("2015-03-01T12:00")?;
    let players = Players { participants, seed, play_match, progress };
    let mut play = Final { director, players, progress, instants: Instants::default() };
    loop {
        slot = slot.max(play.director.now() + HOUR);
        let Some(round) = play.director.pair(slot, NEEDED)? else { return Ok(play.instants) };
        play.instants.rounds = round;
        play.round(round, slot + HOUR)?;
        if round == INVALIDATED.round {
            play.invalidate()?;
        }
        slot += ROUND;
    }
}

impl Players<'_> {
    /// Returns the events after its opening.
    fn play_on(&self, state: &Tournament, open: &OngoingGame, first: u32) -> Result<OngoingGame, DemoError> {
        let BoardId { round, board } = open.pairing;
        let ([gold, silver], attempt) = seats(state, open.pairing)?;
        let settings = |player: &PlayerId| {
            let bot = self.participants.bot(player);
            bot.map(|bot| &bot.settings)
                .ok_or_else(|| DemoError::Script(format!("{player} is not of the cast")))
        };
        let parts = [self.seed, 4, u64::from(round), u64::from(board), u64::from(attempt)];
        let request = Request {
            opening: open.events.clone(),
            first,
            settings: [settings(gold)?, settings(silver)?],
            seed: Rng::of(&parts).any(),
        };
        let events = (self.play_match)(&request)?;
        self.progress.game();
        Ok(OngoingGame { pairing: open.pairing, game: open.game.clone(), events })
    }
}

impl Final<'_> {
    fn round(&mut self, number: u32, begins: Micros) -> Result<(), DemoError> {
        let state = self.director.state()?;
        let Some(round) = state.rounds.get(&number) else { return Ok(()) };
        let mut openings = Vec::new();
        for (board, minutes) in round.boards.keys().zip(0..) {
            openings.push(
                self.director.begin(BoardId { round: number, board: *board }, begins + minutes * MINUTE)?,
            );
        }
        if number == TOO_LATE.round + 2 {
            self.too_late(begins + 20 * MINUTE)?;
        }
        let (state, players) = (self.director.state()?, self.players);
        let games = side_by_side(&openings, |open| players.play_on(&state, open, 1))?;
        let mut games = RoundGames::of(games, HALTED);
        while let Some(next) = games.pop() {
            match next {
                Next::Halted(game, halt) => games.resume(self.halt(&game, &halt)?),
                Next::Over(game, at) => self.director.finish(game, at)?,
            }
        }
        narrate(self.progress, &self.director.state()?, number)
    }

    /// A move did not reach a player: the game is halted, made unrated, and resumed from the ply before.
    fn halt(&mut self, game: &OngoingGame, halt: &Halt) -> Result<OngoingGame, DemoError> {
        self.instants.halted = Some((game.game.clone(), halt.at));
        let reason = "a turn was sent and never reached the other side";
        let open = self.director.halt(game, halt, (MINUTE, reason, SERVER))?;
        let again = self.players.play_on(&self.director.state()?, &open, turn_after(halt.stands()))?;
        self.progress.say(&format!(
            "{} is halted after {} plies: a turn was lost. It goes on from ply {} as {}, unrated.",
            game.game,
            halt.played,
            halt.stands(),
            again.game
        ))?;
        Ok(again)
    }

    /// Round 3 is paired; then a program turns out to be misconfigured in a game of round 2. Its result and the pairing
    /// are revoked, and the game is replayed.
    fn invalidate(&mut self) -> Result<(), DemoError> {
        let at = self.director.now() + HOUR;
        let Some(paired) = self.director.pair(at, NEEDED)? else { return Ok(()) };
        self.instants.believed = Some(at + MINUTE);
        let state = self.director.state()?;
        let pairing = INVALIDATED;
        let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
        let Some(game) = board.and_then(|board| board.games.values().next_back().cloned()) else {
            return Err(DemoError::Script(format!("{pairing} has no game that could be invalidated")));
        };
        let scope = Scope::Stream(stream_of(&game)?);
        let replay = Replayed::<GameReplay>::rebuild(&self.director.log, scope, &Cut::NOW)?;
        let plies = u32::try_from(replay.state().game().plies().len()).unwrap_or(u32::MAX);
        let ply = (plies / 3).max(2);
        let effect = Effect::Invalidate {
            pairing,
            game: Some(game.clone()),
            ply,
            failure: Failure::Misconfigured,
            clocks: None,
        };
        let reason = "a program had been given the settings of another";
        self.director.carry_out(at + HOUR, &[ruled(effect, reason, None)])?;
        self.progress.say(&format!(
            "Round {paired} is paired; then {game} is invalidated, since a program had the wrong settings. The pairing \
             is revoked with it, and the game is replayed from ply {ply}."
        ))?;
        let open = self.director.begin(pairing, at + 2 * HOUR)?;
        let again = self.players.play_on(&self.director.state()?, &open, turn_after(ply))?;
        let ends = again.ends();
        self.director.finish(again, ends)?;
        narrate_board(self.progress, &self.director.state()?, pairing)
    }

    /// A complaint about round 1 when round 3 has begun: too late.
    fn too_late(&mut self, at: Micros) -> Result<(), DemoError> {
        let pairing = TOO_LATE;
        let state = self.director.state()?;
        let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
        let Some(by) = board.map(|board| board.lower().clone()) else { return Ok(()) };
        let dispute = Command::Dispute(DisputeFiled {
            number: 0,
            by: by.clone(),
            against: None,
            pairing: Some(pairing),
            claim: format!("a backup ran on the server of {by} during {pairing}"),
            grounds: Vec::new(),
            evidence: Vec::new(),
        });
        self.director.carry_out(at, &[dispute.into()])?;
        let effect = Effect::Invalidate {
            pairing,
            game: None,
            ply: 0,
            failure: Failure::ExtraneousProcess,
            clocks: None,
        };
        let number = u32::try_from(self.director.state()?.disputes.len()).ok();
        let ruling = ruled(effect, "a backup ran during the game", number);
        let refusal = self.director.refused(at + 10 * MINUTE, &[ruling], "ruling.frozen")?;
        self.progress
            .say(&format!("{by} asks for {pairing} to be played again, and is refused: {refusal}"))?;
        let reason = "dismissed: round 3 has begun, and nothing of round 1 changes any more";
        self.director.carry_out(at + 15 * MINUTE, &[ruled(Effect::Nothing, reason, number)]).map(drop)
    }
}

/// The evidence of rulings.
const SERVER: &str = "the log of the tournament server";

fn ruled(effect: Effect, reason: &str, dispute: Option<u32>) -> Step {
    rule(effect, reason, SERVER, dispute)
}
