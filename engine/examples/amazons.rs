//! Plays two settings of the Amazons against each other, colours alternating, and says who won how often and how long the
//! games took. Games of one pair have the same opening of chance.
//!
//! `cargo run --release -p annals-engine --example amazons -- 100 evaluator=annals,nodes=2000 greedy`
//!
//! A third setting is the number of moves of chance with which each game begins (2 where it is not given), a fourth the
//! number of the first game, so that a long series can be played in parts at the same time. Games that the first setting
//! lost are named on standard error.

use std::process::ExitCode;
use std::time::Instant;

use annals_engine::amazons::{Player, Registry, Settings};
use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::amazons::Amazons;
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

/// Plays a game, and gives the winner and the number of moves.
fn game(players: [&mut Player; 2], seed: u64, chance: usize) -> (Side, usize) {
    let mut game: Game<Amazons> = Game::new(Strictness::Strict);
    let started = Started::plain(GameKind::Amazons, None);
    game.apply(None, &GameEvent::Started(Box::new(started))).expect("the usual start");
    let [white, black] = players;
    white.new_game(seed);
    black.new_game(seed);
    let mut rng = Rng::of(&[seed, 77]);
    loop {
        let position = *game.state().expect("the game has begun");
        if let Some(winner) = position.winner() {
            return (winner, game.plies().len());
        }
        let side = position.to_move();
        let chosen = if game.plies().len() < chance {
            *rng.pick(&position.moves())
        } else {
            let player = if side == Side::Gold { &mut *white } else { &mut *black };
            player.choose(&game).expect("a move where there is one").chosen
        };
        let number = game.expected_number().expect("a number");
        let turn = TurnTaken::plain(number, side, chosen.to_string());
        game.apply(None, &GameEvent::TurnTaken(turn)).expect("a legal move");
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [games, first, second, rest @ ..] = words.as_slice() else {
        eprintln!("write GAMES SETTINGS SETTINGS [MOVES OF CHANCE] [NUMBER OF THE FIRST GAME]");
        return ExitCode::from(2);
    };
    let read = |text: &String| -> Result<Player, String> {
        let settings: Settings = text.parse().map_err(|e| format!("{e}"))?;
        Player::new(settings, &Registry::standard()).map_err(|e| format!("{e}"))
    };
    let (Ok(games), Ok(mut first), Ok(mut second)) = (games.parse::<u64>(), read(first), read(second)) else {
        eprintln!("the number of games or the settings cannot be read");
        return ExitCode::from(2);
    };
    let chance = rest.first().and_then(|word| word.parse().ok()).unwrap_or(2);
    let from: u64 = rest.get(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    let begun = Instant::now();
    let (mut won, mut moves) = (0, 0);
    for number in from..from.saturating_add(games) {
        let white = number % 2 == 0;
        let players = if white { [&mut first, &mut second] } else { [&mut second, &mut first] };
        let (winner, plies) = game(players, number / 2, chance);
        let won_this = (winner == Side::Gold) == white;
        if !won_this {
            eprintln!("game {number} was lost after {plies} moves");
        }
        won += u64::from(won_this);
        moves += plies;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{} {won} : {} {}; {:.1} moves and {:.2} s a game",
        first.settings(),
        games - won,
        second.settings(),
        moves as f64 / games.max(1) as f64,
        seconds / games.max(1) as f64,
    );
    ExitCode::SUCCESS
}
