//! Fits the parameters of the evaluator `annals` to games of the engine and prints them as in `evaluation/annals/fitted.rs`.
//!
//! `cargo run --release -p annals-engine --example evaluation_weights -- play GAMES SEED THREADS NODES > positions`
//! `cargo run --release -p annals-engine --example evaluation_weights -- fit OUTCOME PENALTY THREADS positions > fitted.rs`
//!
//! The new table then takes the place of `evaluation/annals/fitted.rs`, which the build of this example needs.
//!
//! The games are played with the parameters in use, and the fit begins with them. The positions are those at the
//! beginning of a turn, and those in the middle of the turns played. The target is OUTCOME times the game's outcome, and
//! else the probability of the search's score. A logistic curve turns scores and evaluations into probabilities.
//! Derivatives of the evaluation are differences. Every tenth game tests the fit. In the end one factor brings the
//! parameters to hundredths of a rabbit.

use annals_engine::evaluation::{AnnalsWith, Evaluator, Parameters, Registry};
use annals_engine::player::{Noise, Player, Settings, SetupStyle};
use annals_engine::search::Limits;
use annals_engine::threats::goal_steps;
use annals_events::{GameEvent, GameKind, Started, TurnTaken};
use annals_rules::arimaa::{Action, Arimaa, Position, Steps, Turn};
use annals_rules::game::{Game, Rules, Strictness};
use annals_rules::scoring;
use annals_rules::seeded::Rng;

mod fitting;

use fitting::{Curve, Line, Sample, chance, loss, shared, step};

/// A game ends here at the latest.
const PLIES: usize = 160;
/// How many of a thousand turns give positions.
const USED: u32 = 500;

fn main() {
    fitting::run(one_game, fit);
}

/// Lines of game, position, begun turn, score and outcome, the last two for the side to move.
fn one_game(seed: u64, nodes: u64) -> String {
    let mut rng = Rng::of(&[seed]);
    let settings = Settings {
        limits: Limits::nodes(nodes),
        setup: SetupStyle::Varied,
        noise: Noise { turns: 6, per_mille: 300 },
        hash_mib: 4,
        ..Settings::default()
    };
    let mut player = Player::new(settings, &Registry::standard()).expect("the default evaluator");
    player.new_game(seed);
    let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
    let started = GameEvent::Started(Box::new(Started::plain(GameKind::Arimaa, None)));
    game.apply(None, &started).expect("a game starts");
    let mut found: Vec<(Position, String, i32)> = Vec::new();
    while game.plies().len() < PLIES {
        let Some(choice) = player.choose(&game) else { break };
        let (side, number) = (game.to_move(), game.expected_number());
        let (Some(side), Some(number)) = (side, number) else { break };
        if let (Some(search), Some(state)) = (&choice.found, game.state())
            && search.info.score.decided_in().is_none()
            && rng.chance(USED)
        {
            let made = rng.below(1 + choice.turn.steps() as u32) as usize;
            for made in [0, made] {
                let begun: Vec<String> = (choice.turn.tokens().iter())
                    .filter(|token| matches!(token.action(), Action::Step(_)))
                    .take(made)
                    .map(ToString::to_string)
                    .collect();
                if made == 0 || !begun.is_empty() && made < choice.turn.steps() {
                    found.push((*state.position(), begun.join(" "), search.info.score.value()));
                }
            }
        }
        let taken = TurnTaken::plain(number, side, choice.turn.to_string());
        game.apply(None, &GameEvent::TurnTaken(taken)).expect("players play legal turns");
    }
    let pieces = game.plies().iter().map(|ply| Arimaa::piece_counts(&ply.state_after));
    let winner = (game.board_says().and_then(|outcome| outcome.winner))
        .unwrap_or_else(|| scoring::modern(pieces.skip(1)));
    let line = |(position, begun, score): &(Position, String, i32)| {
        let won = u8::from(position.to_move() == winner);
        format!("{seed}\t{position}\t{begun}\t{score}\t{won}\n")
    };
    found.iter().map(line).collect()
}

fn sample(line: &str, outcome: f64, curve: Curve) -> Option<Sample<Steps>> {
    let parts: Vec<&str> = line.split('\t').collect();
    let &[game, position, begun, score, won] = parts.as_slice() else { return None };
    let position: Position = position.parse().ok()?;
    let mut steps = Steps::begin(&position);
    for token in Turn::parse(begun.as_bytes()).ok()?.tokens() {
        let mut wanted = None;
        steps.for_each_next(|next| {
            if next.token() == *token {
                wanted = Some(next);
            }
            true
        });
        steps.take(wanted?);
    }
    // The search finds goals within a turn by itself.
    if steps.made() == 0 && goal_steps(&steps).is_some() {
        return None;
    }
    let (score, won): (f64, f64) = (score.parse().ok()?, won.parse().ok()?);
    let target = outcome * won + (1.0 - outcome) * chance((score - curve.excess) / curve.scale);
    Some(Sample { game: game.parse().ok()?, position: steps, target })
}

fn flat(parameters: &Parameters) -> Vec<i32> {
    let mut all = Vec::new();
    parameters.clone().each_group(|_, group| all.extend_from_slice(group));
    all
}

/// Values rounded, and within the bounds that the terms need.
fn parameters(values: &[f64]) -> Parameters {
    let mut parameters = Parameters::FIRST;
    let mut rest = values.iter();
    parameters.each_group(|name, group| {
        for (place, value) in group.iter_mut().zip(&mut rest) {
            *place = value.round() as i32;
            *place = match name {
                "squares" | "dominated" | "tempo" | "frozen" | "supported" | "emptier" => *place,
                "power" | "rabbit_power" => (*place).clamp(0, 300),
                _ => (*place).max(0),
            };
        }
    });
    parameters
}

fn lines(samples: &[Sample<Steps>], at: &Parameters, threads: usize) -> Vec<Line> {
    let values: Vec<f64> = flat(at).iter().map(|value| f64::from(*value)).collect();
    let base = AnnalsWith(at.clone());
    let moved: Vec<(AnnalsWith, AnnalsWith, f64)> = (0..values.len())
        .map(|number| {
            let by = (values[number].abs() / 16.0).round().max(4.0);
            let moved = |by: f64| {
                let mut moved = values.clone();
                moved[number] += by;
                AnnalsWith(parameters(&moved))
            };
            let (up, down) = (moved(by), moved(-by));
            let width = f64::from(flat(&up.0)[number] - flat(&down.0)[number]);
            (up, down, width)
        })
        .collect();
    let evaluate = |with: &AnnalsWith, sample: &Sample<Steps>| f64::from(with.evaluate(&sample.position));
    let line = |sample: &Sample<Steps>| {
        let slope = |(number, (up, down, width)): (usize, &(AnnalsWith, AnnalsWith, f64))| {
            let slope = (evaluate(up, sample) - evaluate(down, sample)) / width;
            (slope != 0.0).then_some((number as u16, slope as f32))
        };
        let slopes = moved.iter().enumerate().filter_map(slope).collect();
        Line { worth: evaluate(&base, sample), slopes }
    };
    let parts = shared(samples, threads, |part| part.iter().map(line).collect::<Vec<Line>>());
    parts.into_iter().flatten().collect()
}

fn fit(text: &[String], outcome: f64, penalty: f64, threads: usize) {
    let curve = Curve::of(text);
    let scale = curve.scale;
    let samples: Vec<Sample<Steps>> = text.iter().filter_map(|line| sample(line, outcome, curve)).collect();
    eprintln!("{} positions, {curve:?}", samples.len());
    let first: Vec<f64> = flat(&Parameters::default()).iter().map(|value| f64::from(*value)).collect();
    let mut values = first.clone();
    for round in 0..fitting::ROUNDS {
        let at = parameters(&values);
        let start: Vec<f64> = flat(&at).iter().map(|value| f64::from(*value)).collect();
        let lines = lines(&samples, &at, threads);
        let worth = |number: usize| lines[number].worth;
        let [train, test] = [false, true].map(|tested| loss(&samples, worth, scale, tested));
        eprintln!("round {round}: loss {train:.5}, of the tested games {test:.5}");
        let both: Vec<(&Sample<Steps>, &Line)> = samples.iter().zip(&lines).collect();
        values = step(&both, &first, &start, scale, penalty, threads);
    }
    let rabbit = rabbit(&parameters(&values));
    eprintln!("a rabbit counts {rabbit}");
    let by = 100.0 / rabbit;
    for (name, by) in [("fitted", 1.0), ("in hundredths of a rabbit", by)] {
        let with = AnnalsWith(parameters(&scaled(&values, by)));
        let worth = |number: usize| f64::from(with.evaluate(&samples[number].position));
        let [train, test] = [false, true].map(|tested| loss(&samples, worth, scale * by, tested));
        eprintln!("{name}: loss {train:.5}, of the tested games {test:.5}");
    }
    print(parameters(&scaled(&values, by)));
}

/// What the material of a complete army loses with a rabbit.
fn rabbit(parameters: &Parameters) -> f64 {
    f64::from(parameters.rabbits[8] - parameters.rabbits[7])
}

/// The values times a factor, except parts, percentages and the weights at traps with their margin.
fn scaled(values: &[f64], by: f64) -> Vec<f64> {
    let mut scaled = Vec::new();
    let mut rest = values.iter();
    Parameters::FIRST.clone().each_group(|name, group| {
        let values = rest.by_ref().take(group.len()).enumerate();
        scaled.extend(values.map(|(place, value)| match (name, place) {
            ("power" | "rabbit_power" | "parts" | "captures" | "second", _) | ("traps", 2) => *value,
            _ => value * by,
        }));
    });
    scaled
}

fn print(mut fitted: Parameters) {
    // Only differences count, as the side that does not move has no steps left.
    let none = fitted.tempo[0];
    fitted.tempo.iter_mut().for_each(|steps| *steps -= none);
    println!(
        "//! The parameters of `annals`; `examples/evaluation_weights.rs` fits them and prints this table.\n"
    );
    println!("use super::parameters::Parameters;\n\n#[rustfmt::skip]");
    println!("pub(super) static FITTED: Parameters = Parameters {{");
    fitted.each_group(|name, group| {
        let words: Vec<String> = group.iter().map(ToString::to_string).collect();
        println!("    {name}: [");
        for line in words.chunks(16) {
            println!("        {},", line.join(", "));
        }
        println!("    ],");
    });
    println!("}};");
}
