//! How well the player of the Amazons plays: against one that takes any legal move, and against one that looks one move
//! ahead. A few games in every run, a hundred of each with `ANNALS_LONG=1`.

use annals_engine::amazons::{Player, Registry, Settings};
use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::amazons::Amazons;
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

/// Games of how many the first one wins; colours alternate, and two games each begin with the same two moves of chance.
fn won(games: u64, first: &str, second: &str) -> u64 {
    let player = |text: &str| Player::new(text.parse::<Settings>().unwrap(), &Registry::standard()).unwrap();
    let (mut first, mut second) = (player(first), player(second));
    let mut won = 0;
    for number in 0..games {
        let mine = if number % 2 == 0 { Side::Gold } else { Side::Silver };
        let mut rng = Rng::of(&[number / 2, 77]);
        let mut game: Game<Amazons> = Game::new(Strictness::Strict);
        let started = Started::plain(GameKind::Amazons, None);
        game.apply(None, &GameEvent::Started(Box::new(started))).unwrap();
        first.new_game(number);
        second.new_game(number);
        while game.board_says().is_none() {
            let side = game.to_move().unwrap();
            let chosen = match game.plies().len() {
                0 | 1 => *rng.pick(&game.state().unwrap().moves()),
                _ if side == mine => first.choose(&game).unwrap().chosen,
                _ => second.choose(&game).unwrap().chosen,
            };
            let turn = TurnTaken::plain(game.expected_number().unwrap(), side, chosen.to_string());
            game.apply(None, &GameEvent::TurnTaken(turn)).unwrap();
        }
        assert!(first.choose(&game).is_none(), "a game that is over has no next move");
        won += u64::from(game.board_says().unwrap().winner == Some(mine));
    }
    won
}

fn long() -> bool {
    std::env::var_os("ANNALS_LONG").is_some_and(|value| value == "1")
}

/// How many games, how many of them are to be won, and how the player is set: a few games at a glance, or a hundred as
/// it plays where no limit is named.
fn series(few: u64, least: u64, of_a_hundred: u64) -> (u64, u64, String) {
    if long() {
        (100, of_a_hundred, Settings::default().to_string())
    } else {
        (few, least, "nodes=3000".to_owned())
    }
}

#[test]
fn the_player_beats_one_that_plays_any_move() {
    let (games, least, settings) = series(12, 12, 99);
    let won = won(games, &settings, "random");
    assert!(won >= least, "{won} of {games}");
}

#[test]
fn the_player_beats_one_that_looks_one_move_ahead() {
    // One that looks ahead with our own evaluator is the hardest of its kind.
    for (few, least, of_a_hundred, evaluator) in [(8, 7, 95, "annals"), (4, 4, 99, "mobility")] {
        let (games, least, settings) = series(few, least, of_a_hundred);
        let won = won(games, &settings, &format!("kind=greedy,evaluator={evaluator}"));
        assert!(won >= least, "{won} of {games} against {evaluator}");
    }
}
