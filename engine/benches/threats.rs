//! How long it takes to find the goals and the captures of a turn: on the positions of the real month, where
//! the archive is there (`ANNALS_ARCHIVE`), and on those of random games, beside the slow search that looks
//! at every sequence of steps, in the same run.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use annals_engine::threats::{capture_turns, captures, goal_steps, goal_turn};
use annals_events::Side;
use annals_rules::arimaa::{
    Arimaa, Board, Generator, Phase, Piece, Position, Square, State, Steps, Turn, TurnKind,
};
use annals_rules::game::{Era, Rules, Strictness};
use annals_rules::seeded::Rng;

#[path = "../tests/engine/threats_slowly.rs"]
mod threats_slowly;
use threats_slowly::Slow;

fn real_positions() -> Option<Vec<Position>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = std::env::var("ANNALS_ARCHIVE").unwrap_or_else(|_| "../shared/data/archive".to_owned());
    let bytes = std::fs::read(root.join(folder).join("allgames202602.txt")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut positions = Vec::new();
    for moves in text.lines().skip(1).filter_map(|row| row.split('\t').nth(27)) {
        let mut states = vec![State::new(Era::Modern)];
        for line in moves.split("\\n") {
            let words = line.split_once(' ').map_or("", |(_, words)| words);
            let kind = Turn::parse(words.as_bytes()).map_or(TurnKind::Empty, |turn| turn.kind());
            if kind == TurnKind::Takeback {
                states.pop();
            }
            let Some(mut state) = states.last().copied() else { break };
            if matches!(kind, TurnKind::Empty | TurnKind::Resign | TurnKind::Takeback) {
                continue;
            }
            if state.phase() == Phase::Play {
                positions.push(*state.position());
            }
            if Arimaa::play(&mut state, words.as_bytes(), Strictness::Archive, |_| 0).is_err() {
                break;
            }
            states.push(state);
        }
    }
    Some(positions)
}

fn random_positions() -> Vec<Position> {
    let mut generator = Generator::new();
    let mut positions = Vec::new();
    for game in 0..40 {
        let mut rng = Rng::of(&[9, game]);
        let mut pieces = Vec::new();
        for (side, first) in [(Side::Gold, 0), (Side::Silver, 48)] {
            let mut kinds: Vec<Piece> =
                Piece::ALL.into_iter().flat_map(|piece| (0..piece.most()).map(move |_| piece)).collect();
            rng.shuffle(&mut kinds);
            pieces.extend(
                (first..).filter_map(Square::new).zip(kinds).map(|(square, kind)| (square, side, kind)),
            );
        }
        let board = Board::from_pieces(pieces).expect("two home ranks are a board");
        let mut position = Position::new(board, Side::Gold);
        for _ in 0..50 {
            let mut next = Vec::new();
            generator.for_each(&position, |after, _| next.push(*after));
            if next.is_empty() {
                break;
            }
            position = *rng.pick(&next);
            positions.push(position);
        }
    }
    positions
}

/// The fastest time of each position in a few runs over all of them, so that no position profits from being
/// looked at twice in a row, nor suffers from what else the machine does. Looking at the clock is part of it.
fn times<T>(positions: &[Position], runs: usize, mut look: impl FnMut(&Position) -> T) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; positions.len()];
    for _ in 0..runs {
        for (best, position) in best.iter_mut().zip(positions) {
            let start = Instant::now();
            black_box(look(black_box(position)));
            *best = start.elapsed().min(*best);
        }
    }
    best
}

/// The mean time of a call in nanoseconds, without a look at the clock between two calls: the best of a few
/// runs.
fn mean<T>(positions: &[Position], mut look: impl FnMut(&Position) -> T) -> f64 {
    let runs = (0..7).map(|_| {
        let start = Instant::now();
        for position in positions {
            black_box(look(black_box(position)));
        }
        start.elapsed()
    });
    let best = runs.min().unwrap_or_default();
    best.as_nanos() as f64 / positions.len().max(1) as f64
}

fn report<T>(name: &str, positions: &[Position], slow: f64, look: impl Fn(&Position) -> T) {
    let fast = mean(positions, &look);
    let mut each: Vec<u128> = times(positions, 9, &look).into_iter().map(|time| time.as_nanos()).collect();
    let quiet = each.iter().sum::<u128>() as f64 / each.len().max(1) as f64;
    each.sort_unstable();
    let part =
        |share: usize| each.get(each.len() * share / 1000).or(each.last()).copied().unwrap_or_default();
    println!(
        "  {name:<14} {fast:7.0} ns mean ({quiet:.0} undisturbed)   {:5} median {:5} at 95 % {:5} at 99 % \
         {:6} most   {:6.0} times faster",
        part(500),
        part(950),
        part(990),
        part(1000),
        slow / fast
    );
}

fn measure(whose: &str, positions: &[Position]) {
    let sample: Vec<Position> = positions.iter().copied().step_by(positions.len() / 60 + 1).collect();
    let slow: Duration = times(&sample, 1, |position| Slow::of(&Steps::begin(position))).iter().sum();
    let slow = slow.as_nanos() as f64 / sample.len().max(1) as f64;
    println!("threats at the beginning of a turn: {} {whose} positions", positions.len());
    println!(
        "  every sequence {slow:9.0} ns mean of {} positions, goals and captures together",
        sample.len()
    );
    report("goal_steps", positions, slow, |position| goal_steps(&Steps::begin(position)));
    report("captures", positions, slow, |position| captures(&Steps::begin(position)));
    report("goal_turn", positions, slow, goal_turn);
    report("capture_turns", positions, slow, capture_turns);
}

fn main() {
    match real_positions() {
        Some(positions) => measure("real", &positions),
        None => eprintln!("skipped: allgames202602.txt is not there; set ANNALS_ARCHIVE"),
    }
    measure("random", &random_positions());
}
