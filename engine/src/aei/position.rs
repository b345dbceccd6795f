//! Checks turns from a controller.

use annals_events::narrative;
use annals_events::{GameKind, Side, TurnTaken};
use annals_rules::game::{Game, GameError, GameErrorOf, Rules, Strictness};

use crate::seated::{Seated, side_word};

/// A legal turn.
pub(super) struct Judged {
    /// As the rules write it, if captures were missing or wrong.
    pub turn: Option<String>,
    pub event: TurnTaken<'static>,
}

pub(super) fn over<R: Rules>(game: &Game<R>, kind: GameKind) -> Option<String> {
    let outcome = game.board_says()?;
    let winner = outcome.winner.map_or("nobody", |side| side_word(kind, side));
    Some(format!("the game is over: {winner} won by {}", narrative::ending(outcome.termination)))
}

/// Checks a turn without playing it. Captures follow from the steps.
pub(super) fn judge<S: Seated>(game: &Game<S::Rules>, text: &str) -> Result<Judged, String> {
    if let Some(over) = over(game, S::KIND) {
        return Err(over);
    }
    let side = game.to_move().unwrap_or(Side::Gold);
    // A game from a position has no turn number; any will do.
    let number = game.expected_number().unwrap_or(2);
    match S::exact(game, text, Strictness::Archive) {
        Ok(exact) => {
            let event = TurnTaken::plain(number, side, exact.text.clone());
            Ok(Judged { turn: exact.misstated.then_some(exact.text), event })
        }
        Err(illegal) => {
            let steps = text.chars().take(200).collect();
            let code = S::Rules::illegal_code(&illegal);
            let error: GameErrorOf<S::Rules> = GameError::IllegalTurn { number, side, steps, code, illegal };
            Err(error.to_string())
        }
    }
}
