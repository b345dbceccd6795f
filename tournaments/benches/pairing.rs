//! How fast a round of the 2015 championship is paired: exact on every criterion, proven, with ratings and ranking; for
//! each round of simulated championships of 8, 64 and 1,000 players. Beside it, on the same problems: the matching
//! library `integer-blossom` with vectors of criteria as weights, and the oracle's matching in Python (networkx on packed
//! integers) where it is found (`ANNALS_ORACLES`, else `../shared/oracles` beside the workspace).
//!
//! `cargo bench -p annals-tournaments --bench pairing -- 8 64 1000`

use std::hint::black_box;
use std::io::Write;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use annals_events::tournament::{Outcome, Stage};
use annals_events::{BoardId, PlayerId};
use annals_tournaments::field::Field;
use annals_tournaments::formats::elimination::{
    Elimination, EliminationReadings, Phase, RoundPairing, Rules,
};
use annals_tournaments::pairing::{CANONICAL_PLAYERS, Candidate, PairingProblem};
use annals_tournaments::record::{Ending, PlayedGame, PlayedRound};
use integer_blossom::{Weight, min_weight_perfect_matching};

/// A small generator, so that the championships are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A field of so many players, each named by the seed.
fn field(players: u32) -> Field {
    let name = |number: u32| format!("p{number:04}").parse().expect("a name");
    Field::new((1..=players).map(name).collect()).expect("players")
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (black_box(result), start.elapsed())
}

/// The best of a few runs, for what is over quickly; of one run for what takes long.
fn best_of<T>(mut work: impl FnMut() -> T) -> Duration {
    let first = timed(&mut work).1;
    let runs = (200_000_000 / first.as_nanos().max(1)).clamp(0, 9);
    (0..runs).map(|_| timed(&mut work).1).fold(first, Duration::min)
}

/// The vectors of criteria as the library's weights: the canonical choice is not in them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Vector([i64; 14]);

impl Add for Vector {
    type Output = Vector;
    fn add(mut self, other: Vector) -> Vector {
        self += other;
        self
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(mut self, other: Vector) -> Vector {
        self -= other;
        self
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, other: Vector) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

impl SubAssign for Vector {
    fn sub_assign(&mut self, other: Vector) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine -= theirs;
        }
    }
}

impl Weight for Vector {
    const ZERO: Vector = Vector([0; 14]);
    const ONE: Vector = {
        let mut one = [0; 14];
        one[13] = 1;
        Vector(one)
    };

    fn inf() -> Vector {
        let mut infinite = [0; 14];
        infinite[0] = 1 << 40;
        Vector(infinite)
    }

    fn double(self) -> Vector {
        self + self
    }

    fn half(mut self) -> Vector {
        for limb in &mut self.0 {
            *limb /= 2;
        }
        self
    }
}

/// The library's time on a problem, and whether its value is the same; none where there are too many criteria.
fn by_the_library(round: &RoundPairing) -> Option<(Duration, bool)> {
    let problem: &PairingProblem = &round.problem;
    let (players, criteria) = (problem.players(), problem.criteria().len());
    if criteria > 12 {
        return None;
    }
    let vertices = players + players % 2;
    let mut weights = vec![Vector::ZERO; vertices * vertices];
    for a in 0..vertices {
        for b in a + 1..vertices {
            let candidate = if b == players { Candidate::Bye(a) } else { Candidate::Pair(a, b) };
            let mut weight = Vector::ZERO;
            weight.0[1] = i64::from(problem.bar(candidate).ok()?.is_some());
            weight.0[2..2 + criteria].copy_from_slice(problem.values(candidate).ok()?.values());
            weights[a * vertices + b] = weight;
            weights[b * vertices + a] = weight;
        }
    }
    let (partners, time) = timed(|| min_weight_perfect_matching(&weights, vertices));
    let mut sum = Vector::ZERO;
    for a in (0..vertices).filter(|&a| a < partners[a]) {
        sum += weights[a * vertices + partners[a]];
    }
    Some((time, sum.0[2..2 + criteria] == *round.pairing.value.values()))
}

const PYTHON: &str = "
import json, sys, time
import fqe
lives, n, rounds, order, classes = json.load(sys.stdin)
fqe.tpr = lambda s, st: ({p: 0 for p in range(1, n + 1)}, {p + 1: c for p, c in enumerate(classes)})
s = fqe.State(n, lives)
for bye, games in rounds: s.rounds.append(fqe.Round([fqe.Game(*g) for g in games], bye))
verts, cost, info = fqe.edge_costs(s, 'FQE2015', n <= 64)
assert info['order'] == order
table = {(a, b): cost(a, b) for a in verts for b in verts if a != b}
best = None
for _ in range(1 if n > 16 else 5):
    t = time.perf_counter(); fqe.solve_blossom(verts, lambda a, b: table[a, b]); t = time.perf_counter() - t
    best = t if best is None else min(best, t)
print(best)
";

/// The bye, and gold, silver and result of each game.
type RoundForPython = (Option<u32>, Vec<(u32, u32, &'static str)>);

/// The oracle's time for the matching alone, its criteria given; none where it cannot be run.
fn by_the_oracle(elimination: &Elimination, round: &RoundPairing, players: u32) -> Option<f64> {
    let folder: PathBuf = {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        root.join(std::env::var_os("ANNALS_ORACLES").unwrap_or_else(|| "../shared/oracles".into()))
    };
    if players > 64 || !folder.join("fqe.py").is_file() {
        return None;
    }
    let ratings = elimination.ratings().ok()??;
    let letter = |outcome| if outcome == Some(Outcome::Gold) { "g" } else { "s" };
    let field = elimination.field();
    let seed = |player: &PlayerId| field.seed(player).and_then(|seed| u32::try_from(seed).ok()).unwrap_or(0);
    let rounds: Vec<RoundForPython> = elimination
        .rounds()
        .iter()
        .map(|round| {
            let games = round.games.iter();
            let games =
                games.map(|game| (seed(&game.gold), seed(&game.silver), letter(game.outcome))).collect();
            (round.byes.first().map(seed), games)
        })
        .collect();
    let order: Vec<u32> = round.ranking.iter().map(seed).collect();
    let classes: Vec<usize> = field.players().iter().filter_map(|player| ratings.class(player)).collect();
    let input = serde_json::to_string(&(4, players, rounds, order, classes)).ok()?;
    let mut python = Command::new("python3")
        .args(["-c", PYTHON])
        .current_dir(folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    python.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = python.wait_with_output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Plays a championship and times every round up to `most_rounds`.
fn championship(players: u32, most_rounds: usize) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!("\n{players} players, four lives; milliseconds");
    println!("| round | still in | criteria | whole round | matching and proof | integer-blossom | Python |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut random = Random(2015);
    let (rules, readings) = (Rules::championship_2015(), EliminationReadings::default());
    let mut elimination = Elimination::new(rules, field(players), &[], readings).expect("a field");
    let (mut worst_round, mut worst_matching) = (Duration::ZERO, Duration::ZERO);
    for number in 1..=most_rounds {
        if elimination.active().len() < 2 {
            break;
        }
        let round = elimination.next_round().expect("a round");
        let whole = best_of(|| elimination.next_round());
        let matching = best_of(|| round.problem.best());
        (worst_round, worst_matching) = (worst_round.max(whole), worst_matching.max(matching));
        let shown = players < 100 && number % 4 == 1 || players >= 100 && [1, 4, 8, 12].contains(&number);
        let library = if shown { by_the_library(&round) } else { None };
        assert!(library.is_none_or(|(_, same)| same), "the library finds another value");
        // The oracle is asked about the main part only.
        let main = *elimination.phase() == Phase::Main;
        let oracle = if shown && main { by_the_oracle(&elimination, &round, players) } else { None };
        println!(
            "| {number} | {} | {} | {:.3} | {:.3} | {} | {} |",
            round.ranking.len(),
            round.problem.criteria().len(),
            milliseconds(whole),
            milliseconds(matching),
            library.map_or_else(String::new, |(time, _)| format!("{:.3}", milliseconds(time))),
            oracle.map_or_else(String::new, |seconds| format!("{:.1}", seconds * 1e3)),
        );
        let games = round
            .pairs()
            .map(|(one, other)| {
                let colours = elimination.colours(one, other);
                // Three times in four the better seed wins.
                let better_wins = random.below(4) > 0;
                let gold_wins = (colours.gold < colours.silver) == better_wins;
                let result = if gold_wins { Outcome::Gold } else { Outcome::Silver };
                PlayedGame {
                    pairing: BoardId { round: number as u32, board: 1 },
                    encounter: None,
                    gold: colours.gold.clone(),
                    silver: colours.silver.clone(),
                    coloured: true,
                    outcome: Some(result),
                    ending: Ending::Resignation,
                    games_played: 1,
                    territory: None,
                    territory_ruled: false,
                }
            })
            .collect();
        let byes = round.bye().into_iter().cloned().collect();
        let played = PlayedRound { number: number as u32, stage: Stage::Final, games, byes };
        elimination.record(played).expect("players of the field");
    }
    println!(
        "worst: whole round {:.3}, matching {:.3}",
        milliseconds(worst_round),
        milliseconds(worst_matching)
    );
}

fn main() {
    let sizes: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    println!("the choice among equals is canonical up to {CANONICAL_PLAYERS} players");
    for players in if sizes.is_empty() { vec![8, 64, 1000] } else { sizes } {
        championship(players, if players > 100 { 12 } else { 60 });
    }
}
