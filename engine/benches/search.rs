//! How fast and how well the search works: positions and evaluations per second of processor time, the depth that fixed
//! numbers of positions reach, how often the first step is the one that ends the search of a position, and by how much
//! searches overstay their time; on the positions of `perft-arimaa.json`. The bare generation of the same rules' steps,
//! in the same run, is the floor.
//!
//! `ANNALS_EVALUATOR` names another evaluator than the default.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[path = "../../rules/tests/rules/step_counts.rs"]
#[allow(dead_code, reason = "the tests of the rules use the rest")]
mod step_counts;

use annals_engine::evaluation::Registry;
use annals_engine::search::{Limits, Past, SearchOptions, Searcher, Statistics};
use annals_events::Side;
use annals_rules::arimaa::{Board, Position};
use serde_json::Value;
use step_counts::step_nodes;

const BUDGETS: [u64; 4] = [5_000, 20_000, 100_000, 400_000];

fn positions() -> Vec<(String, Position)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let archive =
        std::env::var_os("ANNALS_ARCHIVE").map_or_else(|| "../shared/data/archive".into(), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(root.join(archive).join("../vectors/perft-arimaa.json")) else {
        eprintln!("skipped: perft-arimaa.json is not there; set ANNALS_ARCHIVE");
        return Vec::new();
    };
    let file: Value = serde_json::from_str(&text).expect("the vectors are JSON");
    let rows = file["positions"].as_array().expect("the vectors have positions");
    rows.iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().expect("a text");
            let side: Side = text("side").parse().expect("a side");
            (text("name").to_owned(), Position::new(Board::parse(text("board")).expect("a board"), side))
        })
        .collect()
}

/// The time that this thread has had a processor, where the system says so (Linux does), else the time of day: on a shared
/// machine the time that passes says more about the others.
fn processor_time(since: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|word| word.parse().ok());
    nanos.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn millions(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9) / 1e6
}

fn main() {
    // `cargo test` runs benchmarks too; there is nothing to be measured then.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let registry = Registry::standard();
    let name = std::env::var("ANNALS_EVALUATOR").unwrap_or_else(|_| Registry::DEFAULT.to_owned());
    let evaluator = registry.get(&name).expect("an evaluator by that name");
    let positions = positions();
    let quick = std::env::args().any(|word| word == "--quick");

    let start = Instant::now();
    let begun = processor_time(start);
    let bare: u64 = positions.iter().map(|(_, position)| step_nodes(position)).sum();
    println!("bare step generation: {:.1} M steps/s", millions(bare, processor_time(start) - begun));

    println!("evaluator {name}; by the number of positions for each search:");
    let budgets = if quick { &BUDGETS[..2] } else { &BUDGETS[..] };
    let mut searcher = Searcher::new(Arc::clone(&evaluator), SearchOptions::default());
    for &budget in budgets {
        let mut all = Statistics::default();
        let (mut depths, mut searched, mut spent) = (0u64, 0u64, Duration::ZERO);
        for (_, position) in &positions {
            searcher.clear();
            let (limits, stop) = (Limits::nodes(budget), AtomicBool::new(false));
            let begun = processor_time(start);
            let Some(found) = searcher.search(position, &Past::new(), &limits, &stop, &mut |_| {}) else {
                continue;
            };
            if found.info.score.decided_in().is_some() {
                continue;
            }
            spent += processor_time(start) - begun;
            let did = searcher.statistics();
            all.nodes += did.nodes;
            all.evaluations += did.evaluations;
            all.cutoffs += did.cutoffs;
            all.first_cutoffs += did.first_cutoffs;
            all.table_hits += did.table_hits;
            depths += u64::from(found.info.depth);
            searched += 1;
        }
        println!(
            "{budget:>8}: {:.2} M nodes/s, {:.2} M evaluations/s, depth {:.2}, first step cuts {:.1} %, table answers {:.1} % ({searched} positions)",
            millions(all.nodes, spent),
            millions(all.evaluations, spent),
            depths as f64 / searched.max(1) as f64,
            100.0 * all.first_cutoffs as f64 / all.cutoffs.max(1) as f64,
            100.0 * all.table_hits as f64 / all.nodes.max(1) as f64,
        );
    }
    lateness(&mut searcher, &positions);
}

/// By how much searches overstay their time, at the median position and at the worst; of each position it is the best of five
/// searches, as the machine may do something else meanwhile.
fn lateness(searcher: &mut Searcher, positions: &[(String, Position)]) {
    for millis in [0, 1, 5, 20] {
        let time = Duration::from_millis(millis);
        let mut late: Vec<Duration> = positions
            .iter()
            .map(|(_, position)| {
                let once = || {
                    let stop = AtomicBool::new(false);
                    let begun = Instant::now();
                    let found =
                        searcher.search(position, &Past::new(), &Limits::time(time), &stop, &mut |_| {});
                    std::hint::black_box(found);
                    begun.elapsed().saturating_sub(time)
                };
                std::iter::repeat_with(once).take(5).min().unwrap_or_default()
            })
            .collect();
        late.sort();
        let [median, worst] = [late.get(late.len() / 2), late.last()]
            .map(|late| late.map_or(0.0, |late| late.as_secs_f64() * 1e3));
        println!("{millis:>5} ms allowed: {median:.2} ms late at the median, {worst:.2} ms at the worst");
    }
}
