//! One game of a run, from its setups to its end.

use annals_events::{Ended, GameEvent, Side, Termination, TurnTaken, generated};
use annals_rules::clock::Clock;
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

use super::{SelfPlay, times};
use crate::player::Settings;
use crate::referee::Beginning;
use crate::seated::{Seated, TableError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// Its number in the run, from 0.
    pub game: u64,
    /// The players of Gold and Silver, by index.
    pub seats: [usize; 2],
    /// Its events from the start to the end, with their times in microseconds since the Unix epoch.
    pub events: Vec<(i64, GameEvent<'static>)>,
    pub winner: Side,
    pub termination: Termination,
    /// Turns, setups included.
    pub turns: u64,
    /// Positions searched by both.
    pub nodes: u64,
}

/// A player made an illegal turn, which is an error in the player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "game {game} cannot continue: `{name}` played `{steps}`, and {why}. This is a fault in the player; nothing else is wrong"
)]
pub struct GameFault {
    /// The number of the game in the run.
    pub game: u64,
    pub name: String,
    pub steps: String,
    pub why: String,
}

/// Two players. They can play successive games; their tables are cleared before each.
pub struct GameTable<'r, S: Seated = Settings> {
    run: &'r SelfPlay<S>,
    /// By index of the contestant.
    players: [S::Player; 2],
    game: Game<S::Rules>,
}

impl<S: Seated> std::fmt::Debug for GameTable<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("players", &self.players).finish_non_exhaustive()
    }
}

impl<S: Seated> SelfPlay<S> {
    /// Creates the players.
    ///
    /// # Errors
    /// When there is not enough memory for the players' tables of positions, or no such evaluator, which [`SelfPlay::new`]
    /// excludes.
    pub fn table(&self) -> Result<GameTable<'_, S>, TableError> {
        let player = |place: usize| self.options.contestants[place].settings.player(&self.registry);
        Ok(GameTable { run: self, players: [player(0)?, player(1)?], game: Game::new(Strictness::Strict) })
    }
}

impl<S: Seated> GameTable<'_, S> {
    /// Plays a game of the run.
    ///
    /// # Errors
    /// When a player makes an illegal turn.
    pub fn play(&mut self, number: u64) -> Result<Generated, GameFault> {
        let run = self.run;
        let seed = run.options.seed;
        let (seats, opening) = run.seats(number);
        for player in &mut self.players {
            S::new_game(player, opening);
        }
        self.game.clear();
        let mut clock = Clock::new(run.control);
        let mut rng = Rng::of(&[seed, 0x7469_6d65, number]);
        let mut now = times::start(seed, number);
        let mut events: Vec<(i64, GameEvent<'static>)> = Vec::with_capacity(128);
        let started = started(run, seats);
        self.take(&mut events, now, started, number)?;
        let (mut nodes, mut turns) = (0, 0);
        let (winner, termination) = loop {
            if let Some((winner, termination)) = S::over(&self.game, Some(&clock), None) {
                // By the rules of 2008 and later every game has a winner.
                break (winner.unwrap_or(Side::Silver), termination);
            }
            let (Some(side), Some(label)) = (self.game.to_move(), self.game.expected_number()) else {
                break (Side::Silver, Termination::Abandoned);
            };
            let chosen = S::choose(&mut self.players[seats[side.index()]], &self.game);
            let Some((steps, looked_at)) =
                chosen.and_then(|chosen| Some((chosen.turn?, chosen.thought.map(|thought| thought.nodes))))
            else {
                break (side.other(), Termination::Resignation);
            };
            let setup = turns < S::SETUPS;
            nodes += looked_at.unwrap_or(0);
            let used = times::think(&mut clock, side, looked_at, run.least, setup, &mut rng);
            now += i64::from(used);
            if clock.game_limit_passed()
                && let Some((winner, termination)) = S::over(&self.game, Some(&clock), None)
            {
                // The turn was still in progress when the game reached its length.
                now -= i64::try_from(clock.past_limit()).unwrap_or(0);
                break (winner.unwrap_or(Side::Silver), termination);
            }
            let figures = clock.figures();
            let turn = TurnTaken {
                used: Some(used),
                gold_reserve: Some(figures.reserve(Side::Gold)),
                silver_reserve: Some(figures.reserve(Side::Silver)),
                game_time: Some(figures.game_time),
                ..TurnTaken::plain(label, side, steps)
            };
            self.take(&mut events, now, GameEvent::TurnTaken(turn), number)?;
            turns += 1;
        };
        let ended = Ended { winner: Some(winner), termination: Some(termination), stated: None, draw: false };
        self.take(&mut events, now, GameEvent::Ended(ended), number)?;
        Ok(Generated { game: number, seats, events, winner, termination, turns, nodes })
    }

    /// Folds an event strictly, and stores it.
    fn take(
        &mut self,
        events: &mut Vec<(i64, GameEvent<'static>)>,
        now: i64,
        event: GameEvent<'static>,
        number: u64,
    ) -> Result<(), GameFault> {
        let at = now.saturating_mul(1_000_000);
        match self.game.apply(Some(at), &event) {
            Ok(_) => {
                events.push((at, event));
                Ok(())
            }
            Err(error) => {
                let side = self.game.to_move().unwrap_or(Side::Gold);
                let (seats, _) = self.run.seats(number);
                let name = self.run.options.contestants[seats[side.index()]].name.clone();
                let steps = match &event {
                    GameEvent::TurnTaken(turn) => turn.steps.clone().into_owned(),
                    other => other.type_name().to_owned(),
                };
                Err(GameFault { game: number, name, steps, why: error.to_string() })
            }
        }
    }
}

fn started<S: Seated>(run: &SelfPlay<S>, seats: [usize; 2]) -> GameEvent<'static> {
    let (control, event) = (run.control.to_string(), generated::event(run.options.seed, crate::VERSION));
    let beginning = Beginning {
        game: S::KIND,
        names: seats.map(|seat| run.options.contestants[seat].name.as_str()),
        time_control: Some(&control),
        event: Some(&event),
        site: Some(generated::SITE),
        position: None,
    };
    beginning.started()
}
