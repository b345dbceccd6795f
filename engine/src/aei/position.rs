//! A position that a controller sets, as the beginning of a game.

use annals_events::{GameEvent, GameKind, PlayerAtStart, Side, Started, TurnTaken};
use annals_rules::arimaa::{Action, Arimaa, Position, Square, Token, Turn};
use annals_rules::game::{Game, GameErrorOf, Strictness};

/// A game that begins as usual, or from a position.
fn began(position: Option<String>) -> Result<Game<Arimaa>, GameErrorOf<Arimaa>> {
    let mut game = Game::new(Strictness::Archive);
    let started = Started {
        game: GameKind::Arimaa,
        gold: PlayerAtStart::default(),
        silver: PlayerAtStart::default(),
        time_control: None,
        rated: false,
        postal: false,
        event: None,
        site: None,
        position: position.map(Into::into),
        pairing: None,
        attempt: None,
    };
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
