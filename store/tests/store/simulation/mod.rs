//! Worlds in which one seed determines everything: who works on a log and in which order, what the clock shows, what
//! fails, what decays, and what is put back. Faults come together, again, and before further work. After each step a
//! model checks what must hold (`model.rs`), and where the log is damaged, what `verify` names is done until it is whole
//! (`way_out.rs`).
//!
//! There are two kinds: `simulation::one` does one piece of work after the other, `simulation::several` has processes that
//! work at once (`at_once.rs`). A seed that fails is the report of a bug:
//!
//! ```sh
//! ANNALS_SEED=17 cargo test -p annals-store --test store -- simulation::one --nocapture                    # once more
//! ANNALS_SEED=17 ANNALS_SHRINK=1 cargo test -p annals-store --test store -- simulation::one --nocapture    # with few steps
//! ANNALS_SEEDS=1000000 cargo test --release -p annals-store --test store -- simulation::one --nocapture    # many seeds
//! ```

mod at_once;
mod at_rest;
mod clock;
mod life;
mod model;
mod steps;
mod way_out;
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::scene::sample;
use life::Life;
use steps::{Numbers, Step, Who, steps, steps_at_once};
use world::World;

/// What came of a seed: what is wrong, the story, and the faults.
struct Outcome {
    wrong: Option<String>,
    story: Vec<String>,
    faults: BTreeMap<String, u64>,
}

fn live(seed: u64, steps: &[Step]) -> Outcome {
    let mut life = Life::new(seed);
    let result = catch_unwind(AssertUnwindSafe(|| life.run(seed, steps)));
    let wrong = match result {
        Ok(result) => result.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Some(
                text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                    .unwrap_or_default(),
            )
        }
    };
    Outcome { wrong, story: life.world.story, faults: life.faults }
}

/// The words of a failure before its first number.
fn kind(wrong: &str) -> &str {
    wrong.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default()
}

/// Leaves out every step without which it still fails in this way.
fn shrunk(seed: u64, mut steps: Vec<Step>, wrong: &str) -> Vec<Step> {
    let fails = |steps: &[Step]| live(seed, steps).wrong.is_some_and(|other| kind(&other) == kind(wrong));
    let mut piece = steps.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(at..(at + piece).min(steps.len()));
            if fails(&fewer) {
                steps = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    // A fault that is not needed goes, too.
    for at in 0..steps.len() {
        let mut calmer = steps.clone();
        calmer[at].fault = None;
        if fails(&calmer) {
            steps = calmer;
        }
    }
    steps
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Whether processes can be traced here.
fn can_trace() -> bool {
    let mut world = World::new(0);
    let is_possible = catch_unwind(AssertUnwindSafe(|| {
        world.ask(Who::Command, "close", None, Numbers::of(0, 0));
    }));
    if is_possible.is_err() {
        eprintln!("skipped: this system does not permit to trace a process (ptrace)");
    }
    is_possible.is_ok()
}

#[test]
fn one_process_after_the_other_loses_or_alters_nothing_acknowledged_without_a_word() {
    try_seeds("one", steps, sample(150, 10_000) as u64);
}

#[test]
fn several_processes_at_once_lose_or_alter_nothing_acknowledged_without_a_word() {
    try_seeds("several", steps_at_once, sample(60, 3_000) as u64);
}

fn try_seeds(name: &str, steps: fn(u64) -> Vec<Step>, seeds: u64) {
    if !can_trace() {
        return;
    }
    if let Some(seed) = number("ANNALS_SEED") {
        let all = steps(seed);
        let is_shrinking = std::env::var_os("ANNALS_SHRINK").is_some();
        let wrong = if is_shrinking { live(seed, &all).wrong } else { None };
        let lived = match wrong {
            Some(wrong) => shrunk(seed, all, &wrong),
            None => all,
        };
        let outcome = live(seed, &lived);
        outcome.story.iter().for_each(|line| println!("{line}"));
        assert_eq!(outcome.wrong, None);
        return;
    }
    let seeds = number("ANNALS_SEEDS").unwrap_or(seeds);
    let first = number("ANNALS_FIRST_SEED").unwrap_or(0);
    let (next, start) = (AtomicU64::new(first), Instant::now());
    let (stepped, faults) = (AtomicU64::new(0), Mutex::new(BTreeMap::<String, u64>::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + seeds {
                break;
            }
            let all = steps(seed);
            stepped.fetch_add(all.len() as u64, Ordering::Relaxed);
            let outcome = live(seed, &all);
            for (fault, count) in outcome.faults {
                *faults.lock().unwrap().entry(fault).or_default() += count;
            }
            if let Some(wrong) = outcome.wrong {
                next.store(u64::MAX / 2, Ordering::Relaxed);
                let again =
                    format!("cargo test -p annals-store --test store -- simulation::{name} --nocapture");
                panic!(
                    "after {} seeds, seed {seed}: {wrong}\n{}\nonce more:      ANNALS_SEED={seed} {again}\n\
                     with few steps: ANNALS_SEED={seed} ANNALS_SHRINK=1 {again}",
                    seed - first + 1,
                    outcome.story.join("\n")
                );
            }
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(work);
        work();
        if let Err(panic) = other.join() {
            std::panic::resume_unwind(panic);
        }
    });
    println!(
        "{name}: {seeds} seeds, {stepped:?} steps in {:?}; faults: {:#?}",
        start.elapsed(),
        faults.lock().unwrap()
    );
}
