//! One game between two settings, as the events after its start. Clocks are simulated: times follow from the seed.

use std::sync::Arc;

use annals_engine::evaluation::{AnnalsWith, Parameters, Registry};
use annals_engine::player::{Player, Settings};
use annals_events::{Side, Termination};
use annals_rules::arimaa::{Arimaa, Turn, TurnKind};
use annals_rules::clock::Clock;
use annals_rules::scoring::Score;
use annals_rules::seeded::Rng;

use crate::DemoError;
use crate::game_in_play::{Events, GameInPlay};

#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The start, and for a resumed game the clocks.
    pub opening: Events,
    /// Of the first turn.
    pub first: u32,
    pub settings: [&'a Settings; 2],
    /// Determines all chance.
    pub seed: u64,
}

/// Returns the events after the opening, the ending last.
pub type PlayMatch = fn(&Request<'_>) -> Result<Events, DemoError>;

/// In simulated time; false if the game length was reached first.
fn take_turn(table: &mut GameInPlay<Arimaa>, turn: &Turn, setup: bool) -> Result<bool, DemoError> {
    let side = table.to_move();
    let used = match table.game.clock() {
        Ok(clock) => {
            let used = spent(&mut table.rng, &clock, side, setup);
            if let Some(left) = clock.game_time_left().filter(|left| u64::from(used) > *left) {
                table.wait(i64::try_from(left).unwrap_or(0));
                return Ok(false);
            }
            Some(used)
        }
        Err(_) => None,
    };
    table.turn(turn.to_string(), used)?;
    Ok(!table.game.limit_reached())
}

/// The winner at the game length.
fn by_score(table: &GameInPlay<Arimaa>) -> Option<Side> {
    match table.game.score() {
        Score::Won(side) => Some(side),
        Score::Draw | Score::Undecidable(_) => None,
    }
}

fn open(request: &Request<'_>) -> Result<GameInPlay<Arimaa>, DemoError> {
    GameInPlay::open(&request.opening, request.first, request.seed)
}

/// About the move time, sometimes some reserve, never a flag fall.
fn spent(rng: &mut Rng, clock: &Clock, side: Side, setup: bool) -> u32 {
    let control = clock.control();
    if setup {
        return rng.between(5, 20);
    }
    let free = control.free_time(false);
    let reserve = u32::try_from(clock.figures().reserve(side).max(0)).unwrap_or(u32::MAX);
    let longest = free.saturating_add(reserve / 3).min(control.turn_limit().unwrap_or(u32::MAX));
    let at_most = if rng.chance(100) { free.saturating_mul(2) } else { free };
    let thought = rng.between(free / 2, at_most);
    thought.clamp(1, longest.max(1))
}

/// By the engine.
pub fn engine(request: &Request<'_>) -> Result<Events, DemoError> {
    let mut table = open(request)?;
    // So the log of the demonstration stays the same.
    let mut registry = Registry::standard();
    registry.register(Arc::new(AnnalsWith(Parameters::FIRST)));
    let player = |side: Side| {
        let mut settings = request.settings[side.index()].clone();
        // A resumed game is past its beginning: setups are turn 1.
        let played = u16::try_from(request.first.saturating_sub(2)).unwrap_or(u16::MAX);
        settings.noise.turns = settings.noise.turns.saturating_sub(played);
        let mut player = Player::new(settings, &registry)?;
        player.new_game(Rng::of(&[request.seed, 2, side.index() as u64]).any());
        Ok::<_, DemoError>(player)
    };
    let mut players = [player(Side::Gold)?, player(Side::Silver)?];
    loop {
        let side = table.to_move();
        let Some(choice) = players[side.index()].choose(&table.game) else {
            // A game that begins with the side to move immobilized.
            return table.end(Some(side.other()), Termination::Immobilization);
        };
        if choice.turn.kind() == TurnKind::Resign {
            return table.end(Some(side.other()), Termination::Resignation);
        }
        let setup = choice.turn.kind() == TurnKind::Setup;
        let resume = take_turn(&mut table, &choice.turn, setup)?;
        if let Some(outcome) = table.game.board_says() {
            return table.end(outcome.winner, outcome.termination);
        }
        if !resume {
            let winner = by_score(&table);
            return table.end(winner, Termination::Score);
        }
    }
}

/// A short game decided by a weighted coin, for quick tests.
#[cfg(test)]
pub fn coin(request: &Request<'_>) -> Result<Events, DemoError> {
    use annals_rules::game::Rules as _;

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";
    let mut table = open(request)?;
    let parsed = |text: &str| Turn::parse(text.as_bytes()).map_err(|e| DemoError::Script(e.to_string()));
    let state = |table: &GameInPlay<Arimaa>| table.game.state().copied();
    if state(&table).is_some_and(|state| state.phase() == annals_rules::arimaa::Phase::GoldSetup) {
        take_turn(&mut table, &parsed(GOLD)?, true)?;
        take_turn(&mut table, &parsed(SILVER)?, true)?;
    }
    for _ in 0..table.rng.between(4, 9) {
        let Some(at_the_board) = state(&table) else { break };
        let letter = if at_the_board.position().to_move() == Side::Gold { 'H' } else { 'h' };
        // The horses at the edge go to and fro.
        let mut legal: Vec<String> = Vec::new();
        for (file, rank, way) in (2..=7).flat_map(|rank| ["n", "s"].map(|way| ('a', rank, way))) {
            for file in [file, 'h'] {
                let text = format!("{letter}{file}{rank}{way}");
                let mut tried = at_the_board;
                if Arimaa::play(&mut tried, text.as_bytes(), annals_rules::game::Strictness::Strict, |hash| {
                    table.game.occurrences(hash)
                })
                .is_ok()
                {
                    legal.push(text);
                }
            }
        }
        if legal.is_empty() {
            break;
        }
        let text = table.rng.pick(&legal).clone();
        take_turn(&mut table, &parsed(&text)?, false)?;
    }
    let nodes = |side: usize| request.settings[side].limits.nodes.unwrap_or(1) as u32 + 1;
    let gold = table.rng.below(nodes(0) + nodes(1)) < nodes(0);
    table.end(Some(if gold { Side::Gold } else { Side::Silver }), Termination::Resignation)
}
