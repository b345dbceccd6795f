//! The final: rounds are paired as the rulebook asks, the games of a round are played on all cores, and everything is recorded
//! in the order in which it happens. A game of round 1 is halted and goes on, one of round 2 is invalidated after round 3 was
//! paired, and in round 3 somebody asks for a change of round 1, which comes too late.

use annals_events::tournament::{DisputeFiled, Effect, Failure};
use annals_events::{BoardId, GameId, Micros, PlayerId};
use annals_replay::handler::Step;
use annals_replay::{Cut, GameReplay, Replayed, Scope};
use annals_rules::seeded::Rng;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use super::bout::{Bout, Request};
use super::cast::Cast;
use crate::commands::demo::boards::{Course, Halt, Next, seats, side_by_side, turn_after};
use crate::commands::demo::desk::{Desk, stream_of, time};
use crate::commands::demo::table::{HOUR, MINUTE};
use crate::commands::demo::talk::Progress;
use crate::commands::demo::under_way::{UnderWay, narrate, rule, tell_board};
use crate::errors::CliError;

/// The rule by which no further round is paired.
const NEEDED: &str = "round.needed";
/// From one round to the next.
const ROUND: Micros = 12 * HOUR;

/// The game that is halted, and after how many plies at least: the setups and a turn of each.
const HALTED: (BoardId, usize) = (BoardId { round: 1, board: 1 }, 4);
/// The game whose result is invalidated.
const INVALIDATED: BoardId = BoardId { round: 2, board: 1 };
/// The game of which somebody complains when it is too late.
const TOO_LATE: BoardId = BoardId { round: 1, board: 2 };

/// Instants of the final that are worth going back to.
#[derive(Debug, Clone, Default)]
pub struct Instants {
    /// A game that was halted, and just before it was.
    pub halted: Option<(GameId, Micros)>,
    /// When round 3 had been paired on a result that was invalidated afterwards.
    pub believed: Option<Micros>,
    /// The last round.
    pub rounds: u32,
}

/// The final in the hands of the director.
struct Final<'a> {
    desk: &'a mut Desk,
    players: Players<'a>,
    talk: &'a Progress,
    instants: Instants,
}

/// Who sits at the boards, and what plays there.
#[derive(Clone, Copy)]
struct Players<'a> {
    cast: &'a Cast,
    seed: u64,
    bout: Bout,
    talk: &'a Progress,
}

/// Plays the final to its champion.
pub fn play(
    desk: &mut Desk,
    cast: &Cast,
    seed: u64,
    bout: Bout,
    talk: &Progress,
) -> Result<Instants, CliError> {
    let mut slot = time("2015-03-01T12:00")?;
    let players = Players { cast, seed, bout, talk };
    let mut play = Final { desk, players, talk, instants: Instants::default() };
    loop {
        slot = slot.max(play.desk.now() + HOUR);
        let Some(round) = play.desk.pair(slot, NEEDED)? else { return Ok(play.instants) };
        play.instants.rounds = round;
        play.round(round, slot + HOUR)?;
        if round == INVALIDATED.round {
            play.invalidate()?;
        }
        slot += ROUND;
    }
}

impl Players<'_> {
    /// Plays a game that has begun; gives what happens after its opening.
    fn play_on(&self, state: &Tournament, open: &UnderWay, first: u32) -> Result<UnderWay, CliError> {
        let BoardId { round, board } = open.pairing;
        let ([gold, silver], attempt) = seats(state, open.pairing)?;
        let settings = |player: &PlayerId| {
            let bot = self.cast.bot(player);
            bot.map(|bot| &bot.settings).ok_or_else(|| CliError::new(format!("{player} is not of the cast")))
        };
        let parts = [self.seed, 4, u64::from(round), u64::from(board), u64::from(attempt)];
        let request = Request {
            opening: open.events.clone(),
            first,
            settings: [settings(gold)?, settings(silver)?],
            seed: Rng::of(&parts).any(),
        };
        let events = (self.bout)(&request)?;
        self.talk.game();
        Ok(UnderWay { pairing: open.pairing, game: open.game.clone(), events })
    }
}

impl Final<'_> {
    fn round(&mut self, number: u32, begins: Micros) -> Result<(), CliError> {
        let state = self.desk.state()?;
        let Some(round) = state.rounds.get(&number) else { return Ok(()) };
        let mut openings = Vec::new();
        for (board, minutes) in round.boards.keys().zip(0..) {
            openings
                .push(self.desk.begin(BoardId { round: number, board: *board }, begins + minutes * MINUTE)?);
        }
        if number == TOO_LATE.round + 2 {
            self.too_late(begins + 20 * MINUTE)?;
        }
        let (state, players) = (self.desk.state()?, self.players);
        let games = side_by_side(&openings, |open| players.play_on(&state, open, 1))?;
        let mut course = Course::of(games, HALTED);
        while let Some(next) = course.pop() {
            match next {
                Next::Halted(game, halt) => course.goes_on(self.halt(&game, &halt)?),
                Next::Over(game, at) => self.desk.finish(game, at)?,
            }
        }
        narrate(self.talk, &self.desk.state()?, number)
    }

    /// A move did not reach a player: the game is halted, made unrated, and goes on from the ply before.
    fn halt(&mut self, game: &UnderWay, halt: &Halt) -> Result<UnderWay, CliError> {
        self.instants.halted = Some((game.game.clone(), halt.at));
        let reason = "a turn was sent and never reached the other side";
        let open = self.desk.halt(game, halt, (MINUTE, reason, SERVER))?;
        let again = self.players.play_on(&self.desk.state()?, &open, turn_after(halt.stands()))?;
        self.talk.say(format!(
            "{} is halted after {} plies: a turn was lost. It goes on from ply {} as {}, unrated.",
            game.game,
            halt.played,
            halt.stands(),
            again.game
        ))?;
        Ok(again)
    }

    /// Round 3 is paired; then it turns out that a program was misconfigured in a game of round 2. The result is taken away, the
    /// pairing with it, and the game is replayed before round 3 is paired again.
    fn invalidate(&mut self) -> Result<(), CliError> {
        let at = self.desk.now() + HOUR;
        let Some(paired) = self.desk.pair(at, NEEDED)? else { return Ok(()) };
        self.instants.believed = Some(at + MINUTE);
        let state = self.desk.state()?;
        let pairing = INVALIDATED;
        let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
        let Some(game) = board.and_then(|board| board.games.values().next_back().cloned()) else {
            return Err(CliError::new(format!("{pairing} has no game that could be invalidated")));
        };
        let scope = Scope::Stream(stream_of(&game)?);
        let replay = Replayed::<GameReplay>::rebuild(&self.desk.log, scope, &Cut::NOW)?;
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
        self.desk.carry_out(at + HOUR, &[ruled(effect, reason, None)])?;
        self.talk.say(format!(
            "Round {paired} is paired; then {game} is invalidated, since a program had the wrong settings. The pairing \
             is revoked with it, and the game is replayed from ply {ply}."
        ))?;
        let open = self.desk.begin(pairing, at + 2 * HOUR)?;
        let again = self.players.play_on(&self.desk.state()?, &open, turn_after(ply))?;
        let ends = again.ends();
        self.desk.finish(again, ends)?;
        tell_board(self.talk, &self.desk.state()?, pairing)
    }

    /// Somebody complains of a game of round 1 when round 3 has begun: nothing of it can change any more.
    fn too_late(&mut self, at: Micros) -> Result<(), CliError> {
        let pairing = TOO_LATE;
        let state = self.desk.state()?;
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
        self.desk.carry_out(at, &[dispute.into()])?;
        let effect = Effect::Invalidate {
            pairing,
            game: None,
            ply: 0,
            failure: Failure::ExtraneousProcess,
            clocks: None,
        };
        let number = u32::try_from(self.desk.state()?.disputes.len()).ok();
        let ruling = ruled(effect, "a backup ran during the game", number);
        let refusal = self.desk.refused(at + 10 * MINUTE, &[ruling], "ruling.frozen")?;
        self.talk.say(format!("{by} asks for {pairing} to be played again, and is refused: {refusal}"))?;
        let reason = "dismissed: round 3 has begun, and nothing of round 1 changes any more";
        self.desk.carry_out(at + 15 * MINUTE, &[ruled(Effect::Nothing, reason, number)]).map(drop)
    }
}

/// On what rulings rest: the server's own log.
const SERVER: &str = "the log of the tournament server";

fn ruled(effect: Effect, reason: &str, dispute: Option<u32>) -> Step {
    rule(effect, reason, SERVER, dispute)
}
