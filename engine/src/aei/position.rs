//! A position that a controller sets, as the beginning of a game, and the turns that it says were played.

use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::arimaa::{Action, Arimaa, Illegal, Phase, Position, Square, Token, Turn, TurnKind};
use annals_rules::game::{Game, GameError, GameErrorOf, Strictness};

/// A game that begins as usual, or from a position.
fn began(position: Option<String>) -> Result<Game<Arimaa>, GameErrorOf<Arimaa>> {
    let mut game = Game::new(Strictness::Archive);
    let started = Started::plain(GameKind::Arimaa, position.map(Into::into));
    game.apply(None, &GameEvent::Started(Box::new(started)))?;
    Ok(game)
}

/// A new game: Gold is to set up.
pub(super) fn new_game() -> Result<Game<Arimaa>, GameErrorOf<Arimaa>> {
    began(None)
}

/// A game that begins from a position. The empty board is a new game, and one on which Gold alone has set up is a game
/// in which it is Silver's turn to do so.
pub(super) fn game_from(side: &str, board: &str) -> Result<Game<Arimaa>, GameErrorOf<Arimaa>> {
    let text = format!("{side} {board}");
    let game = began(Some(text.clone()))?;
    let Ok(position) = text.parse::<Position>() else { return Ok(game) };
    match position.to_move() {
        Side::Gold if position.board().taken() == 0 => new_game(),
        Side::Silver if position.board().occupied(Side::Silver) == 0 => {
            let mut new = new_game()?;
            let setup = placed(&position);
            let turn = TurnTaken::plain(1, Side::Gold, setup.to_string());
            // Where Gold's pieces stand as no setup leaves them, it is a position like any other.
            Ok(if new.apply(None, &GameEvent::TurnTaken(turn)).is_ok() { new } else { game })
        }
        _ => Ok(game),
    }
}

/// Gold's pieces as a setup.
fn placed(position: &Position) -> Turn {
    let mut turn = Turn::EMPTY;
    for square in Square::all() {
        if let Some((side, piece)) = position.board().piece_at(square) {
            turn.push(Token::new(side, piece, square, Action::Place));
        }
    }
    turn
}

/// A turn that may be played.
pub(super) struct Judged {
    /// The turn as the rules write it, where its captures were missing or others.
    pub turn: Option<Turn>,
    /// The turn, to be applied.
    pub event: TurnTaken<'static>,
}

/// That the game is over, where it is.
pub(super) fn over(game: &Game<Arimaa>) -> Option<String> {
    let outcome = game.board_says()?;
    let winner = outcome.winner.map_or("nobody", Side::word);
    Some(format!("the game is over: {winner} won by {}", outcome.termination))
}

/// Looks into a turn without playing it. Setups have to be whole; captures follow from the steps.
pub(super) fn judge(game: &Game<Arimaa>, text: &str) -> Result<Judged, String> {
    if let Some(over) = over(game) {
        return Err(over);
    }
    let Some(mut state) = game.state().copied() else { return Err("no game has begun".to_owned()) };
    let side = state.position().to_move();
    // A game from a position does not say which turn it is; any number will do.
    let number = game.expected_number().unwrap_or(2);
    let setup = matches!(state.phase(), Phase::GoldSetup | Phase::SilverSetup);
    let strictness = if setup { Strictness::Strict } else { Strictness::Archive };
    let before = *state.position();
    let mut played = || -> Result<(Turn, bool), Illegal> {
        let turn = Turn::parse(text.as_bytes())?;
        let played = state.play_turn(&turn, strictness, |hash| game.occurrences(hash))?;
        let exact =
            if !setup && turn.kind() == TurnKind::Steps { before.with_captures(&turn)? } else { turn };
        Ok((exact, played.captures_misstated))
    };
    match played() {
        Ok((exact, misstated)) => {
            let event = TurnTaken::plain(number, side, exact.to_string());
            Ok(Judged { turn: misstated.then_some(exact), event })
        }
        Err(illegal) => {
            let steps = text.chars().take(200).collect();
            let error: GameErrorOf<Arimaa> =
                GameError::IllegalTurn { number, side, steps, code: illegal.code(), illegal };
            Err(error.to_string())
        }
    }
}
