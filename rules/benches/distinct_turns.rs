//! How fast all distinct turns of a position are found, how fast single steps are made, and how fast a game's turns
//! are read and played: on the positions of `perft-arimaa.json`, beside the C++ checker, which is compiled and run
//! here where it is found (`ANNALS_ORACLES`, else `../shared/oracles` beside the workspace) and `g++` exists.
//!
//! A step that is made means here what a search pays for it: the legal steps are generated, each is made on a copy of
//! the turn in progress, its capture included and the hash kept up, and the copy is written to memory. All sequences
//! of up to four steps are walked, and their number is that of the file.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use annals_events::Side;
use annals_rules::arimaa::{
    Arimaa, Board, Generator, MOST_STEPS, NextSteps, Position, State, Steps, Turn, TurnKind,
};
use annals_rules::game::{Era, Rules, Strictness};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

/// Rounds in which ours and the checker take turns; of each position the best time counts, for either.
const ROUNDS: usize = 5;

fn beside_the_workspace(variable: &str, default: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.join(std::env::var_os(variable).map_or_else(|| PathBuf::from(default), PathBuf::from))
}

/// A position of the shared vectors, with what is known of it.
struct Known {
    name: String,
    position: Position,
    distinct_turns: u64,
    step_nodes: u64,
}

fn known_positions() -> Vec<Known> {
    let folder = beside_the_workspace("ANNALS_ARCHIVE", "../shared/data/archive");
    let Ok(text) = std::fs::read_to_string(folder.join("../vectors/perft-arimaa.json")) else {
        eprintln!("skipped: perft-arimaa.json is not there; set ANNALS_ARCHIVE");
        return Vec::new();
    };
    let file: Value = serde_json::from_str(&text).expect("the vectors are JSON");
    let rows = file["positions"].as_array().expect("the vectors have positions");
    rows.iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().expect("a text");
            let number = |key: &str| row[key].as_u64().expect("a number");
            let side: Side = text("side").parse().expect("a side");
            Known {
                name: text("name").to_owned(),
                position: Position::new(Board::parse(text("board")).expect("a board"), side),
                distinct_turns: number("distinct_turns"),
                step_nodes: number("step_nodes"),
            }
        })
        .collect()
}

/// Makes every step of every sequence, each handed over as it is found; how many there were.
fn make_each(steps: &Steps) -> u64 {
    let mut made = 0;
    steps.for_each_next(|next| {
        let mut after = *steps;
        black_box(after.take(next));
        black_box(&after);
        made += 1;
        if after.made() < MOST_STEPS {
            made += make_each(&after);
        }
        true
    });
    made
}

/// The same by way of lists, as a search does it that puts the steps in order first.
fn make_listed(steps: &Steps, lists: &mut [NextSteps]) -> u64 {
    let Some((list, deeper)) = lists.split_first_mut() else { return 0 };
    steps.next_steps(list);
    let mut made = 0;
    for next in &*list {
        let mut after = *steps;
        black_box(after.take(*next));
        black_box(&after);
        made += 1;
        if after.made() < MOST_STEPS {
            made += make_listed(&after, deeper);
        }
    }
    made
}

/// Seconds for one position: all distinct turns, all steps handed over, all steps listed.
#[derive(Clone, Copy)]
struct Times {
    distinct: f64,
    steps: f64,
    listed: f64,
}

impl Times {
    const NONE: Times = Times { distinct: f64::INFINITY, steps: f64::INFINITY, listed: f64::INFINITY };

    fn keep_better(&mut self, other: Times) {
        self.distinct = self.distinct.min(other.distinct);
        self.steps = self.steps.min(other.steps);
        self.listed = self.listed.min(other.listed);
    }

    fn sum(times: &[Times]) -> Times {
        let sum = |of: fn(&Times) -> f64| times.iter().map(of).sum();
        Times { distinct: sum(|t| t.distinct), steps: sum(|t| t.steps), listed: sum(|t| t.listed) }
    }
}

fn timed(expected: u64, what: &str, run: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let count = black_box(run());
    let time = start.elapsed().as_secs_f64();
    assert_eq!(count, expected, "{what}");
    time
}

fn our_times(known: &Known, generator: &mut Generator, lists: &mut [NextSteps]) -> Times {
    let (position, name) = (black_box(&known.position), known.name.as_str());
    let begin = Steps::begin(position);
    Times {
        distinct: timed(known.distinct_turns, name, || generator.count(position) as u64),
        steps: timed(known.step_nodes, name, || make_each(&begin)),
        listed: timed(known.step_nodes, name, || make_listed(&begin, lists)),
    }
}

/// The C++ checker, compiled, with the positions in a file.
struct Checker {
    folder: PathBuf,
}

impl Checker {
    fn build(known: &[Known]) -> Option<Checker> {
        let source = beside_the_workspace("ANNALS_ORACLES", "../shared/oracles")
            .join("games/arimaa/arimaa_oracle.cpp");
        if !source.is_file() {
            eprintln!("skipped: the C++ checker is not there; set ANNALS_ORACLES");
            return None;
        }
        let folder = std::env::temp_dir().join(format!("annals-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        let checker = Checker { folder };
        let mut input = String::new();
        for Known { name, position, .. } in known {
            input += &format!("{name}\n{}\n{}\n\n", position.to_move().letter(), position.board().to_short());
        }
        std::fs::write(checker.folder.join("positions.txt"), input).ok()?;
        let built = Command::new("g++")
            .args(["-O3", "-march=native", "-std=c++17", "-w", "-o"])
            .arg(checker.folder.join("checker"))
            .arg(&source)
            .status();
        if built.is_ok_and(|status| status.success()) {
            return Some(checker);
        }
        eprintln!("skipped: g++ does not build the C++ checker here");
        None
    }

    /// The checker's own times of every position, its counts compared.
    fn times(&self, known: &[Known]) -> Option<Vec<Times>> {
        let output =
            Command::new(self.folder.join("checker")).arg(self.folder.join("positions.txt")).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let times: Vec<Times> = text
            .lines()
            .zip(known)
            .map(|(line, known)| {
                let row: Value = serde_json::from_str(line).expect("the checker writes JSON");
                assert_eq!(row["distinct_turns"], known.distinct_turns, "{}", known.name);
                assert_eq!(row["step_nodes"], known.step_nodes, "{}", known.name);
                let seconds = |key: &str| row[key].as_f64().expect("a time");
                Times { distinct: seconds("t_uniq"), steps: seconds("t_seq"), listed: seconds("t_seq") }
            })
            .collect();
        (times.len() == known.len()).then_some(times)
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Ours and the checker by turns, so that what else the machine does falls on both.
fn beside_the_checker(known: &[Known]) {
    let (mut generator, mut lists) = (Generator::new(), vec![NextSteps::new(); MOST_STEPS.into()]);
    let checker = Checker::build(known);
    let (mut ours, mut theirs) = (vec![Times::NONE; known.len()], vec![Times::NONE; known.len()]);
    let mut slowest = Duration::ZERO;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for row in known {
            assert_eq!(generator.count(black_box(&row.position)) as u64, row.distinct_turns, "{}", row.name);
        }
        slowest = slowest.max(start.elapsed());
        for (best, row) in ours.iter_mut().zip(known) {
            best.keep_better(our_times(row, &mut generator, &mut lists));
        }
        if let Some(times) = checker.as_ref().and_then(|checker| checker.times(known)) {
            theirs.iter_mut().zip(times).for_each(|(best, time)| best.keep_better(time));
        }
    }
    let turns: u64 = known.iter().map(|row| row.distinct_turns).sum();
    let nodes: u64 = known.iter().map(|row| row.step_nodes).sum();
    println!(
        "{turns} distinct turns and {nodes} steps of {} positions, best of {ROUNDS} rounds",
        known.len()
    );
    println!(
        "  all distinct turns of all positions, in the slowest round: {:.1} ms",
        1e3 * slowest.as_secs_f64()
    );
    let (ours, theirs) = (Times::sum(&ours), Times::sum(&theirs));
    let line = |name: &str, times: Times| {
        let millions = |count: u64, time: f64| count as f64 / time / 1e6;
        let (distinct, made) = (millions(turns, times.distinct), millions(nodes, times.steps));
        let listed = millions(nodes, times.listed);
        println!(
            "  {name} {distinct:6.2} M distinct turns/s, {made:6.1} M steps/s, {listed:6.1} M steps/s listed"
        );
    };
    line("ours:   ", ours);
    if theirs.distinct.is_finite() {
        line("checker:", theirs);
        let ratio = |theirs: f64, ours: f64| theirs / ours;
        println!(
            "  ratio:   {:6.1} times,             {:6.1} times,     {:6.1} times (C++, g++ -O3; it lists its steps, \
             and keeps no hash while it walks)",
            ratio(theirs.distinct, ours.distinct),
            ratio(theirs.steps, ours.steps),
            ratio(theirs.listed, ours.listed)
        );
    }
}

fn generation(c: &mut Criterion) {
    let known = known_positions();
    if known.is_empty() {
        return;
    }
    beside_the_checker(&known);
    let mut generator = Generator::new();
    let turns = known.iter().map(|row| row.distinct_turns).sum();
    let mut group = c.benchmark_group("distinct_turns");
    group.sample_size(20);
    group.throughput(Throughput::Elements(turns));
    group.bench_function("counted", |b| {
        b.iter(|| known.iter().map(|row| generator.count(black_box(&row.position)) as u64).sum::<u64>());
    });
    group.bench_function("with_their_texts", |b| {
        b.iter(|| {
            let mut words = 0;
            for row in &known {
                generator.for_each(black_box(&row.position), |_, turn| words += turn.tokens().len());
            }
            words
        });
    });
    group.finish();

    let nodes = known.iter().map(|row| row.step_nodes).sum();
    let mut lists = vec![NextSteps::new(); MOST_STEPS.into()];
    let mut group = c.benchmark_group("steps");
    group.sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("made", |b| {
        b.iter(|| known.iter().map(|row| make_each(&Steps::begin(&row.position))).sum::<u64>());
    });
    group.bench_function("made_from_lists", |b| {
        b.iter(|| known.iter().map(|row| make_listed(&Steps::begin(&row.position), &mut lists)).sum::<u64>());
    });
    group.finish();
}

/// The move lists of the real month, as the ingester plays them: text to state, outcome and all.
fn playing(c: &mut Criterion) {
    let path = beside_the_workspace("ANNALS_ARCHIVE", "../shared/data/archive").join("allgames202602.txt");
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("skipped: allgames202602.txt is not there; set ANNALS_ARCHIVE");
        return;
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let games: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .filter_map(|row| row.split('\t').nth(27))
        .map(|moves| {
            let turns = moves.split("\\n").filter_map(|line| line.split_once(' ').map(|(_, steps)| steps));
            turns
                .filter(|steps| {
                    Turn::parse(steps.as_bytes()).is_ok_and(|turn| turn.kind() != TurnKind::Takeback)
                })
                .collect()
        })
        .collect();
    let turns: u64 = games.iter().map(|game| game.len() as u64).sum();
    let mut group = c.benchmark_group("real_games");
    group.throughput(Throughput::Elements(turns));
    let mut hashes: Vec<u64> = Vec::with_capacity(1024);
    group.bench_function("turns_played", |b| {
        b.iter(|| {
            let mut over = 0;
            for game in &games {
                hashes.clear();
                let mut state = State::new(Era::Modern);
                for steps in game {
                    let seen = |hash| hashes.iter().filter(|&&h| h == hash).count() as u32;
                    let played = Arimaa::play(&mut state, steps.as_bytes(), Strictness::Archive, seen);
                    if black_box(played).is_err() {
                        break;
                    }
                    hashes.push(state.position().hash());
                    let seen = |hash| hashes.iter().filter(|&&h| h == hash).count() as u32;
                    over += u32::from(Arimaa::outcome(&state, seen).is_some());
                }
            }
            over
        });
    });
    group.bench_function("counts_for_a_row", |b| {
        let mut states = Vec::new();
        for game in &games {
            let mut state = State::new(Era::Modern);
            for steps in game {
                let _ = Arimaa::play(&mut state, steps.as_bytes(), Strictness::Archive, |_| 0);
                states.push(state);
            }
        }
        b.iter(|| {
            let mut sum = 0;
            for state in &states {
                for side in Side::BOTH {
                    sum += state.board().frozen(side).count_ones() + state.board().mobile(side).count_ones();
                    sum += state.board().counts(side).iter().map(|&n| u32::from(n)).sum::<u32>();
                }
            }
            sum
        });
    });
    group.finish();
}

criterion_group!(benches, generation, playing);
criterion_main!(benches);
