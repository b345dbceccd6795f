//! Fits the parameters of the Amazons' evaluator `annals` to games of the engine, and prints them as in
//! `amazons/evaluation/annals.rs`.
//!
//! `cargo run --release -p annals-engine --example amazons_weights -- play GAMES SEED THREADS NODES > positions`
//! `cargo run --release -p annals-engine --example amazons_weights -- fit OUTCOME PENALTY THREADS positions`
//!
//! The games begin with two to seven moves of chance, and have some more later. For half of the
//! positions there is a second one, after a move of chance and with a score of half as many nodes, as most moves in a
//! search are bad ones.
//! The target is OUTCOME times the game's outcome, and else the probability of the search's score.

use std::sync::atomic::AtomicBool;

use annals_engine::amazons::evaluation::{AnnalsWith, Evaluator, Parameters};
use annals_engine::amazons::{Player, Registry, SearchOptions, Searcher, Settings};
use annals_engine::search::Limits;
use annals_events::{GameEvent, GameKind, Started, TurnTaken};
use annals_rules::amazons::{Amazons, Position};
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

mod fitting;

use fitting::{Curve, Line, Sample, chance, loss, shared, step};

/// How many of a thousand moves are of chance, after the first ones.
const OF_CHANCE: u32 = 30;

/// The weights of both territories together where nothing is open: a square counts one.
const SQUARE: f64 = 256.0;

/// The parameters one after the other: four that depend on what is open, and one that does not.
const PARAMETERS: usize = 13;

/// What a parameter is for its derivative.
const UNIT: i32 = 25_600;

fn main() {
    fitting::run(one_game, fit);
}

/// Lines of game, position, score and outcome, the last two for the side to move. A position that was not played
/// has no outcome.
fn one_game(seed: u64, nodes: u64) -> String {
    let registry = Registry::standard();
    let settings = Settings { limits: Limits::nodes(nodes), hash_mib: 4, ..Settings::default() };
    let evaluator = registry.get(&settings.evaluator).expect("the default evaluator");
    let options = SearchOptions { hash_mib: 4, ..SearchOptions::default() };
    let mut searcher = Searcher::new(evaluator, options);
    let mut player = Player::new(settings, &registry).expect("the default evaluator");
    player.new_game(seed);
    let mut rng = Rng::of(&[seed]);
    let first = 2 + rng.below(6) as usize;
    let mut game: Game<Amazons> = Game::new(Strictness::Strict);
    let started = GameEvent::Started(Box::new(Started::plain(GameKind::Amazons, None)));
    game.apply(None, &started).expect("a game starts");
    let (mut played, mut unplayed) = (Vec::new(), Vec::new());
    let winner = loop {
        let position = *game.state().expect("the game has begun");
        if let Some(winner) = position.winner() {
            break winner;
        }
        let chosen = if game.plies().len() < first || rng.chance(OF_CHANCE) {
            *rng.pick(&position.moves())
        } else {
            let choice = player.choose(&game).expect("a move where there is one");
            if let Some(search) = &choice.found
                && search.info.score.decided_in().is_none()
            {
                played.push((position, search.info.score.value()));
            }
            if rng.chance(500) {
                let mut after = position;
                after.make(*rng.pick(&position.moves()));
                let limits = Limits::nodes(nodes / 2);
                if let Some(search) =
                    searcher.search(&after, seed, &limits, &AtomicBool::new(false), &mut |_| {})
                    && search.info.score.decided_in().is_none()
                {
                    unplayed.push((after, search.info.score.value()));
                }
            }
            choice.chosen
        };
        let (side, number) = (position.to_move(), game.expected_number().expect("a number"));
        let taken = TurnTaken::plain(number, side, chosen.to_string());
        game.apply(None, &GameEvent::TurnTaken(taken)).expect("players play legal moves");
    };
    let played = played.iter().map(|(position, score)| {
        let won = u8::from(position.to_move() == winner);
        format!("{seed}\t{position}\t{score}\t{won}\n")
    });
    let unplayed = unplayed.iter().map(|(position, score)| format!("{seed}\t{position}\t{score}\t-\n"));
    played.chain(unplayed).collect()
}

fn sample(line: &str, outcome: f64, curve: Curve) -> Option<Sample<Position>> {
    let parts: Vec<&str> = line.split('\t').collect();
    let &[game, position, score, won] = parts.as_slice() else { return None };
    let position: Position = position.parse().ok()?;
    // Where nothing is contested, squares alone count.
    if position.board().is_decided() {
        return None;
    }
    let score = chance((score.parse::<f64>().ok()? - curve.excess) / curve.scale);
    let target = match won {
        "-" => score,
        won => outcome * won.parse::<f64>().ok()? + (1.0 - outcome) * score,
    };
    Some(Sample { game: game.parse().ok()?, position, target })
}

fn parameters(values: [i32; PARAMETERS]) -> Parameters {
    let group = |at: usize| [values[at], values[at + 1], values[at + 2]];
    Parameters {
        queen_territory: group(0),
        king_territory: group(3),
        king_lead: group(6),
        tempo: group(9),
        confined: values[12],
    }
}

fn flat(parameters: &Parameters) -> [i32; PARAMETERS] {
    let Parameters { queen_territory, king_territory, king_lead, tempo, confined } = parameters;
    let groups = [queen_territory, king_territory, king_lead, tempo].into_iter().flatten();
    let mut values = [0; PARAMETERS];
    values.iter_mut().zip(groups.chain([confined])).for_each(|(value, of)| *value = *of);
    values
}

/// The evaluation is linear in the parameters.
fn lines(samples: &[Sample<Position>], values: &[f64], threads: usize) -> Vec<Line> {
    let alone: Vec<AnnalsWith> = (0..PARAMETERS)
        .map(|number| {
            let mut values = [0; PARAMETERS];
            values[number] = UNIT;
            AnnalsWith(parameters(values))
        })
        .collect();
    let line = |sample: &Sample<Position>| {
        let slopes: Vec<(u16, f32)> = (0..)
            .zip(&alone)
            .map(|(number, with)| (number, with.evaluate(&sample.position) as f32 / UNIT as f32))
            .collect();
        let worth = slopes.iter().map(|(number, by)| f64::from(*by) * values[usize::from(*number)]).sum();
        Line { worth, slopes }
    };
    let parts = shared(samples, threads, |part| part.iter().map(line).collect::<Vec<Line>>());
    parts.into_iter().flatten().collect()
}

fn fit(text: &[String], outcome: f64, penalty: f64, threads: usize) {
    let curve = Curve::of(text);
    let samples: Vec<Sample<Position>> =
        text.iter().filter_map(|line| sample(line, outcome, curve)).collect();
    eprintln!("{} positions, {curve:?}", samples.len());
    let first = flat(&Parameters::default()).map(f64::from);
    let mut values = first.to_vec();
    for round in 0..=fitting::ROUNDS {
        let lines = lines(&samples, &values, threads);
        let worth = |number: usize| lines[number].worth;
        let [train, test] = [false, true].map(|tested| loss(&samples, worth, curve.scale, tested));
        eprintln!("round {round}: loss {train:.5}, of the tested games {test:.5}");
        if round < fitting::ROUNDS {
            let both: Vec<(&Sample<Position>, &Line)> = samples.iter().zip(&lines).collect();
            values = step(&both, &first, &values, curve.scale, penalty, threads);
        }
    }
    let by = SQUARE / (values[0] + values[3]);
    let mut fitted = [0; PARAMETERS];
    fitted.iter_mut().zip(&values).for_each(|(fitted, value)| *fitted = (value * by).round() as i32);
    println!("{:#?}", parameters(fitted));
}
