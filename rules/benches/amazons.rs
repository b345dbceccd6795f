//! How fast moves of the Amazons are found, made and taken back, and how fast territory is measured: on the positions
//! of `perft-amazons.json` that are not finished, beside the C++ checker, which is compiled and run here where it is
//! found (`ANNALS_ORACLES`, else `../shared/oracles` beside the workspace) and `g++` exists.
//!
//! The checker's work is to count the sequences of two moves: it makes every first move, walks over every reply and adds
//! one for it. Ours is measured doing the same in two ways. *Counted*: every first move is made, and its replies are
//! counted by sets of squares ([`Board::perft`]). *Handed over*: every reply is generated as a move of three squares and
//! handed to a function that the compiler cannot see through, which is what a search that looks at every move pays.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use annals_events::Side;
use annals_rules::amazons::{Board, Position};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

/// Rounds in which ours and the checker take turns; of each position the best time counts, for either.
const ROUNDS: usize = 25;

fn beside_the_workspace(variable: &str, default: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.join(std::env::var_os(variable).map_or_else(|| PathBuf::from(default), PathBuf::from))
}

/// A position of the shared vectors with its number of sequences of two moves.
struct Known {
    name: String,
    position: Position,
    sequences: u64,
}

fn known_positions() -> Vec<Known> {
    let folder = beside_the_workspace("ANNALS_ARCHIVE", "../shared/data/archive");
    let Ok(text) = std::fs::read_to_string(folder.join("../vectors/perft-amazons.json")) else {
        eprintln!("skipped: perft-amazons.json is not there; set ANNALS_ARCHIVE");
        return Vec::new();
    };
    let file: Value = serde_json::from_str(&text).expect("the vectors are JSON");
    let rows = file["positions"].as_array().expect("the vectors have positions");
    let known = rows.iter().map(|row| {
        let text = |key: &str| row[key].as_str().expect("a text");
        let side = if text("to_move") == "W" { Side::Gold } else { Side::Silver };
        Known {
            name: text("name").to_owned(),
            position: Position::new(Board::parse(text("board")).expect("a board"), side),
            sequences: row["perft"][1].as_u64().expect("a number"),
        }
    });
    known.filter(|row| row.sequences > 1_000).collect()
}

/// Every sequence of two moves, each reply handed over by itself, and counted in a register.
fn hand_over(position: &Position) -> u64 {
    let mut count = 0;
    position.board().for_each_move(position.to_move(), |first| {
        let mut after = *position;
        after.make(first);
        count += replies(&after);
    });
    count
}

/// As many as there are replies, each of them handed over.
#[inline(never)]
fn replies(position: &Position) -> u64 {
    let mut count = 0;
    position.board().for_each_move(position.to_move(), |reply| {
        black_box(reply);
        count += 1;
    });
    count
}

/// Every sequence of two moves, each made with its hash on a copy that is written to memory and dropped.
fn make_on_copies(position: &Position) -> u64 {
    let mut count = 0;
    position.board().for_each_move(position.to_move(), |first| {
        let mut between = *position;
        between.make(first);
        between.board().for_each_move(between.to_move(), |reply| {
            let mut after = between;
            after.make(reply);
            black_box(&after);
            count += 1;
        });
    });
    count
}

/// Every sequence of two moves, each reply made with its hash and taken back.
fn make_and_unmake(position: &Position) -> u64 {
    let mut here = *position;
    let mut count = 0;
    position.board().for_each_move(position.to_move(), |first| {
        here.make(first);
        let (board, side) = (*here.board(), here.to_move());
        board.for_each_move(side, |reply| {
            here.make(reply);
            black_box(&here);
            here.unmake(reply);
            count += 1;
        });
        here.unmake(first);
    });
    assert_eq!(here.hash(), position.hash());
    count
}

fn timed(expected: u64, what: &str, run: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let count = black_box(run());
    let time = start.elapsed().as_secs_f64();
    assert_eq!(count, expected, "{what}");
    time
}

/// The C++ checker, compiled for any processor (as Annals is) and for this one, with each position in a file.
struct Checker {
    folder: PathBuf,
}

/// The programs of the checker with the options of their build.
const BUILDS: [(&str, &[&str]); 2] = [("portable", &[]), ("native", &["-march=native"])];

impl Checker {
    fn build(known: &[Known]) -> Option<Checker> {
        let source = beside_the_workspace("ANNALS_ORACLES", "../shared/oracles")
            .join("games/amazons/amazons_oracle.cpp");
        if !source.is_file() {
            eprintln!("skipped: the C++ checker is not there; set ANNALS_ORACLES");
            return None;
        }
        let folder = std::env::temp_dir().join(format!("annals-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        let checker = Checker { folder };
        let mut input = String::new();
        for Known { name, position, .. } in known {
            let (board, size) = (position.board(), position.board().size());
            let side = if position.to_move() == Side::Gold { 'W' } else { 'B' };
            let rows = board.to_short().replace('/', "\n");
            input += &format!("{name}\n{side}\n{} {}\n{rows}\n\n", size.ranks(), size.files());
        }
        std::fs::write(checker.folder.join("positions.txt"), input).ok()?;
        let built = BUILDS.iter().all(|(name, options)| {
            let mut compiler = Command::new("g++");
            compiler.args(["-O3", "-std=c++17", "-w", "-o"]).arg(checker.folder.join(name));
            compiler.args(*options).arg(&source).status().is_ok_and(|status| status.success())
        });
        if built {
            return Some(checker);
        }
        eprintln!("skipped: g++ does not build the C++ checker here");
        None
    }

    /// The checker's own times of two moves from every position, its counts compared. It says how many million replies a
    /// second it counted, rounded to a whole number, so its time is taken from that.
    fn times(&self, build: &str, known: &[Known]) -> Option<Vec<f64>> {
        let mut command = Command::new(self.folder.join(build));
        let output = command.arg(self.folder.join("positions.txt")).arg("2").output().ok()?;
        let counts = String::from_utf8_lossy(&output.stdout).into_owned();
        for (line, row) in counts.lines().zip(known) {
            let found: Value = serde_json::from_str(line).expect("the checker writes JSON");
            assert_eq!(found["perft"][1], row.sequences, "{}", row.name);
        }
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        let rates = talk.lines().filter(|line| line.contains("perft(2)")).map(|line| {
            let rate = line.split_ascii_whitespace().find_map(|word| word.strip_suffix('M'));
            rate.and_then(|rate| rate.parse::<f64>().ok()).expect("the checker says its rate")
        });
        let times: Vec<f64> =
            rates.zip(known).map(|(rate, row)| row.sequences as f64 / (rate * 1e6)).collect();
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
    let checker = Checker::build(known);
    let mut best = vec![[f64::INFINITY; 6]; known.len()];
    for _ in 0..ROUNDS {
        let theirs =
            BUILDS.map(|(build, _)| checker.as_ref().and_then(|checker| checker.times(build, known)));
        for (i, (row, best)) in known.iter().zip(&mut best).enumerate() {
            let (position, expected) = (black_box(&row.position), row.sequences);
            let now = [
                timed(expected, &row.name, || position.perft(2)),
                timed(expected, &row.name, || hand_over(position)),
                timed(expected, &row.name, || make_on_copies(position)),
                timed(expected, &row.name, || make_and_unmake(position)),
                theirs[0].as_ref().map_or(f64::INFINITY, |times| times[i]),
                theirs[1].as_ref().map_or(f64::INFINITY, |times| times[i]),
            ];
            best.iter_mut().zip(now).for_each(|(best, now)| *best = best.min(now));
        }
    }
    println!("sequences of two moves of {} positions, best of {ROUNDS} rounds, M replies/s", known.len());
    println!(
        "  {:>26} {:>7} {:>11} {:>7} {:>7} {:>8} {:>7}  handed over / checker",
        "", "counted", "handed over", "copies", "back", "portable", "native"
    );
    let line = |name: &str, sequences: u64, times: [f64; 6]| {
        let rate = times.map(|time| sequences as f64 / time / 1e6);
        println!(
            "  {name:>26} {:7.0} {:11.0} {:7.0} {:7.0} {:8.0} {:7.0}  {:.2} portable, {:.2} native",
            rate[0],
            rate[1],
            rate[2],
            rate[3],
            rate[4],
            rate[5],
            times[4] / times[1],
            times[5] / times[1]
        );
    };
    for (row, times) in known.iter().zip(&best) {
        line(&row.name, row.sequences, *times);
    }
    let sum = |i: usize| best.iter().map(|times| times[i]).sum();
    let all = known.iter().map(|row| row.sequences).sum();
    line("all", all, [sum(0), sum(1), sum(2), sum(3), sum(4), sum(5)]);
}

fn moves(c: &mut Criterion) {
    let known = known_positions();
    if known.is_empty() {
        return;
    }
    beside_the_checker(&known);

    let count = known.len() as u64;
    let mut group = c.benchmark_group("amazons_squares");
    group.throughput(Throughput::Elements(count));
    group.bench_function("territory_of_both_sides", |b| {
        b.iter(|| {
            let sides = |row: &Known| Side::BOTH.map(|side| black_box(row.position.board()).territory(side));
            known.iter().map(sides).fold(0, |sum, [white, black]| sum ^ white ^ black)
        });
    });
    group.bench_function("closer_by_queen", |b| {
        b.iter(|| {
            known.iter().fold(0, |sum, row| sum ^ black_box(row.position.board()).closer_by_queen().tie)
        });
    });
    group.bench_function("closer_by_king", |b| {
        b.iter(|| {
            known.iter().fold(0, |sum, row| sum ^ black_box(row.position.board()).closer_by_king().tie)
        });
    });
    group.bench_function("moves_counted", |b| {
        b.iter(|| known.iter().map(|row| black_box(&row.position).count_moves()).sum::<u64>());
    });
    group.finish();
}

criterion_group!(benches, moves);
criterion_main!(benches);
