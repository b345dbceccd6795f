//! How fast the Amazons are judged and searched: evaluations of every evaluator, and positions searched, per second of
//! the time of one thread, on the positions of games of chance. Counting the legal moves of both sides, in the same run, is the
//! floor: less cannot be known of a position.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use annals_engine::amazons::{Registry, SearchOptions, Searcher};
use annals_engine::search::{Limits, Statistics};
use annals_events::Side;
use annals_rules::amazons::Position;
use annals_rules::seeded::Rng;

/// The positions of some games of chance, as long as both sides are in touch.
fn positions() -> Vec<Position> {
    let mut rng = Rng::of(&[2000]);
    let mut positions = Vec::new();
    for _ in 0..20 {
        let mut position = Position::start();
        while !position.board().is_decided() && position.winner().is_none() {
            positions.push(position);
            let moves = position.moves();
            position.make(*rng.pick(&moves));
        }
    }
    positions
}

/// The time that this thread has had a processor, where the system says so (Linux does), else the time of day.
fn processor_time(since: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|word| word.parse().ok());
    nanos.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// Thousands in a second.
fn thousands(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9) / 1e3
}

/// The best of some runs over all positions, in thousands of positions in a second.
fn speed(positions: &[Position], look: impl Fn(&Position) -> i64) -> f64 {
    let start = Instant::now();
    let once = || {
        let begun = processor_time(start);
        for position in positions {
            black_box(look(black_box(position)));
        }
        thousands(positions.len() as u64, processor_time(start) - begun)
    };
    std::iter::repeat_with(once).take(20).fold(0.0, f64::max)
}

fn main() {
    // `cargo test` runs benchmarks too; there is nothing to be measured then.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let positions = positions();
    println!("{} positions of games of chance", positions.len());
    let count = |position: &Position| {
        Side::BOTH.into_iter().map(|side| position.board().count_moves(side) as i64).sum()
    };
    let floor = speed(&positions, count);
    println!("  {:<34} {floor:8.0} k/s", "floor: moves of both sides counted");
    let distances = |position: &Position| {
        let board = position.board();
        Side::BOTH.into_iter().map(|side| (board.queen_distances(side).unreached() as i64) & 1).sum()
    };
    println!("  {:<34} {:8.0} k/s", "queen distances of both sides", speed(&positions, distances));
    let registry = Registry::standard();
    for evaluator in registry.iter() {
        let fast = speed(&positions, |position| evaluator.evaluate(position).into());
        println!("  {:<34} {fast:8.0} k/s, {:.2} of the floor", evaluator.name(), fast / floor);
    }
    let start = Instant::now();
    for nodes in [5_000, 20_000] {
        let evaluator = registry.get(Registry::DEFAULT).expect("the default evaluator");
        let mut searcher = Searcher::new(evaluator, SearchOptions::default());
        let (mut all, mut depths, mut searches) = (Statistics::default(), 0, 0);
        let begun = processor_time(start);
        for position in positions.iter().step_by(16) {
            searcher.clear();
            let (limits, stop) = (Limits::nodes(nodes), AtomicBool::new(false));
            let Some(found) = searcher.search(position, 1, &limits, &stop, &mut |_| {}) else { continue };
            let did = searcher.statistics();
            all.nodes += did.nodes;
            all.cutoffs += did.cutoffs;
            all.first_cutoffs += did.first_cutoffs;
            depths += u64::from(found.info.depth.min(60));
            searches += 1;
        }
        let spent = processor_time(start) - begun;
        println!(
            "  search, {nodes} nodes: {:.0} k nodes/s, depth {:.2}, first move cuts {:.0} % ({searches} positions)",
            thousands(all.nodes, spent),
            depths as f64 / searches.max(1) as f64,
            100.0 * all.first_cutoffs as f64 / all.cutoffs.max(1) as f64,
        );
    }
}
