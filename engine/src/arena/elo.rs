//! The difference in strength of two contestants by the results of a match, in Elo: with error bars, and the likelihood that
//! the first is stronger.
//!
//! The score of a match is `s`, the points for each game. By Elo's formula the difference with this expected score is
//! `d = −400·log10(1/s − 1)`. The error follows from the variance of the observations. Games are observed one by one
//! (wins, draws, losses: *trinomial*), or in pairs with the same opening and exchanged colours (five possible sums:
//! *pentanomial*), which is tighter if the opening has a large effect, since it does not count as noise.
//!
//! The bounds are Wilson's, for a mean of observations between 0 and 1 with variance `v`:
//! `(s + z²/2n ± z·√(v/n + z²/4n²)) / (1 + z²/n)`, where `n` is the number of observations. They are between 0 and 1 for any number of
//! games, and reach an end only if every game had the same result: such a match has a bound on one side
//! only, and no estimate.

use std::fmt;

use super::normal;
use super::standings::Record;

/// The counted results of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Results {
    Games(Record),
    /// In pairs of games with exchanged colours: the numbers that gave 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
}

impl Results {
    /// The number of observations: games, or pairs.
    #[must_use]
    pub fn observations(&self) -> u64 {
        self.spread().iter().map(|(_, count)| count).sum()
    }

    #[must_use]
    pub fn games(&self) -> u64 {
        match self {
            Results::Games(record) => record.games(),
            Results::Pairs(_) => 2 * self.observations(),
        }
    }

    /// The score of each kind of observation, from 0 to 1, and its count.
    pub(super) fn spread(&self) -> Vec<(f64, u64)> {
        match self {
            Results::Games(record) => vec![(0.0, record.losses), (0.5, record.draws), (1.0, record.wins)],
            Results::Pairs(counts) => {
                counts.iter().enumerate().map(|(sum, count)| (sum as f64 / 4.0, *count)).collect()
            }
        }
    }

    /// The mean of the observations; none before the first.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let count = self.observations();
        let sum: f64 = self.spread().iter().map(|(worth, count)| worth * *count as f64).sum();
        (count > 0).then(|| sum / count as f64)
    }

    /// The variance of one observation about the mean; none before the first.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let mean = self.score()?;
        let sum: f64 =
            self.spread().iter().map(|(worth, count)| (worth - mean) * (worth - mean) * *count as f64).sum();
        Some(sum / self.observations() as f64)
    }
}

/// Counts games in pairs with exchanged colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PairCount {
    pairs: [u64; 5],
    /// Half points of the first contestant in the first game of an incomplete pair.
    half: Option<usize>,
}

impl PairCount {
    /// Adds the next game with the half points of the first contestant, at most two; returns whether its pair is complete.
    pub fn add(&mut self, half_points: usize) -> bool {
        let Some(before) = self.half.take() else {
            self.half = Some(half_points);
            return false;
        };
        if let Some(count) = self.pairs.get_mut(before + half_points) {
            *count += 1;
        }
        true
    }

    /// The complete pairs.
    #[must_use]
    pub const fn results(&self) -> Results {
        Results::Pairs(self.pairs)
    }
}

/// The expected score for a difference in Elo.
#[must_use]
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo with this expected score; none at 0 and 1, for which no difference is large enough.
#[must_use]
pub fn elo_of(score: f64) -> Option<f64> {
    // The sum with 0 makes 0 of -0, for one half.
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

/// A difference in Elo, from the view of the first of two.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Difference {
    /// The estimate; none if every game was lost, or every game won.
    pub elo: Option<f64>,
    /// The lower bound at the confidence level; none if every game was lost.
    pub low: Option<f64>,
    /// The upper bound at the confidence level; none if every game was won.
    pub high: Option<f64>,
    /// The confidence level, from 0 to 1.
    pub confidence: f64,
    /// The likelihood that the first is the stronger one, from 0 to 1.
    pub superiority: f64,
    pub games: u64,
}

impl Difference {
    /// The difference by the results, with its 95% confidence interval; none before the first game.
    #[must_use]
    pub fn of(results: &Results) -> Option<Difference> {
        Difference::with_confidence(results, 0.95)
    }

    /// As [`Difference::of`], with another confidence level (between 0 and 1, both excluded).
    #[must_use]
    pub fn with_confidence(results: &Results, confidence: f64) -> Option<Difference> {
        let (score, variance) = (results.score()?, results.variance()?);
        let count = results.observations() as f64;
        let z = normal::point(f64::midpoint(1.0, confidence.clamp(0.0, 0.999_999_999)));
        let shrink = 1.0 + z * z / count;
        let middle = (score + z * z / (2.0 * count)) / shrink;
        let half = z * (variance / count + z * z / (4.0 * count * count)).sqrt() / shrink;
        let bound = |end: f64, score_at_end: f64| if score == score_at_end { None } else { elo_of(end) };
        Some(Difference {
            elo: elo_of(score),
            low: bound(middle - half, 0.0),
            high: bound(middle + half, 1.0),
            confidence,
            superiority: superiority(results),
            games: results.games(),
        })
    }
}

/// The likelihood that the first of two is the stronger one.
///
/// By single games it is exact for a uniform prior of the probability of winning a decided game: the probability that
/// of `w + l + 1` throws of a coin, at most `w` show heads. Draws do not count. By pairs it is the part of the normal
/// distribution below `(s − ½)/√(v/n)`; if all pairs gave the same sum, `v` is computed as if one more pair had
/// been level, and one more had not.
#[must_use]
pub fn superiority(results: &Results) -> f64 {
    match results {
        Results::Games(record) => heads_at_most(record.wins, record.wins + record.losses + 1),
        Results::Pairs(_) => {
            let (Some(score), Some(variance)) = (results.score(), results.variance()) else { return 0.5 };
            let count = results.observations() as f64;
            let variance = if variance > 0.0 { variance } else { 0.25 / (count + 2.0) };
            normal::below((score - 0.5) / (variance / count).sqrt())
        }
    }
}

/// The probability that a fair coin shows heads at most `most` times in `throws`.
fn heads_at_most(most: u64, throws: u64) -> f64 {
    if throws > 10_000 {
        // The normal approximation is exact to all printed digits.
        let (mean, deviation) = (throws as f64 / 2.0, (throws as f64).sqrt() / 2.0);
        return normal::below((most as f64 + 0.5 - mean) / deviation);
    }
    // From the smaller end, in logarithms: the terms are far below the range of floating-point numbers.
    let (end, other) = if 2 * most < throws { (most, false) } else { (throws - most - 1, true) };
    let mut log_term = -(throws as f64) * std::f64::consts::LN_2;
    let mut sum = log_term.exp();
    for k in 1..=end {
        log_term += ((throws - k + 1) as f64 / k as f64).ln();
        sum += log_term.exp();
    }
    if most >= throws {
        1.0
    } else if other {
        1.0 - sum
    } else {
        sum
    }
}

/// `+35.2 (+10.1 to +61.0 with 95 %), stronger with 99.7 %`; a missing bound is written as text.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = Percent(self.confidence);
        match (self.elo, self.low, self.high) {
            (Some(elo), Some(low), Some(high)) => {
                write!(f, "{elo:+.1} ({low:+.1} to {high:+.1} with {percent})")?;
            }
            (_, Some(low), None) => write!(f, "every game won: {low:+.1} or more with {percent}")?,
            (_, None, Some(high)) => write!(f, "every game lost: {high:+.1} or less with {percent}")?,
            _ => f.write_str("not known")?,
        }
        write!(f, ", stronger with {}", Percent(self.superiority))
    }
}

/// A share in percent, never rounded to 0 or 100.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.0 * 100.0;
        if percent > 99.95 {
            f.write_str("over 99.9 %")
        } else if percent < 0.05 {
            f.write_str("under 0.1 %")
        } else if (percent - percent.round()).abs() < 1e-9 {
            write!(f, "{percent:.0} %")
        } else {
            write!(f, "{percent:.1} %")
        }
    }
}
