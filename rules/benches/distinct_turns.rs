//! How fast all distinct turns of a position are found, how fast single steps are made, and how fast a game's turns
//! are read and played: on the positions of `perft-arimaa.json`, beside the C++ checker, which is compiled and run
//! here where it is found (`ANNALS_ORACLES`, else `../shared/oracles` beside the workspace) and `g++` exists.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use annals_events::Side;
use annals_rules::arimaa::{Arimaa, Board, Generator, Position, State, Turn, TurnKind, step_nodes};
use annals_rules::game::{Era, Rules, Strictness};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

fn beside_the_workspace(variable: &str, default: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.join(std::env::var_os(variable).map_or_else(|| PathBuf::from(default), PathBuf::from))
}

fn positions() -> Vec<(String, Position)> {
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
            let side: Side = text("side").parse().expect("a side");
            (text("name").to_owned(), Position::new(Board::parse(text("board")).expect("a board"), side))
        })
        .collect()
}

/// The median time of a few runs.
fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn millions(count: u64, time: f64) -> f64 {
    count as f64 / time / 1e6
}

/// The checker's own times for distinct turns and for step sequences, in seconds; none where it cannot be run.
fn checker(positions: &[(String, Position)]) -> Option<(f64, f64)> {
    let source =
        beside_the_workspace("ANNALS_ORACLES", "../shared/oracles").join("games/arimaa/arimaa_oracle.cpp");
    if !source.is_file() {
        eprintln!("skipped: the C++ checker is not there; set ANNALS_ORACLES");
        return None;
    }
    let folder = std::env::temp_dir().join(format!("annals-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let program = folder.join("checker");
    let built = Command::new("g++")
        .args(["-O3", "-march=native", "-std=c++17", "-w", "-o"])
        .arg(&program)
        .arg(&source)
        .status();
    let times = match built {
        Ok(status) if status.success() => run_checker(&program, &folder, positions),
        _ => {
            eprintln!("skipped: g++ does not build the C++ checker here");
            None
        }
    };
    let _ = std::fs::remove_dir_all(&folder);
    times
}

fn run_checker(program: &Path, folder: &Path, positions: &[(String, Position)]) -> Option<(f64, f64)> {
    let mut input = String::new();
    for (name, position) in positions {
        input += &format!("{name}\n{}\n{}\n\n", position.to_move().letter(), position.board().to_short());
    }
    let path = folder.join("positions.txt");
    std::fs::write(&path, input).ok()?;
    let mut runs: Vec<(f64, f64)> = Vec::new();
    for _ in 0..3 {
        let output = Command::new(program).arg(&path).output().ok()?;
        let mut sum = (0.0, 0.0);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let row: Value = serde_json::from_str(line).ok()?;
            sum.0 += row["t_uniq"].as_f64()?;
            sum.1 += row["t_seq"].as_f64()?;
        }
        runs.push(sum);
    }
    let middle = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    Some((middle(runs.iter().map(|r| r.0).collect()), middle(runs.iter().map(|r| r.1).collect())))
}

fn generation(c: &mut Criterion) {
    let positions = positions();
    if positions.is_empty() {
        return;
    }
    let mut generator = Generator::new();
    let mut count_all = || positions.iter().map(|(_, p)| generator.count(black_box(p)) as u64).sum::<u64>();
    let turns = count_all();
    let mut group = c.benchmark_group("distinct_turns");
    group.sample_size(20);
    group.throughput(Throughput::Elements(turns));
    group.bench_function("counted", |b| b.iter(&mut count_all));
    let ours = median(|| {
        black_box(count_all());
    });
    let mut handed_over = || {
        let mut words = 0;
        for (_, position) in &positions {
            generator.for_each(black_box(position), |_, turn| words += turn.tokens().len());
        }
        words
    };
    group.bench_function("with_their_texts", |b| b.iter(&mut handed_over));
    group.finish();

    let walk_all = || positions.iter().map(|(_, p)| step_nodes(black_box(p))).sum::<u64>();
    let nodes = walk_all();
    let mut group = c.benchmark_group("steps");
    group.sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("made", |b| b.iter(walk_all));
    group.finish();
    let our_walk = median(|| {
        black_box(walk_all());
    });

    println!("{turns} distinct turns, {nodes} step nodes of {} positions", positions.len());
    println!(
        "  ours:    {:6.2} M distinct turns/s, {:6.1} M step nodes/s",
        millions(turns, ours.as_secs_f64()),
        millions(nodes, our_walk.as_secs_f64())
    );
    if let Some((distinct, sequences)) = checker(&positions) {
        println!(
            "  checker: {:6.2} M distinct turns/s, {:6.1} M step nodes/s (C++, g++ -O3, its boards unhashed in the walk)",
            millions(turns, distinct),
            millions(nodes, sequences)
        );
        println!(
            "  ratio:   {:6.1} times, {:6.1} times",
            distinct / ours.as_secs_f64(),
            sequences / our_walk.as_secs_f64()
        );
    }
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
