//! One synthetic game: turns, clock, log. A draft depends on its plan alone, so that threads do not matter; players are
//! chosen later, in order.

use annals_events::{PlayerKind, Side, Termination};
use annals_rules::arimaa::{Arimaa, Phase, State, Token, Turn};
use annals_rules::clock::{Clock, GameLimit, TimeControl};
use annals_rules::game::{Era, Rules, Strictness};
use annals_rules::seeded::Rng;

use super::play::Player;
use super::seeds::{self, Seed};
use crate::archive_row::text::push_tokens;
use crate::archive_row::{Figures, Transcript};

pub(super) struct Plan<'s> {
    /// Seeds: archive, game, attempt.
    pub parts: [u64; 3],
    /// Seconds since the Unix epoch.
    pub start: i64,
    /// Games without server log have the old style, with takebacks.
    pub logged: bool,
    /// A game to be mirrored and continued differently.
    pub material: Option<&'s Seed>,
}

/// A game without players.
pub(super) struct Draft {
    pub movelist: Vec<u8>,
    pub log: Vec<u8>,
    pub end: i64,
    /// None is a draw.
    pub winner: Option<Side>,
    pub termination: Termination,
    pub plycount: u32,
    /// Completed ones, retracted included.
    pub turns: u64,
    pub control: &'static str,
    pub kinds: [PlayerKind; 2],
    pub rated: bool,
    /// Of the move list.
    pub digest: u128,
}

const LOGGED_CONTROLS: [&str; 14] = [
    "2/2/100/10/8",
    "2/2/100/10/8",
    "2/2/100/10/8",
    "2/2/100/10/8",
    "8s/0/0",
    "8s/0/100",
    "0:30/3/100/5/8",
    "15s/2m30s/100",
    "2m/6m/100/0/7h13s/0",
    "2/2/100/5/0",
    "30s/5m/100",
    "4m/10m/100/0/16h/10m",
    "1m/4m/100/0/4h/4m",
    "15s/2m30s/100/0/1h/2m30s",
];
const OLD_CONTROLS: [&str; 6] =
    ["3/3/100/3/0", "4/4/100/4/0", "2/2/100/2/0", "1/1/100/1/0", "10/10/100/10/0", "0/0/0/0/0"];

/// The longest game, in plies.
const MOST_PLIES: u32 = 240;

/// Makes drafts with reusable buffers.
#[derive(Default)]
pub(super) struct Workshop {
    player: Player,
    transcript: Transcript,
    steps: Vec<u8>,
    line: Vec<u64>,
}

impl Workshop {
    pub fn draft(&mut self, plan: &Plan<'_>) -> Draft {
        let mut rng = Rng::of(&plan.parts);
        let control = *rng.pick(if plan.logged { &LOGGED_CONTROLS[..] } else { &OLD_CONTROLS[..] });
        let kind = |rng: &mut Rng| {
            if plan.logged && rng.chance(520) { PlayerKind::Bot } else { PlayerKind::Human }
        };
        let kinds = [kind(&mut rng), kind(&mut rng)];
        let rated = rng.chance(800);
        self.line.clear();
        self.transcript.clear();
        let mut game = Making {
            clock: TimeControl::parse(control).ok().map(Clock::new),
            state: State::new(Era::at(Some(plan.start * 1_000_000))),
            number: 1,
            side: Side::Gold,
            turns: 0,
            now: plan.start + 1,
            logged: plan.logged,
            kinds,
            rng,
            shop: self,
        };
        game.greet(plan.start);
        let (winner, termination, plycount) = game.play(plan.material);
        Draft {
            digest: seeds::digest(game.shop.transcript.list()),
            end: game.now,
            turns: game.turns,
            movelist: game.shop.transcript.list().to_vec(),
            log: game.shop.transcript.log().to_vec(),
            winner,
            termination,
            plycount,
            control,
            kinds,
            rated,
        }
    }
}

struct Making<'w> {
    shop: &'w mut Workshop,
    rng: Rng,
    clock: Option<Clock>,
    state: State,
    number: u32,
    side: Side,
    turns: u64,
    /// Seconds since the Unix epoch.
    now: i64,
    logged: bool,
    kinds: [PlayerKind; 2],
}

type End = (Option<Side>, Termination, u32);

impl Making<'_> {
    fn play(&mut self, material: Option<&Seed>) -> End {
        let plies_planned = self.rng.chance(330).then(|| self.rng.between(4, 100));
        match material {
            Some(seed) => {
                let kept = self.rng.between(2, seed.turns.len() as u32 - 1) as usize;
                self.follow(&seed.turns[..kept]);
            }
            None => self.set_up(),
        }
        loop {
            let line = &self.shop.line;
            let seen = |hash: u64| line.iter().filter(|seen| **seen == hash).count() as u32;
            if let Some(outcome) = Arimaa::outcome(&self.state, seen) {
                return self.end_on_board(outcome.winner, outcome.termination);
            }
            let plies = 2 * (self.number - 1) + u32::from(self.side == Side::Silver);
            if plies_planned.is_some_and(|planned| plies >= planned) || plies >= MOST_PLIES {
                return if self.rng.chance(600) { self.lose_on_time() } else { self.resign() };
            }
            let position = *self.state.position();
            let era = self.state.era();
            let Some(after) = self.shop.player.turn(&position, &self.shop.line, era, &mut self.rng) else {
                return self.resign();
            };
            if self.logged && !self.shop.player.unfinished.is_empty() && self.rng.chance(15) {
                self.reject();
            }
            let tokens = std::mem::take(&mut self.shop.player.tokens);
            self.took(&tokens, false);
            self.shop.player.tokens = tokens;
            if !self.logged && self.rng.chance(8) {
                self.take_back();
            } else {
                self.stand(State::from_position(after, era));
            }
        }
    }

    /// Adds the position after a turn.
    fn stand(&mut self, state: State) {
        self.state = state;
        if Arimaa::counts_for_repetition(&self.state) {
            self.shop.line.push(self.state.position().hash());
        }
        if self.side == Side::Silver {
            self.number += 1;
        }
        self.side = self.side.other();
    }

    fn set_up(&mut self) {
        for side in Side::BOTH {
            self.shop.player.setup(side, &mut self.rng);
            let tokens = std::mem::take(&mut self.shop.player.tokens);
            self.try_turn(&tokens);
            self.shop.player.tokens = tokens;
        }
    }

    /// Plays a known game mirrored, as far as the rules of its date allow.
    fn follow(&mut self, turns: &[Turn]) {
        let mut trial = self.state;
        let setups = turns.iter().take(2).map(|turn| turn_of(&seeds::mirrored(turn).collect::<Vec<_>>()));
        for setup in setups {
            let played = setup.is_some_and(|turn| trial.play_turn(&turn, Strictness::Strict, |_| 0).is_ok());
            if !played || trial.phase() == Phase::Play {
                // Perhaps a handicap game: use a new one.
                return self.set_up();
            }
        }
        for turn in turns {
            let mut tokens: Vec<Token> = seeds::mirrored(turn).collect();
            if let Some(mirrored) = turn_of(&tokens)
                && let Ok(exact) = self.state.normal_text(&mirrored)
            {
                tokens.clear();
                tokens.extend_from_slice(exact.tokens());
            }
            if !self.try_turn(&tokens) {
                break;
            }
        }
    }

    /// Plays a turn if it is legal and the game is not over.
    fn try_turn(&mut self, tokens: &[Token]) -> bool {
        let line = &self.shop.line;
        let seen = |hash: u64| line.iter().filter(|seen| **seen == hash).count() as u32;
        let Some(turn) = turn_of(tokens) else { return false };
        let mut state = self.state;
        if Arimaa::outcome(&self.state, seen).is_some()
            || state.play_turn(&turn, Strictness::Strict, seen).is_err()
        {
            return false;
        }
        self.took(tokens, state.phase() != Phase::Play);
        self.stand(state);
        true
    }

    /// Writes a completed turn to list and log, and charges its time.
    fn took(&mut self, tokens: &[Token], setup: bool) {
        self.turns += 1;
        let mut steps = std::mem::take(&mut self.shop.steps);
        steps.clear();
        push_tokens(&mut steps, tokens);
        self.shop.transcript.list_turn(self.number, self.side, &steps);
        let used = self.think(setup);
        self.now += i64::from(used);
        if self.logged {
            self.shop.transcript.received(self.now, self.number, self.side, &steps);
        }
        self.shop.steps = steps;
        if !self.logged {
            return;
        }
        self.clock_line(used);
        if self.rng.chance(600) {
            let late = i64::from(self.rng.chance(300));
            let side = if self.rng.chance(500) { Side::Gold } else { Side::Silver };
            self.shop.transcript.player(self.now + late, side, "present");
            self.now += late;
        }
    }

    /// Chooses a time within the clock and charges it.
    fn think(&mut self, setup: bool) -> u32 {
        let Some(clock) = &mut self.clock else { return self.rng.between(1, 60) };
        let control = clock.control();
        let bot = self.kinds[self.side.index()] == PlayerKind::Bot;
        let free = if control.is_untimed() { 300 } else { control.free_time(setup) };
        let mut used = if bot {
            self.rng.between(free / 8 + 1, free.max(8) * 3 / 4 + 1)
        } else {
            // Humans are mostly quick, sometimes slow.
            let quick = self.rng.between(1, free / 2 + 4);
            if self.rng.chance(120) { quick + self.rng.between(0, free + 30) } else { quick }
        };
        // Well before the game limit, both hurry.
        if let Some(GameLimit::Seconds(limit)) = control.game_limit()
            && clock.figures().game_time > u64::from(limit) / 2
        {
            used = 1;
        }
        while used > 0 {
            let mut trial = *clock;
            if trial.charge(self.side, used, setup).flag.is_none() {
                *clock = trial;
                return used;
            }
            used /= 2;
        }
        let _ = clock.charge(self.side, 0, setup);
        0
    }

    fn clock_line(&mut self, used: u32) {
        let Some(clock) = &self.clock else { return };
        let shown = clock.figures();
        let figures = Figures { used, reserves: shown.reserves, game_time: shown.game_time };
        self.shop.transcript.after(self.now, self.number, self.side, &figures);
    }

    /// Players join, and the game begins.
    fn greet(&mut self, start: i64) {
        if !self.logged {
            return;
        }
        let wait = i64::from(self.rng.between(1, 60));
        let first = if self.rng.chance(500) { Side::Gold } else { Side::Silver };
        for (at, side) in [(start - wait, first), (start - 1, first.other())] {
            self.shop.transcript.player(at, side, "joining");
            self.shop.transcript.player(at, side, "present");
        }
        self.shop.transcript.begins(start + 1);
    }

    /// A rejected move, which ended in a push.
    fn reject(&mut self) {
        let mut steps = Vec::new();
        push_tokens(&mut steps, &self.shop.player.unfinished);
        self.shop.transcript.received(self.now, self.number, self.side, &steps);
        self.shop.transcript.rejected(self.now, &steps, b"push not completed");
    }

    /// Retracts the turn just written; its label is due again.
    fn take_back(&mut self) {
        let (number, side) = match self.side {
            Side::Gold => (self.number, Side::Silver),
            Side::Silver => (self.number + 1, Side::Gold),
        };
        self.shop.transcript.list_turn(number, side, b"takeback");
    }

    fn end_on_board(&mut self, winner: Option<Side>, termination: Termination) -> End {
        self.shop.transcript.list_end(self.number, self.side);
        self.finish(winner, termination);
        (winner, termination, self.last_number())
    }

    fn resign(&mut self) -> End {
        let winner = Some(self.side.other());
        let number = self.number;
        let used = self.think(false);
        self.now += i64::from(used);
        if self.logged {
            self.shop.transcript.result(self.now, winner, Termination::Resignation, self.side);
            self.clock_line(used);
        } else if self.rng.chance(300) {
            self.shop.transcript.list_turn(self.number, self.side, b"resign");
            if self.side == Side::Silver {
                self.number += 1;
            }
            self.side = self.side.other();
        }
        self.shop.transcript.list_end(self.number, self.side);
        self.finish(winner, Termination::Resignation);
        (winner, Termination::Resignation, number)
    }

    fn lose_on_time(&mut self) -> End {
        let Some(clock) = self.clock.filter(|clock| !clock.control().is_untimed()) else {
            return self.resign();
        };
        let left = clock.figures().reserve(self.side).max(0);
        self.now += i64::from(clock.control().move_time()) + left + 1;
        let winner = Some(self.side.other());
        if self.logged && self.rng.chance(130) {
            // A turn that was too late.
            let position = *self.state.position();
            let _ = self.shop.player.turn(&position, &self.shop.line, self.state.era(), &mut self.rng);
            let mut steps = Vec::new();
            push_tokens(&mut steps, &self.shop.player.tokens);
            self.shop.transcript.received(self.now, self.number, self.side, &steps);
        }
        self.shop.transcript.list_end(self.number, self.side);
        self.finish(winner, Termination::Time);
        (winner, Termination::Time, self.last_number())
    }

    fn finish(&mut self, winner: Option<Side>, termination: Termination) {
        if self.logged {
            self.shop.transcript.finished(self.now, winner, termination);
        }
    }

    /// Of completed turns.
    const fn last_number(&self) -> u32 {
        match self.side {
            Side::Gold => self.number - 1,
            Side::Silver => self.number,
        }
    }
}

fn turn_of(tokens: &[Token]) -> Option<Turn> {
    let mut turn = Turn::parse(b"").ok()?;
    tokens.iter().all(|token| turn.push(*token)).then_some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_follows_from_its_plan_alone() {
        let plan = |index| Plan { parts: [1, index, 0], start: 1_700_000_000, logged: true, material: None };
        let (mut a, mut b) = (Workshop::default(), Workshop::default());
        let first = a.draft(&plan(1));
        let _ = b.draft(&plan(9));
        let same = b.draft(&plan(1));
        assert_eq!((&first.movelist, &first.log), (&same.movelist, &same.log));
        assert_ne!(first.digest, a.draft(&plan(2)).digest);
    }
}
