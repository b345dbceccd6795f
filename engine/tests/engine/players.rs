//! Players: setups, noise, giving up, and whole games that follow from the seed.

use std::collections::BTreeSet;

use annals_engine::evaluation::Registry;
use annals_engine::player::{Noise, Player, Resign, Settings, SetupStyle};
use annals_engine::search::Limits;
use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::arimaa::{Arimaa, TurnKind};
use annals_rules::game::{Game, Strictness};

fn game(position: Option<&'static str>) -> Game<Arimaa> {
    let mut game = Game::new(Strictness::Strict);
    let started = Started::plain(GameKind::Arimaa, position.map(Into::into));
    game.apply(None, &GameEvent::Started(Box::new(started))).unwrap();
    game
}

fn settings(setup: SetupStyle) -> Settings {
    Settings { setup, limits: Limits::nodes(300), hash_mib: 1, ..Settings::default() }
}

/// Plays one turn and says whether it was searched for.
fn play(player: &mut Player, game: &mut Game<Arimaa>) -> Option<bool> {
    let choice = player.choose(game)?;
    let side = game.to_move().unwrap_or(Side::Gold);
    let number = game.expected_number().unwrap_or(1);
    let text = choice.turn.to_string();
    game.apply(None, &GameEvent::TurnTaken(TurnTaken::plain(number, side, &text))).unwrap();
    Some(choice.found.is_some())
}

fn texts(game: &Game<Arimaa>) -> Vec<String> {
    game.plies().iter().map(|ply| ply.state_after.board().to_short()).collect()
}

#[test]
fn noise_is_played_in_the_first_own_turns_alone_and_follows_from_the_seed() {
    let noise = Noise { turns: 2, per_mille: 1000 };
    let mut player =
        Player::new(Settings { noise, ..settings(SetupStyle::Varied) }, &Registry::standard()).unwrap();
    let mut lines = BTreeSet::new();
    for seed in [1, 2, 3, 1] {
        player.new_game(seed);
        let mut game = game(None);
        let searched: Vec<bool> = (0..8).map_while(|_| play(&mut player, &mut game)).collect();
        assert_eq!(searched, [false, false, false, false, false, false, true, true]);
        lines.insert(texts(&game));
    }
    assert_eq!(lines.len(), 3, "three seeds, one of them twice");
}

#[test]
fn a_game_is_played_to_its_end_by_legal_turns_and_the_same_again() {
    let mut player = Player::new(settings(SetupStyle::Random), &Registry::standard()).unwrap();
    let mut played = Vec::new();
    for seed in [9, 4, 9] {
        player.new_game(seed);
        let mut game = game(None);
        while game.plies().len() < 80 && play(&mut player, &mut game).is_some() {}
        assert!(game.plies().len() == 80 || game.board_says().is_some());
        played.push(texts(&game));
    }
    assert_eq!(played[0], played[2]);
    assert_ne!(played[0], played[1]);
}

#[test]
fn a_player_gives_up_only_where_it_is_told_to_and_after_so_many_hopeless_turns() {
    // Silver has an elephant and a camel, Gold a rabbit far from its goal.
    let place = "g [..........r.....................e......m..............R..R......]";
    let resign = Some(Resign { behind: 500, turns: 2 });
    for (resign, expected) in
        [(None, [TurnKind::Steps, TurnKind::Steps]), (resign, [TurnKind::Steps, TurnKind::Resign])]
    {
        let settings = Settings { resign, ..settings(SetupStyle::Fixed) };
        let mut player = Player::new(settings, &Registry::standard()).unwrap();
        let game = game(Some(place));
        let kinds = [0, 1].map(|_| player.choose(&game).unwrap().turn.kind());
        assert_eq!(kinds, expected);
        player.new_game(0);
        assert_eq!(player.choose(&game).unwrap().turn.kind(), TurnKind::Steps, "a new game is a new hope");
    }
}

#[test]
fn before_the_start_and_after_the_end_there_is_nothing_to_choose() {
    let mut player = Player::new(settings(SetupStyle::Fixed), &Registry::standard()).unwrap();
    assert_eq!(player.choose(&Game::new(Strictness::Strict)), None);
    let mut game = game(Some("g [r...........R..................................................E]"));
    assert_eq!(play(&mut player, &mut game), Some(true), "a goal in one turn");
    assert!(game.board_says().is_some());
    assert_eq!(player.choose(&game), None);
}
