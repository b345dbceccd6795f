//! Points, losses before the streak, and the moment of completion: what the counted games of one entrant are worth,
//! against one benchmark and against all.

use annals_events::Micros;

use super::count::{Ignored, Judged, Verdict, judge};
use super::game::{QualifierRules, QualifyingGame, Result};
use super::reading::{CompletionMoment, StreakChoice};

/// The run of wins that scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streak {
    /// The number of its first game among the counted ones, from 1.
    pub first: u32,
    /// How many wins it has.
    pub length: u32,
}

/// What a counted game does to the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weight {
    /// A win of the streak that makes a point.
    Point,
    /// A win of the streak beyond the points that can be had.
    BeyondTheMaximum,
    /// A loss before the streak, or any loss where nothing was won: one off the first tie-break.
    LossBefore,
    /// Neither: it is outside the streak and no loss before it.
    Nothing,
}

/// What one entrant's games against one benchmark are worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkScore<P> {
    /// The benchmark.
    pub benchmark: P,
    /// Every game against it in the order of play, with its verdict.
    pub judged: Vec<Judged>,
    /// What each counted game does, in the order of play.
    pub weights: Vec<Weight>,
    /// The streak; none where nothing was won.
    pub streak: Option<Streak>,
    /// The points.
    pub points: u32,
    /// The losses before the streak; all losses where nothing was won.
    pub losses_before: u32,
    /// When the last game that counts towards the score was over.
    pub completed_at: Option<Micros>,
}

impl<P> BenchmarkScore<P> {
    /// How many games count.
    #[must_use]
    pub fn counted(&self) -> u32 {
        u32::try_from(self.weights.len()).unwrap_or(u32::MAX)
    }
}

/// Judges and scores one entrant's games against one benchmark (2015 WCC, Qualifying).
#[must_use]
pub fn score_benchmark<P: Clone + PartialEq>(
    games: &[QualifyingGame<P>],
    benchmark: &P,
    rules: &QualifierRules<P>,
) -> BenchmarkScore<P> {
    let judged = judge(games, benchmark, rules);
    let counted: Vec<&QualifyingGame<P>> = judged
        .iter()
        .filter(|judged| matches!(judged.verdict, Verdict::Counted { .. }))
        .map(|judged| &games[judged.game])
        .collect();
    let cap = rules.points_per_benchmark as usize;
    let streak = longest_streak(&counted, rules.readings.streak, cap);
    let start = streak.map_or(counted.len(), |(start, _)| start);
    let length = streak.map_or(0, |(_, length)| length);
    let scoring = length.min(cap);
    let weights: Vec<Weight> = counted
        .iter()
        .enumerate()
        .map(|(i, game)| match game.result {
            Result::Lost if i < start => Weight::LossBefore,
            Result::Won if i >= start && i < start + scoring => Weight::Point,
            Result::Won if i >= start && i < start + length => Weight::BeyondTheMaximum,
            _ => Weight::Nothing,
        })
        .collect();
    let last = match rules.readings.completion {
        CompletionMoment::LastScoringWin => start + scoring,
        CompletionMoment::EndOfStreak => start + length,
    };
    let completed_at =
        if scoring == 0 { None } else { counted.get(last.wrapping_sub(1)).and_then(|game| game.ended_at) };
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    BenchmarkScore {
        benchmark: benchmark.clone(),
        judged,
        streak: streak.map(|(start, length)| Streak { first: small(start + 1), length: small(length) }),
        points: small(scoring),
        losses_before: small(weights.iter().filter(|weight| **weight == Weight::LossBefore).count()),
        weights,
        completed_at,
    }
}

/// Start and length of the run that scores; none where nothing was won.
fn longest_streak<P>(
    counted: &[&QualifyingGame<P>],
    choice: StreakChoice,
    cap: usize,
) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut start = 0;
    for run in counted.split_inclusive(|game| game.result != Result::Won) {
        let length = run.iter().filter(|game| game.result == Result::Won).count();
        if length > best.map_or(0, |(_, length)| length) {
            best = Some((start, length));
            if choice == StreakChoice::FirstThatScoresAll && length >= cap {
                break;
            }
        }
        start += run.len();
    }
    best
}

/// What all of one entrant's games are worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualifierScore<P> {
    /// Benchmark by benchmark, in the order of the stable.
    pub benchmarks: Vec<BenchmarkScore<P>>,
    /// Games against players who are no benchmarks: positions in the raw list.
    pub against_others: Vec<Judged>,
    /// How many games count.
    pub counted: u64,
    /// The points.
    pub points: u64,
    /// The first tie-break: zero minus the losses before the streaks.
    pub tie_break: i64,
    /// The second tie-break: when the score was complete; none where nothing was won.
    pub completed_at: Option<Micros>,
}

impl<P: Clone + PartialEq> QualifierScore<P> {
    /// Judges and scores the raw games of one entrant.
    #[must_use]
    pub fn of(games: &[QualifyingGame<P>], rules: &QualifierRules<P>) -> QualifierScore<P> {
        let benchmarks: Vec<BenchmarkScore<P>> =
            rules.benchmarks.iter().map(|benchmark| score_benchmark(games, benchmark, rules)).collect();
        let against_others = (0..games.len())
            .filter(|&i| !rules.benchmarks.contains(&games[i].benchmark))
            .map(|game| Judged { game, verdict: Verdict::Ignored(Ignored::NoBenchmark) })
            .collect();
        QualifierScore {
            against_others,
            counted: benchmarks.iter().map(|one| u64::from(one.counted())).sum(),
            points: benchmarks.iter().map(|one| u64::from(one.points)).sum(),
            tie_break: -benchmarks.iter().map(|one| i64::from(one.losses_before)).sum::<i64>(),
            completed_at: benchmarks.iter().filter_map(|one| one.completed_at).max(),
            benchmarks,
        }
    }

    /// Whether a game counts, by its position in the raw list; none where there is no such game.
    #[must_use]
    pub fn verdict(&self, game: usize) -> Option<Verdict> {
        self.benchmarks
            .iter()
            .flat_map(|one| &one.judged)
            .chain(&self.against_others)
            .find(|judged| judged.game == game)
            .map(|judged| judged.verdict)
    }
}
