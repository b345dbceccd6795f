//! Plays two settings against each other and says by how much one is better. Every opening (setups and turns of chance from
//! the seed) is played twice with colours exchanged.
//!
//! `cargo run --release -p annals-engine --example versus -- --games 200 --first nodes=5000 --second nodes=5000,pruning=off`
//!
//! A setting is a list of `name=value`: `evaluator`, `without` (a term of the evaluator `annals` that is left out), `nodes`,
//! `depth`, `millis`, `hash`, `chance` (so many turns are of chance), and the switches of the search, `on` or `off`. With limits of nodes or depth the result is the same everywhere, with any number of threads.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use annals_engine::evaluation::{Evaluator, PartOfAnnals, Registry};
use annals_engine::player::{Noise, Player, Settings, SetupStyle};
use annals_engine::search::Limits;
use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Game, Rules, Strictness};
use annals_rules::scoring;

const USAGE: &str =
    "versus [--games N] [--seed N] [--threads N] [--plies N] [--noise N] --first A --second B";

struct Task {
    games: usize,
    seed: u64,
    threads: usize,
    /// A game that is this long goes to who has, or had last, more pieces.
    plies: usize,
    noise: Noise,
    players: [Settings; 2],
    registry: Registry,
}

fn main() -> ExitCode {
    match task(std::env::args().skip(1)) {
        Ok(task) => {
            play(&task);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("versus: {error}\nusage: {USAGE}");
            ExitCode::from(2)
        }
    }
}

fn task(mut words: impl Iterator<Item = String>) -> Result<Task, String> {
    let mut registry = Registry::standard();
    let mut task = Task {
        games: 100,
        seed: 1,
        threads: 1,
        plies: 240,
        noise: Noise { turns: 3, per_mille: 500 },
        players: [setting("", &mut registry)?, setting("", &mut registry)?],
        registry: Registry::default(),
    };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match word.as_str() {
            "--games" => task.games = number::<usize>(&value)?.next_multiple_of(2),
            "--seed" => task.seed = number(&value)?,
            "--threads" => task.threads = number(&value)?,
            "--plies" => task.plies = number(&value)?,
            "--noise" => task.noise.turns = number(&value)?,
            "--first" => task.players[0] = setting(&value, &mut registry)?,
            "--second" => task.players[1] = setting(&value, &mut registry)?,
            _ => return Err(format!("{word} is unknown")),
        }
    }
    task.registry = registry;
    Ok(task)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number that fits here"))
}

fn setting(text: &str, registry: &mut Registry) -> Result<Settings, String> {
    let mut settings =
        Settings { hash_mib: 8, setup: SetupStyle::Varied, limits: Limits::default(), ..Settings::default() };
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is no name=value"))?;
        let on = || match value {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(format!("{name} is on or off, not `{value}`")),
        };
        match name {
            "evaluator" => {
                registry.get(value).map_err(|error| error.to_string())?;
                settings.evaluator = value.to_owned();
            }
            "without" => {
                let part = PartOfAnnals::without(&[value]).map_err(|error| error.to_string())?;
                settings.evaluator = part.name().to_owned();
                registry.register(Arc::new(part));
            }
            "nodes" => settings.limits.nodes = Some(number(value)?),
            "depth" => settings.limits.depth = Some(number(value)?),
            "chance" => settings.noise = Noise { turns: number(value)?, per_mille: 1000 },
            "millis" => settings.limits.time = Some(Duration::from_millis(number(value)?)),
            "hash" => settings.hash_mib = number(value)?,
            "table" => settings.search.table = on()?,
            "goals" => settings.search.goals = on()?,
            "quiescence" => settings.search.quiescence = on()?,
            "likelihood" => settings.search.likelihood = on()?,
            "reductions" => settings.search.reductions = on()?,
            "pruning" => settings.search.pruning = on()?,
            "safety" => settings.search.safety = on()?,
            _ => return Err(format!("no setting is called `{name}`")),
        }
    }
    if settings.limits == Limits::default() {
        settings.limits = Limits::nodes(5_000);
    }
    Ok(settings)
}

fn play(task: &Task) {
    let begun = std::time::Instant::now();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![false; task.games]);
    let plies = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..task.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= task.games {
                        break;
                    }
                    let (won, length) = one(task, number);
                    plies.fetch_add(length, Ordering::Relaxed);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[number] = won;
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let won = results.iter().filter(|won| **won).count();
    let (elo, error) = difference(&results);
    println!(
        "+{won} -{}  Elo {elo:+.0} ± {error:.0} (95 %)  {:.1} plies a game, {:.0} s",
        task.games - won,
        plies.into_inner() as f64 / task.games.max(1) as f64,
        begun.elapsed().as_secs_f64()
    );
}

/// The Elo difference with half the width of its interval of 95 %. The two games of an opening are one trial, as
/// they share what luck the opening brings.
fn difference(results: &[bool]) -> (f64, f64) {
    let trials: Vec<f64> = results
        .chunks_exact(2)
        .map(|pair| pair.iter().map(|won| f64::from(*won)).sum::<f64>() / 2.0)
        .collect();
    let count = (trials.len() as f64).max(2.0);
    let share = trials.iter().sum::<f64>() / count;
    let variance = trials.iter().map(|trial| (trial - share).powi(2)).sum::<f64>() / (count - 1.0);
    let within = 0.5 / count;
    let elo = |share: f64| -400.0 * (1.0 / share.clamp(within, 1.0 - within) - 1.0).log10();
    let error = 1.96 * (variance / count).sqrt();
    (elo(share), (elo(share + error) - elo(share - error)) / 2.0)
}

/// One game: whether the first player wins, and its length.
fn one(task: &Task, number: usize) -> (bool, usize) {
    let seed = task.seed.wrapping_mul(1_000_003).wrapping_add(number as u64 / 2);
    let first_is_gold = number.is_multiple_of(2);
    let player = |of: usize| {
        let mut settings = task.players[of].clone();
        if settings.noise.turns == 0 {
            settings.noise = task.noise;
        }
        let mut player = Player::new(settings, &task.registry).expect("an evaluator by that name");
        player.new_game(seed);
        player
    };
    let mut players = if first_is_gold { [player(0), player(1)] } else { [player(1), player(0)] };
    let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
    let started = GameEvent::Started(Box::new(Started::plain(GameKind::Arimaa, None)));
    game.apply(None, &started).expect("a game starts");
    while game.plies().len() < task.plies {
        let side = game.to_move().unwrap_or(Side::Gold);
        let Some(choice) = players[side.index()].choose(&game) else { break };
        let turn = choice.turn.to_string();
        let number = game.expected_number().unwrap_or(1);
        game.apply(None, &GameEvent::TurnTaken(TurnTaken::plain(number, side, &turn)))
            .expect("players play legal turns");
    }
    // A game that is cut off goes to who has, or had last, more pieces, as in a match that reaches its length.
    let pieces = game.plies().iter().map(|ply| Arimaa::piece_counts(&ply.state_after));
    let winner = game
        .board_says()
        .and_then(|outcome| outcome.winner)
        .unwrap_or_else(|| scoring::modern(pieces.skip(1)));
    ((winner == Side::Gold) == first_is_gold, game.plies().len())
}
