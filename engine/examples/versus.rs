//! Plays two settings against each other and says by how much one is better. Every opening (setups and turns of chance from
//! the seed) is played twice with colours exchanged.
//!
//! `cargo run --release -p annals-engine --example versus -- --games 200 --first nodes=5000 --second nodes=5000,pruning=off`
//!
//! A setting is a list of `name=value`: `evaluator`, `without` (a term of the evaluator `annals` that is left out), `nodes`,
//! `depth`, `millis`, `hash`, `chance` (so many turns are of chance), `parameters=first` (the evaluator `annals` with the
//! parameters chosen by hand), and the switches of the search, `on` or `off`. With limits of nodes or depth the result is the
//! same everywhere, with any number of threads.
//!
//! `--sprt LOW,HIGH` ends the match as soon as a sequential test with errors of 5 % decides between two differences in Elo.
//! The result so far goes to standard error after each hundred games.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use annals_engine::arena::elo::{Difference, PairCount, Results};
use annals_engine::arena::sprt::{Sprt, SprtVerdict, differences};
use annals_engine::evaluation::{AnnalsWith, Evaluator, Parameters, PartOfAnnals, Registry};
use annals_engine::player::{Noise, Player, Settings, SetupStyle};
use annals_engine::search::Limits;
use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Game, Rules, Strictness};
use annals_rules::scoring;

const USAGE: &str = "versus [--games N] [--seed N] [--threads N] [--plies N] [--noise N] [--sprt LOW,HIGH] --first A --second B";

struct Task {
    games: usize,
    seed: u64,
    threads: usize,
    /// A game that is this long goes to who has, or had last, more pieces.
    plies: usize,
    noise: Noise,
    sprt: Option<Sprt>,
    players: [(Settings, Registry); 2],
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
    let mut task = Task {
        games: 100,
        seed: 1,
        threads: 1,
        plies: 240,
        noise: Noise { turns: 3, per_mille: 500 },
        sprt: None,
        players: [setting("")?, setting("")?],
    };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match word.as_str() {
            "--games" => task.games = number::<usize>(&value)?.next_multiple_of(2),
            "--seed" => task.seed = number(&value)?,
            "--threads" => task.threads = number(&value)?,
            "--plies" => task.plies = number(&value)?,
            "--noise" => task.noise.turns = number(&value)?,
            "--sprt" => {
                let [low, high] = differences(&value)?;
                task.sprt = Some(Sprt::new(low, high, 0.05, 0.05).map_err(|error| error.to_string())?);
            }
            "--first" => task.players[0] = setting(&value)?,
            "--second" => task.players[1] = setting(&value)?,
            _ => return Err(format!("{word} is unknown")),
        }
    }
    Ok(task)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number that fits here"))
}

/// A player's settings and evaluators.
fn setting(text: &str) -> Result<(Settings, Registry), String> {
    let mut registry = Registry::standard();
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
            "parameters" if value == "first" => registry.register(Arc::new(AnnalsWith(Parameters::FIRST))),
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
    Ok((settings, registry))
}

fn play(task: &Task) {
    let begun = std::time::Instant::now();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![None; task.games]);
    std::thread::scope(|scope| {
        for _ in 0..task.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= task.games {
                        break;
                    }
                    let game = one(task, number);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results[number] = Some(game);
                    let Some(counted) = counted(task, &results) else { continue };
                    if counted.decided {
                        next.store(task.games, Ordering::Relaxed);
                    } else if number % 100 == 99 {
                        eprintln!("{}", counted.text(task));
                    }
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(counted) = counted(task, &results) {
        println!("{}, {:.0} s", counted.text(task), begun.elapsed().as_secs_f64());
    }
}

struct Counted {
    pairs: Results,
    won: usize,
    games: usize,
    plies: usize,
    decided: bool,
}

impl Counted {
    fn text(&self, task: &Task) -> String {
        let (won, lost) = (self.won, self.games - self.won);
        let elo = Difference::of(&self.pairs).map_or_else(String::new, |difference| difference.to_string());
        let test = task.sprt.map_or_else(String::new, |sprt| {
            let standing = sprt.standing(&self.pairs);
            format!("; log likelihood ratio {:+.2}, {:?}", standing.ratio, standing.verdict)
        });
        let length = self.plies as f64 / self.games.max(1) as f64;
        format!("+{won} -{lost}  Elo {elo}{test}; {length:.1} plies a game")
    }
}

/// The games in their order up to the decision of the test. The two games of an opening are one trial, as they share what
/// luck the opening brings.
fn counted(task: &Task, results: &[Option<(bool, usize)>]) -> Option<Counted> {
    let mut count = PairCount::default();
    let (mut won, mut games, mut plies) = (0, 0, 0);
    for (first_won, length) in results.iter().map_while(|game| *game) {
        won += usize::from(first_won);
        games += 1;
        plies += length;
        let complete = count.add(2 * usize::from(first_won));
        let test = task.sprt.filter(|_| complete).map(|sprt| sprt.standing(&count.results()).verdict);
        if test.is_some_and(|verdict| verdict != SprtVerdict::Open) {
            return Some(Counted { pairs: count.results(), won, games, plies, decided: true });
        }
    }
    (games > 0).then(|| Counted { pairs: count.results(), won, games, plies, decided: false })
}

/// One game: whether the first player wins, and its length.
fn one(task: &Task, number: usize) -> (bool, usize) {
    let seed = task.seed.wrapping_mul(1_000_003).wrapping_add(number as u64 / 2);
    let first_is_gold = number.is_multiple_of(2);
    let player = |of: usize| {
        let (mut settings, registry) = task.players[of].clone();
        if settings.noise.turns == 0 {
            settings.noise = task.noise;
        }
        let mut player = Player::new(settings, &registry).expect("an evaluator by that name");
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
