//! The positions of a game that can be shown: before each turn, after each step of a turn of Arimaa, and at the end.

use annals_analytics::game_view::{GameView, Moment};
use annals_engine::evaluation::{Annals, Evaluator as _};
use annals_events::{GameKind, Side};
use annals_replay::GameReplay;
use annals_rules::AnyPosition;
use annals_rules::any_game::AnyState;
use annals_rules::arimaa::{Action, Phase, Steps, Turn};

/// A turn, or the end of the game after the last one.
pub struct TurnFrames {
    pub moment: Moment,
    /// The boards as text: before the turn, and after each of its steps but the last.
    pub boards: Vec<String>,
    /// The steps, each with the capture that it makes; a setup or a move of the Amazons is one.
    pub steps: Vec<String>,
    /// Of the position before the turn for Gold, in hundredths of a rabbit; none if it is not evaluated.
    pub evaluation: Option<i32>,
}

/// All turns, and the end.
pub fn frames(game: &GameView, replay: &GameReplay) -> Vec<TurnFrames> {
    let of_game = replay.game();
    let frame = |(at, moment): (usize, Moment)| {
        let played = moment.played.as_ref().map_or("", |turn| turn.steps.as_str());
        let (boards, steps) = match AnyPosition::read(&moment.board, Some(moment.to_move), Some(game.game)) {
            Ok(position) => steps_of(&position, played),
            Err(_) => (vec![moment.board.clone()], whole(played)),
        };
        let state = match at.checked_sub(1) {
            Some(before) => {
                of_game.plies().get(before).filter(|ply| ply.outcome.is_none()).map(|ply| &ply.state_after)
            }
            None => of_game.initial_state().filter(|_| !played.is_empty()),
        };
        TurnFrames { evaluation: state.and_then(evaluation), moment, boards, steps }
    };
    game.moments().enumerate().map(frame).collect()
}

/// A turn as one step.
fn whole(played: &str) -> Vec<String> {
    if played.is_empty() { Vec::new() } else { vec![played.to_owned()] }
}

/// The boards before the turn and within it, and the steps.
fn steps_of(position: &AnyPosition, played: &str) -> (Vec<String>, Vec<String>) {
    let before = match position {
        AnyPosition::Arimaa(before) => before,
        AnyPosition::Amazons(position) => return (vec![position.board().to_string()], whole(played)),
    };
    let mut boards = vec![before.board().to_string()];
    let mut words = Vec::new();
    let mut steps = Steps::begin(before);
    for token in Turn::parse(played.as_bytes()).iter().flat_map(Turn::tokens) {
        let Action::Step(direction) = token.action() else { continue };
        let Ok(captured) = steps.step(*token, direction) else {
            return (vec![boards.remove(0)], whole(played));
        };
        words.push(captured.map_or(token.to_string(), |captured| format!("{token} {captured}")));
        boards.push(steps.board().to_string());
    }
    if words.is_empty() {
        return (boards, whole(played));
    }
    // The board after the last step is that before the next turn.
    boards.truncate(words.len());
    (boards, words)
}

/// For Gold.
fn evaluation(state: &AnyState) -> Option<i32> {
    let state = state.arimaa().filter(|state| matches!(state.phase(), Phase::SetUp | Phase::Play))?;
    let value = Annals.evaluate(&Steps::begin(state.position()));
    Some(if state.position().to_move() == Side::Gold { value } else { -value })
}

/// The names of the sides.
pub const fn sides(kind: GameKind) -> [&'static str; 2] {
    match kind {
        GameKind::Arimaa => ["gold", "silver"],
        GameKind::Amazons => ["White", "Black"],
    }
}
