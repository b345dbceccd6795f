//! How fast positions are judged: all positions of the real games of a month, each evaluator beside a floor
//! that copies the board and counts its pieces. The ratios say more than the figures, which depend on the
//! machine.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use annals_engine::evaluation::Registry;
use annals_rules::arimaa::{Arimaa, Phase, Position, State, Steps, Turn, TurnKind};
use annals_rules::game::{Era, Rules, Strictness};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = std::env::var_os("ANNALS_ARCHIVE")
        .map_or_else(|| root.join("../shared/data/archive"), |folder| root.join(folder));
    let Ok(bytes) = std::fs::read(folder.join("allgames202602.txt")) else {
        eprintln!("skipped: allgames202602.txt is not there; set ANNALS_ARCHIVE");
        return;
    };
    let positions = positions(&String::from_utf8_lossy(&bytes));
    println!("{} positions of real games", positions.len());
    let floor = rate(&positions, |steps| {
        let board = *black_box(steps).board();
        board.planes().iter().map(|plane| plane.count_ones() as i32).sum()
    });
    println!("  {:<12} {:8.2} M/s", "floor", floor / 1e6);
    for evaluator in Registry::standard().iter() {
        let speed = rate(&positions, |steps| evaluator.evaluate(steps));
        println!(
            "  {:<12} {:8.2} M/s, the floor is {:.1} times as fast",
            evaluator.name(),
            speed / 1e6,
            floor / speed
        );
    }
    let annals = Registry::standard().get(Registry::DEFAULT);
    if let Ok(annals) = annals {
        let begun: Vec<Position> =
            positions.iter().take(2000).map(|steps| Position::new(*steps.board(), steps.mover())).collect();
        let start = Instant::now();
        let words: usize = begun.iter().map(|position| annals.explain(position).terms.len()).sum();
        let each = start.elapsed().as_secs_f64() / begun.len().max(1) as f64;
        println!("  explaining   {:8.1} µs a position ({} terms)", each * 1e6, words / begun.len().max(1));
    }
}

/// Evaluations a second. Every few hundred positions are timed by themselves and the best of their runs counts:
/// what else the machine does only ever slows a run down.
fn rate(positions: &[Steps], mut evaluate: impl FnMut(&Steps) -> i32) -> f64 {
    let mut best = vec![f64::INFINITY; positions.len().div_ceil(CHUNK)];
    for _ in 0..60 {
        for (best, chunk) in best.iter_mut().zip(positions.chunks(CHUNK)) {
            let start = Instant::now();
            let mut sum = 0i64;
            for steps in chunk {
                sum += i64::from(evaluate(black_box(steps)));
            }
            black_box(sum);
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    positions.len() as f64 / best.iter().sum::<f64>()
}

/// So many positions are timed at once.
const CHUNK: usize = 400;

fn positions(text: &str) -> Vec<Steps> {
    let mut found = Vec::new();
    for moves in text.lines().skip(1).filter_map(|row| row.split('\t').nth(27)) {
        let mut states = vec![State::new(Era::Modern)];
        for line in moves.split("\\n") {
            let steps = line.split_once(' ').map_or("", |(_, steps)| steps);
            match Turn::parse(steps.as_bytes()).map(|turn| turn.kind()) {
                Ok(TurnKind::Takeback) => drop(states.pop()),
                Ok(TurnKind::Setup | TurnKind::Steps) => {
                    let Some(mut state) = states.last().copied() else { break };
                    if Arimaa::play(&mut state, steps.as_bytes(), Strictness::Archive, |_| 0).is_err() {
                        break;
                    }
                    states.push(state);
                }
                _ => {}
            }
        }
        let playing = states.into_iter().filter(|state| matches!(state.phase(), Phase::SetUp | Phase::Play));
        found.extend(playing.map(|state| Steps::begin(state.position())));
    }
    found
}
