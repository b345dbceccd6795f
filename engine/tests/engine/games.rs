//! Whole games between players.

use annals_engine::evaluation::Registry;
use annals_engine::player::{Player, Settings, SetupStyle};
use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Game, Strictness};

fn started() -> GameEvent<'static> {
    GameEvent::Started(Box::new(Started::plain(GameKind::Arimaa, None)))
}

fn turns(plies: usize) -> Vec<String> {
    let settings = Settings { setup: SetupStyle::Random, seed: 7, ..Settings::default() };
    let mut player = Player::new(settings, &Registry::standard()).unwrap();
    let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
    game.apply(None, &started()).unwrap();
    let mut said = Vec::new();
    while said.len() < plies
        && let Some(choice) = player.choose(&game)
    {
        let side = game.to_move().unwrap_or(Side::Gold);
        let text = choice.turn.to_string();
        let number = game.expected_number().unwrap();
        game.apply(None, &GameEvent::TurnTaken(TurnTaken::plain(number, side, &text))).unwrap();
        said.push(text);
    }
    said
}

#[test]
fn a_player_plays_legal_turns_with_their_captures_and_the_same_ones_again() {
    let first = turns(16);
    assert_eq!(first.len(), 16);
    assert_eq!(first, turns(16));
}
