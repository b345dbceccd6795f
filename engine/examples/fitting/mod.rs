//! A fit of an evaluation's parameters to games: the outcomes, and the probabilities of the search's scores. A logistic
//! curve turns scores and evaluations into probabilities.

use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

/// Rounds of derivatives, and within each the rounds of the fit and the length of their steps.
pub const ROUNDS: usize = 3;
const STEPS: i32 = 400;
const RATE: f64 = 0.02;

/// Every game of this number tests the fit.
const TESTED: u64 = 10;

/// A position with its target.
pub struct Sample<P> {
    pub game: u64,
    pub position: P,
    pub target: f64,
}

/// Runs the command that the words of the command line name: `play` prints the lines of games, each by a seed and the
/// nodes of a turn; `fit` reads such lines, and gets the share of the outcome, the penalty and the threads.
pub fn run(one_game: impl Fn(u64, u64) -> String + Sync, fit: impl FnOnce(&[String], f64, f64, usize)) {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["play", games, seed, threads, nodes] => {
            let (seed, nodes) = (number::<u64>(seed), number(nodes));
            let by_number = |number| one_game(seed.wrapping_mul(1_000_003).wrapping_add(number), nodes);
            play(number(games), number(threads), by_number);
        }
        ["fit", outcome, penalty, threads, files @ ..] => {
            let mut lines: Vec<String> = Vec::new();
            for file in files {
                let file = std::fs::File::open(file).expect("a file of positions");
                lines.extend(BufReader::new(file).lines().map_while(Result::ok));
            }
            fit(&lines, number(outcome), number(penalty), number(threads));
        }
        _ => eprintln!("write play GAMES SEED THREADS NODES, or fit OUTCOME PENALTY THREADS FILES"),
    }
}

/// Prints the lines of games by their numbers.
fn play(games: u64, threads: u64, one_game: impl Fn(u64) -> String + Sync) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let lines = one_game(number);
                    let _ = std::io::stdout().lock().write_all(lines.as_bytes());
                }
            });
        }
    });
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().ok().unwrap_or_else(|| panic!("`{text}` is not a number that fits here"))
}

/// How the search's scores predict the outcomes best. Scores favour the side to move, as most searches end before the
/// other side has made its whole turn.
#[derive(Debug, Clone, Copy)]
pub struct Curve {
    pub scale: f64,
    pub excess: f64,
}

impl Curve {
    /// Of lines that end with a score and an outcome.
    pub fn of(lines: &[String]) -> Curve {
        let results: Vec<(f64, f64)> = lines
            .iter()
            .filter_map(|line| {
                let mut parts = line.rsplit('\t');
                let sign = match parts.next()? {
                    "1" => 1.0,
                    "0" => -1.0,
                    _ => return None,
                };
                Some((parts.next()?.parse().ok()?, sign))
            })
            .collect();
        let loss = |curve: &Curve| -> f64 {
            let each =
                results.iter().map(|(score, sign)| -chance(sign * (score - curve.excess) / curve.scale).ln());
            each.sum()
        };
        let scales = (4..60).map(|number| f64::from(number) * 25.0);
        let curves = scales
            .flat_map(|scale| (-20..=20).map(move |number| Curve { scale, excess: f64::from(number) * 5.0 }));
        curves.min_by(|a, b| loss(a).total_cmp(&loss(b))).expect("curves")
    }
}

pub fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The evaluation of each sample, and its derivatives that are not zero.
pub struct Line {
    pub worth: f64,
    pub slopes: Vec<(u16, f32)>,
}

/// The results of some work on the parts of a list, each on a thread of its own.
pub fn shared<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let size = items.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = items.chunks(size).map(|part| scope.spawn(move || work(part))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread ends")).collect()
    })
}

/// The mean loss in nats.
pub fn loss<P>(samples: &[Sample<P>], worth: impl Fn(usize) -> f64, scale: f64, tested: bool) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (number, sample) in samples.iter().enumerate() {
        if sample.game.is_multiple_of(TESTED) == tested {
            let p = chance(worth(number) / scale).clamp(1e-9, 1.0 - 1e-9);
            sum -= sample.target * p.ln() + (1.0 - sample.target) * (1.0 - p).ln();
            count += 1.0;
        }
    }
    sum / count
}

/// The parameters that fit best by these derivatives, by Adam. The penalty is for the distance from the first ones.
pub fn step<P: Sync>(
    samples: &[(&Sample<P>, &Line)],
    first: &[f64],
    start: &[f64],
    scale: f64,
    penalty: f64,
    threads: usize,
) -> Vec<f64> {
    let unit: Vec<f64> = first.iter().map(|value| 10.0 + value.abs()).collect();
    let count = samples.len() as f64;
    let mut moved = vec![0.0; first.len()];
    let (mut mean, mut square) = (moved.clone(), moved.clone());
    for round in 1..=STEPS {
        let mut slope: Vec<f64> =
            (0..first.len()).map(|i| 2.0 * penalty * ((start[i] - first[i]) / unit[i] + moved[i])).collect();
        let parts = shared(samples, threads, |part| {
            let mut sum = vec![0.0; first.len()];
            for (sample, line) in part.iter().filter(|(sample, _)| !sample.game.is_multiple_of(TESTED)) {
                let change =
                    |(i, by): &(u16, f32)| f64::from(*by) * moved[usize::from(*i)] * unit[usize::from(*i)];
                let worth = line.worth + line.slopes.iter().map(change).sum::<f64>();
                let error = (chance(worth / scale) - sample.target) / scale / count;
                for (i, by) in &line.slopes {
                    sum[usize::from(*i)] += error * f64::from(*by) * unit[usize::from(*i)];
                }
            }
            sum
        });
        for part in parts {
            slope.iter_mut().zip(part).for_each(|(slope, by)| *slope += by);
        }
        let rate = RATE * (1.0 - f64::from(round - 1) / f64::from(STEPS));
        for i in 0..first.len() {
            mean[i] = 0.9 * mean[i] + 0.1 * slope[i];
            square[i] = 0.99 * square[i] + 0.01 * slope[i] * slope[i];
            let (mean, square) =
                (mean[i] / (1.0 - 0.9f64.powi(round)), square[i] / (1.0 - 0.99f64.powi(round)));
            moved[i] -= rate * mean / (square.sqrt() + 1e-12);
        }
    }
    (0..first.len()).map(|i| start[i] + moved[i] * unit[i]).collect()
}
