//! One game between two programs, as the events after its start. Clocks are simulated: each side has a fixed time, and
//! times per move follow from the seed.

use annals_engine::amazons::{Player, Registry};
use annals_events::{GameEvent, GameKind, Side, Termination, TurnRetracted};
use annals_rules::amazons::{Amazons, Move};
use annals_rules::seeded::Rng;

use super::participants::Program;
use crate::DemoError;
use crate::game_in_play::{Events, GameInPlay};

#[derive(Debug, Clone)]
pub struct Request<'a> {
    pub opening: Events,
    /// Of the first turn.
    pub first: u32,
    pub programs: [&'a Program; 2],
    /// The ply at which an operator enters another move, if any.
    pub slip: Option<usize>,
    /// Determines all chance.
    pub seed: u64,
}

/// Returns the events after the opening, the ending last.
pub type PlayMatch = fn(&Request<'_>) -> Result<Events, DemoError>;

/// The reason of a retraction.
pub const SLIP: &str =
    "the operator had entered another move than the program's; retracted on the director's instruction";

enum Decided {
    Plays(Move),
    Resigns,
}

/// `decide` returns the move of the side to move, if any.
fn play(
    request: &Request<'_>,
    mut decide: impl FnMut(&mut GameInPlay<Amazons>) -> Result<Option<Decided>, DemoError>,
) -> Result<Events, DemoError> {
    let mut table = GameInPlay::<Amazons>::open(&request.opening, request.first, request.seed)?;
    loop {
        let side = table.to_move();
        if let Some(outcome) = table.game.board_says() {
            return table.end(outcome.winner, outcome.termination);
        }
        let chosen = match decide(&mut table)? {
            Some(Decided::Plays(chosen)) => chosen,
            Some(Decided::Resigns) => return table.end(Some(side.other()), Termination::Resignation),
            None => {
                let side = side.name_in(GameKind::Amazons);
                return Err(DemoError::Script(format!("{side} has a move to play and plays none")));
            }
        };
        let left = left(&table, side);
        let used = spent(&mut table.rng, request.programs[side.index()], left);
        if let Some(left) = left.filter(|left| i64::from(used) > *left) {
            // The flag falls first.
            table.wait(left + 1);
            return table.end(Some(side.other()), Termination::Time);
        }
        if request.slip == Some(table.game.plies().len()) {
            slip(&mut table, chosen, used)?;
        }
        table.turn(chosen.to_string(), Some(used))?;
    }
}

/// The operator enters a wrong move, which the director has retracted.
fn slip(table: &mut GameInPlay<Amazons>, meant: Move, used: u32) -> Result<(), DemoError> {
    let Some(position) = table.game.state() else { return Ok(()) };
    let others: Vec<Move> = position.moves().into_iter().filter(|other| *other != meant).collect();
    if others.is_empty() {
        return Ok(());
    }
    let entered = *table.rng.pick(&others);
    table.turn(entered.to_string(), Some(used))?;
    table.wait(45);
    table.take(GameEvent::TurnRetracted(TurnRetracted { reason: Some(SLIP.into()) }))
}

/// In seconds, for the rest of the game.
fn left(table: &GameInPlay<Amazons>, side: Side) -> Option<i64> {
    table.game.clock().ok().map(|clock| clock.figures().reserve(side))
}

/// Programs that watch the clock use at most a twelfth of the rest.
fn spent(rng: &mut Rng, program: &Program, left: Option<i64>) -> u32 {
    let (least, most) = program.pace;
    let thought = rng.between(least, most);
    match left {
        Some(left) if program.minds_the_clock => {
            thought.min(u32::try_from(left / 12).unwrap_or(0)).max(u32::from(left > 0))
        }
        _ => thought,
    }
}

/// By the engine.
pub fn engine(request: &Request<'_>) -> Result<Events, DemoError> {
    let player = |side: Side| {
        let mut settings = request.programs[side.index()].settings.clone();
        // A resumed game is past its beginning.
        let played = u16::try_from(request.first.saturating_sub(1)).unwrap_or(u16::MAX);
        settings.noise.turns = settings.noise.turns.saturating_sub(played);
        let mut player = Player::new(settings, &Registry::standard())?;
        player.new_game(Rng::of(&[request.seed, 2, side.index() as u64]).any());
        Ok::<_, DemoError>(player)
    };
    let mut players = [player(Side::Gold)?, player(Side::Silver)?];
    play(request, |table| {
        let choice = players[table.to_move().index()].choose(&table.game);
        Ok(choice.map(|choice| if choice.resigns { Decided::Resigns } else { Decided::Plays(choice.chosen) }))
    })
}

/// Random moves, for quick tests; resignations are random too.
#[cfg(test)]
pub fn any_moves(request: &Request<'_>) -> Result<Events, DemoError> {
    play(request, |table| {
        let side = table.to_move();
        let gives_up = request.programs[side.index()].settings.resign.is_some();
        if gives_up && table.game.plies().len() > 30 && table.rng.chance(100) {
            return Ok(Some(Decided::Resigns));
        }
        let moves = table.game.state().map(|position| position.moves()).unwrap_or_default();
        Ok((!moves.is_empty()).then(|| Decided::Plays(*table.rng.pick(&moves))))
    })
}
