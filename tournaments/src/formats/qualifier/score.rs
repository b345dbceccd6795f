//! Points, losses before the streak, and time of completion: one entrant's score per benchmark and in total.

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{Micros, PlayerId};

use super::count::{CheckedGame, GameStatus, Ignored, QualifierRules, Weight, check_games};
use super::reading::{CompletionMoment, NotPlayed, StreakChoice};

/// The winning run that scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streak {
    /// The number of its first counted game, from 1.
    pub first: u32,
    /// In wins.
    pub length: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkScore {
    pub benchmark: PlayerId,
    /// In order of play, with status.
    pub games: Vec<CheckedGame>,
    pub counted: u32,
    /// None without a win.
    pub streak: Option<Streak>,
    pub points: u32,
    /// All losses without a win.
    pub losses_before: u32,
    /// The last game of the score, by number, and its end.
    pub completed: Option<(u32, Micros)>,
}

/// None for a game without a winner. Games decided by network failures count (2015 WCC, Qualifying 6).
pub(super) fn won(game: &QualifyingGamePlayed) -> Option<bool> {
    game.winner.map(|winner| winner == game.side)
}

pub fn score_benchmark(
    games: &[&QualifyingGamePlayed],
    benchmark: &PlayerId,
    rules: &QualifierRules,
) -> BenchmarkScore {
    let mut checked = check_games(games, benchmark, rules);
    let is_counted = |(_, verdict): &&CheckedGame| matches!(verdict, GameStatus::Counted { .. });
    let counted: Vec<&QualifyingGamePlayed> =
        checked.iter().filter(is_counted).map(|(game, _)| games[*game]).collect();
    let streak = longest_streak(&counted, rules);
    let Streak { first, length } = streak.unwrap_or(Streak { first: u32::MAX, length: 0 });
    let points = length.min(rules.points_per_benchmark);
    let mut losses_before = 0;
    for (game, verdict) in &mut checked {
        let GameStatus::Counted { number, weight } = verdict else { continue };
        let within = number.checked_sub(first);
        *weight = match (won(games[*game]), within) {
            (Some(false), None) => Weight::LossBefore,
            (Some(true), Some(at)) if at < points => Weight::Point,
            (Some(true), Some(at)) if at < length => Weight::BeyondTheMaximum,
            _ => Weight::Nothing,
        };
        losses_before += u32::from(*weight == Weight::LossBefore);
    }
    let last = match rules.readings.completion {
        CompletionMoment::LastScoringWin => points,
        CompletionMoment::EndOfStreak => length,
    };
    let last = streak.filter(|_| points > 0).map(|streak| streak.first + last - 1);
    BenchmarkScore {
        benchmark: benchmark.clone(),
        games: checked,
        counted: small(counted.len()),
        streak,
        points,
        losses_before,
        completed: last.and_then(|number| Some((number, counted.get(number as usize - 1)?.ended_at))),
    }
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// None without a win.
fn longest_streak(counted: &[&QualifyingGamePlayed], rules: &QualifierRules) -> Option<Streak> {
    let mut best: Option<Streak> = None;
    let mut start = 0;
    for run in counted.split_inclusive(|game| won(game) != Some(true)) {
        let length = small(run.iter().filter(|game| won(game) == Some(true)).count());
        if length > best.map_or(0, |best| best.length) {
            best = Some(Streak { first: small(start + 1), length });
            let scores_all = length >= rules.points_per_benchmark;
            if rules.readings.streak == StreakChoice::FirstThatScoresAll && scores_all {
                break;
            }
        }
        start += run.len();
    }
    best
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualifierScore {
    /// In the order of the stable.
    pub benchmarks: Vec<BenchmarkScore>,
    /// Against other players.
    pub against_others: Vec<CheckedGame>,
    pub counted: u64,
    /// By reading T39.
    pub played: bool,
    pub points: u64,
    /// The first tie-break: minus the losses before the streaks.
    pub tie_break: i64,
    /// The second tie-break: when the score was complete; none without a win.
    pub completed_at: Option<Micros>,
}

impl QualifierScore {
    pub fn of(games: &[&QualifyingGamePlayed], rules: &QualifierRules) -> QualifierScore {
        let benchmarks: Vec<BenchmarkScore> =
            rules.benchmarks.iter().map(|benchmark| score_benchmark(games, benchmark, rules)).collect();
        let against_others = (0..games.len())
            .filter(|&i| !rules.benchmarks.contains(&games[i].benchmark))
            .map(|game| (game, GameStatus::Ignored(Ignored::NoBenchmark)))
            .collect();
        let counted = benchmarks.iter().map(|one| u64::from(one.counted)).sum();
        QualifierScore {
            against_others,
            counted,
            played: match rules.readings.not_played {
                NotPlayed::NoneThatCounts => counted > 0,
                NotPlayed::NoneAtAll => !games.is_empty(),
            },
            points: benchmarks.iter().map(|one| u64::from(one.points)).sum(),
            tie_break: -benchmarks.iter().map(|one| i64::from(one.losses_before)).sum::<i64>(),
            completed_at: benchmarks.iter().filter_map(|one| Some(one.completed?.1)).max(),
            benchmarks,
        }
    }
}
