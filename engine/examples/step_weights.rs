//! Fits the weights of the steps' features and prints a table as in `search/likelihood_weights.rs`.
//!
//! `cargo run --release -p annals-engine --example step_weights -- GAMES SEED THREADS > likelihood_weights.rs`
//!
//! The new table then takes the place of `search/likelihood_weights.rs`, which the build of this example needs.
//!
//! The engine plays itself, with turns of chance. A longer search of some positions chooses a turn; four in ten of these
//! positions follow a further turn of chance, so that mistakes and their refutations occur. Each step of the turn is one
//! decision among all steps that are possible then. The model gives a step the probability exp(sum of its features'
//! weights), divided by the sum over all of them. Captures and losses of pieces are left out: the order ranks them apart.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use annals_engine::evaluation::{Annals, Registry};
use annals_engine::player::{Noise, Player, Settings, SetupStyle};
use annals_engine::search::{Limits, Past, SearchOptions, Searcher, StepFeatures};
use annals_events::{GameEvent, GameKind, Started, TurnTaken};
use annals_rules::arimaa::{Action, Arimaa, Generator, NextStep, Position, Steps, Turn};
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

/// Positions of the games' searches, and of those that choose.
const PLAYING: u64 = 3_000;
const CHOOSING: u64 = 30_000;
/// A game ends here at the latest.
const PLIES: usize = 160;
/// How many of a thousand positions are used, and how many of those follow a turn of chance.
const USED: u32 = 400;
const BY_CHANCE: u32 = 400;

/// Rounds of the fit, the length of their steps, and the penalty of squared weights.
const ROUNDS: i32 = 600;
const RATE: f64 = 0.03;
const PENALTY: f64 = 0.5;
/// Every tenth decision is not fitted but tests the weights.
const TESTED: usize = 10;
/// The table's unit of log-odds.
const UNIT: f64 = 1_500.0;

/// The features of each possible step, the chosen one first.
type Decision = Vec<Vec<u16>>;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let &[games, seed, threads] = numbers.as_slice() else {
        eprintln!("usage: step_weights GAMES SEED THREADS");
        return;
    };
    let next = AtomicU64::new(0);
    let mut found: Vec<(u64, Vec<Decision>)> = std::thread::scope(|scope| {
        let work = || {
            let mut found = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games {
                    return found;
                }
                found.push((number, decisions(seed, number)));
            }
        };
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker ends")).collect()
    });
    found.sort_by_key(|(number, _)| *number);
    let all: Vec<Decision> = found.into_iter().flat_map(|(_, decisions)| decisions).collect();
    let weights = fit(&all);
    report(&all, &weights);
    print(&weights);
}

/// Those of one game.
fn decisions(seed: u64, number: u64) -> Vec<Decision> {
    let mut rng = Rng::of(&[seed, number]);
    let settings = Settings {
        limits: Limits::nodes(PLAYING),
        setup: SetupStyle::Varied,
        noise: Noise { turns: 6, per_mille: 300 },
        hash_mib: 8,
        ..Settings::default()
    };
    let options = SearchOptions { hash_mib: 8, ..SearchOptions::default() };
    let mut searcher = Searcher::new(Arc::new(Annals), options);
    let mut player = Player::new(settings, &Registry::standard()).expect("the default evaluator");
    player.new_game(seed.wrapping_mul(1_000).wrapping_add(number));
    let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
    let started = GameEvent::Started(Box::new(Started::plain(GameKind::Arimaa, None)));
    game.apply(None, &started).expect("a game starts");
    let mut all = Vec::new();
    while game.plies().len() < PLIES {
        let Some(choice) = player.choose(&game) else { break };
        let (side, number) = (game.to_move(), game.expected_number());
        let (Some(side), Some(number)) = (side, number) else { break };
        let turn = choice.turn.to_string();
        let taken = TurnTaken::plain(number, side, &turn);
        game.apply(None, &GameEvent::TurnTaken(taken)).expect("players play legal turns");
        if game.board_says().is_some() || game.plies().len() < 3 || !rng.chance(USED) {
            continue;
        }
        let Some(state) = game.state() else { break };
        let mut position = *state.position();
        if rng.chance(BY_CHANCE) {
            let mut after = Vec::new();
            Generator::new().for_each(&position, |position, _| after.push(*position));
            if after.is_empty() {
                continue;
            }
            position = *rng.pick(&after);
        }
        searcher.clear();
        let limits = Limits::nodes(CHOOSING);
        let never = AtomicBool::new(false);
        if let Some(found) = searcher.search(&position, &Past::new(), &limits, &never, &mut |_| {})
            && found.info.score.decided_in().is_none()
        {
            choices(&position, &found.turn, &mut all);
        }
    }
    all
}

/// The steps of a turn, each among the others that were possible.
fn choices(position: &Position, turn: &Turn, into: &mut Vec<Decision>) {
    let mut steps = Steps::begin(position);
    let chosen = turn.tokens().iter().filter(|token| matches!(token.action(), Action::Step(_))).map(Some);
    let end = (turn.steps() < 4).then_some(None);
    for chosen in chosen.chain(end) {
        let mut possible: Vec<Option<NextStep>> = Vec::new();
        if steps.made() > 0 && !steps.is_push_open() && steps.board() != position.board() {
            possible.push(None);
        }
        steps.for_each_next(|next| {
            possible.push(Some(next));
            true
        });
        let Some(at) = possible.iter().position(|next| next.map(|next| next.token()) == chosen.copied())
        else {
            return;
        };
        possible.swap(0, at);
        let takes = |next: &Option<NextStep>| {
            next.is_some_and(|next| {
                let mut after = steps;
                after.take(next).is_some()
            })
        };
        if !takes(&possible[0]) {
            let shape = StepFeatures::of(&steps);
            let features = |next: &Option<NextStep>| {
                let mut features = Vec::new();
                shape.each(next.as_ref(), |feature| features.push(feature as u16));
                features
            };
            let decision: Decision = possible.iter().filter(|next| !takes(next)).map(features).collect();
            if decision.len() > 1 {
                into.push(decision);
            }
        }
        if let Some(next) = possible[0] {
            steps.take(next);
        }
    }
}

/// Log-odds of the steps of a decision.
fn odds(decision: &Decision, weights: &[f64]) -> Vec<f64> {
    decision.iter().map(|step| step.iter().map(|feature| weights[usize::from(*feature)]).sum()).collect()
}

/// Adds the gradient of a decision's log-likelihood, which it returns.
fn gradient(decision: &Decision, weights: &[f64], into: &mut [f64]) -> f64 {
    let odds = odds(decision, weights);
    let most = odds.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = odds.iter().map(|odds| (odds - most).exp()).sum();
    for (number, (step, odds)) in decision.iter().zip(&odds).enumerate() {
        let surprise = f64::from(u8::from(number == 0)) - (odds - most).exp() / sum;
        step.iter().for_each(|feature| into[usize::from(*feature)] += surprise);
    }
    odds[0] - most - sum.ln()
}

/// By Adam, over all decisions at once.
fn fit(all: &[Decision]) -> Vec<f64> {
    let count = StepFeatures::COUNT;
    let (mut weights, mut mean, mut square) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    for round in 1..=ROUNDS {
        let mut slope: Vec<f64> = weights.iter().map(|weight| -2.0 * PENALTY * weight).collect();
        for (_, decision) in all.iter().enumerate().filter(|(number, _)| number % TESTED != 0) {
            gradient(decision, &weights, &mut slope);
        }
        let rate = RATE * (1.0 - f64::from(round - 1) / f64::from(ROUNDS));
        for i in 0..count {
            mean[i] = 0.9 * mean[i] + 0.1 * slope[i];
            square[i] = 0.99 * square[i] + 0.01 * slope[i] * slope[i];
            let (mean, square) =
                (mean[i] / (1.0 - 0.9f64.powi(round)), square[i] / (1.0 - 0.99f64.powi(round)));
            weights[i] += rate * mean / (square.sqrt() + 1e-9);
        }
    }
    weights
}

fn report(all: &[Decision], weights: &[f64]) {
    let mut nothing = vec![0.0; StepFeatures::COUNT];
    let (mut count, mut likelihood, mut first, mut fourth) = (0.0, 0.0, 0, 0);
    for decision in all.iter().step_by(TESTED) {
        likelihood += gradient(decision, weights, &mut nothing);
        let odds = odds(decision, weights);
        let better = odds.iter().filter(|other| **other > odds[0]).count();
        count += 1.0;
        first += usize::from(better == 0);
        fourth += usize::from(better < 4);
    }
    eprintln!(
        "{} decisions; of the tested, log-likelihood {:.3}, first {:.1} %, among the first four {:.1} %",
        all.len(),
        likelihood / count,
        100.0 * first as f64 / count,
        100.0 * fourth as f64 / count
    );
}

fn print(weights: &[f64]) {
    println!(
        "//! The weights of [`super::likelihood`], in the order of its features; `examples/step_weights.rs` prints this table."
    );
    println!(
        "\nuse super::likelihood::FEATURES;\n\n#[rustfmt::skip]\npub(super) static WEIGHTS: [i16; FEATURES] = ["
    );
    for line in weights.chunks(16) {
        let line: Vec<String> =
            line.iter().map(|weight| ((weight * UNIT).round() as i16).to_string()).collect();
        println!("    {},", line.join(", "));
    }
    println!("];");
}
