//! How fast positions are judged. First some thousand positions of games, each evaluator beside a floor that copies the board and
//! counts its pieces. Then all positions of all games, at least a million evaluations in every round, by two threads at once,
//! beside the floor and the material in the same rounds. The ratios say more than the figures, which depend on the machine.
//!
//! The games are those of the archive file that `ANNALS_BENCH_ARCHIVE` names, else those of a real month.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use annals_engine::evaluation::Registry;
use annals_rules::arimaa::{Arimaa, Phase, Position, State, Steps, Turn, TurnKind};
use annals_rules::game::{Era, Rules, Strictness};

/// So many positions, spread over all games, are judged one evaluator after the other.
const SOME: usize = 10_000;

/// Evaluations of a round in which all positions are judged, at least.
const MILLION: usize = 1_000_000;

/// Such rounds.
const ROUNDS: usize = 7;

const THREADS: usize = 2;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let month = || {
        let folder =
            std::env::var_os("ANNALS_ARCHIVE").map_or("../shared/data/archive".into(), PathBuf::from);
        root.join(folder).join("allgames202602.txt")
    };
    let file = std::env::var_os("ANNALS_BENCH_ARCHIVE").map_or_else(month, |file| root.join(file));
    let Ok(bytes) = fs::read(&file) else {
        eprintln!("skipped: {} is not there; set ANNALS_BENCH_ARCHIVE or ANNALS_ARCHIVE", file.display());
        return;
    };
    let positions = positions(&String::from_utf8_lossy(&bytes));
    println!("{} positions of games", positions.len());
    one_by_one(&positions);
    all_at_once(&positions);
}

/// What reading a position costs, and nothing else.
fn floor(steps: &Steps) -> i32 {
    let board = *black_box(steps).board();
    board.planes().iter().map(|plane| plane.count_ones() as i32).sum()
}

fn one_by_one(all: &[Position]) {
    let positions: Vec<Steps> =
        all.iter().step_by(all.len().div_ceil(SOME).max(1)).map(Steps::begin).collect();
    println!("{} of them, one thread:", positions.len());
    let bare = rate(&positions, floor);
    println!("  {:<12} {:8.2} M/s", "floor", bare / 1e6);
    for evaluator in Registry::standard().iter() {
        let speed = rate(&positions, |steps| evaluator.evaluate(steps));
        println!(
            "  {:<12} {:8.2} M/s, the floor is {:.1} times as fast",
            evaluator.name(),
            speed / 1e6,
            bare / speed
        );
    }
    let annals = Registry::standard().get(Registry::DEFAULT);
    if let Ok(annals) = annals {
        let begun: Vec<&Position> = all.iter().step_by(all.len().div_ceil(2000).max(1)).collect();
        let start = Instant::now();
        let words: usize = begun.iter().map(|position| annals.explain(position).terms.len()).sum();
        let each = start.elapsed().as_secs_f64() / begun.len().max(1) as f64;
        println!("  explaining   {:8.1} µs a position ({} terms)", each * 1e6, words / begun.len().max(1));
    }
}

/// What a position is worth to somebody.
type Judge<'a> = Box<dyn Fn(&Steps) -> i32 + Sync + 'a>;

/// Every position, by two threads, which share them in halves; who judges takes turns, round by round.
fn all_at_once(positions: &[Position]) {
    let times = MILLION.div_ceil(positions.len().max(1));
    let registry = Registry::standard();
    let mut judges: Vec<(&str, Judge<'_>)> = vec![("floor", Box::new(floor))];
    for evaluator in registry.iter() {
        judges.push((evaluator.name(), Box::new(|steps| evaluator.evaluate(steps))));
    }
    let mut rounds = vec![Vec::new(); judges.len()];
    for _ in 0..ROUNDS {
        for (taken, (_, judge)) in rounds.iter_mut().zip(&judges) {
            taken.push(timed(|| share(positions, times, judge)));
        }
    }
    let evaluations = positions.len() * times;
    println!("{evaluations} evaluations, {THREADS} threads, median of {ROUNDS} rounds:");
    println!(
        "  {:<12} {:>16} {:>16} {:>26}",
        "", "M/s by the clock", "slowest round", "M/s and core of processor"
    );
    let speed = |seconds: f64| evaluations as f64 / seconds / 1e6;
    let mut floors = Vec::new();
    for ((name, _), taken) in judges.iter().zip(&rounds) {
        let mut clock: Vec<f64> = taken.iter().map(|(clock, _)| *clock).collect();
        clock.sort_by(f64::total_cmp);
        let mut processor: Vec<f64> = taken.iter().map(|(_, processor)| *processor).collect();
        processor.sort_by(f64::total_cmp);
        if floors.is_empty() {
            floors = taken.clone();
        }
        let mut ratios: Vec<f64> = taken.iter().zip(&floors).map(|(own, floor)| own.0 / floor.0).collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "  {name:<12} {:>16.2} {:>16.2} {:>26.2}   {:.1} times as long as the floor",
            speed(clock[ROUNDS / 2]),
            speed(clock[ROUNDS - 1]),
            speed(processor[ROUNDS / 2]),
            ratios[ROUNDS / 2]
        );
    }
}

/// Has all positions judged so many times.
fn share(positions: &[Position], times: usize, judge: &(dyn Fn(&Steps) -> i32 + Sync)) {
    std::thread::scope(|scope| {
        for part in positions.chunks(positions.len().div_ceil(THREADS).max(1)) {
            scope.spawn(move || {
                for _ in 0..times {
                    let all =
                        part.iter().map(|position| i64::from(judge(&Steps::begin(black_box(position)))));
                    black_box(all.sum::<i64>());
                }
            });
        }
    });
}

/// How many seconds something takes, by the clock and by the processor of all threads.
fn timed(what: impl FnOnce()) -> (f64, f64) {
    let (begun, before) = (Instant::now(), processor_time());
    what();
    let clock = begun.elapsed();
    let processor = processor_time().zip(before).map_or(clock, |(now, before)| now.saturating_sub(before));
    (clock.as_secs_f64(), processor.as_secs_f64())
}

/// Processor time of this process so far, where the system tells it.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
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

/// All positions between turns at which nobody has won, of all games that can be played through.
fn positions(text: &str) -> Vec<Position> {
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
        found.extend(playing.map(|state| *state.position()));
    }
    found
}
