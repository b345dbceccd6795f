//! The stopping rule of a match: Wald's sequential test of "stronger by `elo1`" against "stronger by `elo0`".
//!
//! After each observation (a game, or a pair of games with exchanged colours) the test computes the logarithm of the likelihood ratio of
//! the results, for a difference of `elo1` against `elo0`. Below `ln(β/(1−α))` the test accepts `elo0`, above
//! `ln((1−β)/α)` it accepts `elo1`; so its error rates are about `α` and `β`, with fewer games than any fixed number.
//!
//! The rate of draws is not known beforehand. The ratio is the generalised one in its normal approximation (GSPRT): with
//! the expected scores `s₀`, `s₁` of the two differences, the mean `s` of `n` observations and their variance `v`, it is
//! `n·(s₁ − s₀)·(2s − s₀ − s₁) / 2v`. The variance is computed with half an observation of every kind added,
//! so that equal results at the start do not give a variance of zero.

use super::elo::{Results, score_of};

#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why there is no such test.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SprtError {
    #[error("the test needs elo0 below elo1, both within 1000 of 0; they are {elo0} and {elo1}")]
    Differences {
        /// The lower one.
        elo0: f64,
        /// The upper one.
        elo1: f64,
    },
    #[error("the test needs rates of error above 0 and below 0.5; alpha is {alpha}, beta is {beta}")]
    Rates {
        /// The rate of wrongly accepting `elo1`.
        alpha: f64,
        /// The rate of wrongly accepting `elo0`.
        beta: f64,
    },
}

/// Reads the two differences of a test, in Elo.
///
/// # Errors
/// When the text is not two numbers.
pub fn differences(text: &str) -> Result<[f64; 2], String> {
    let read = |part: &str| part.trim().parse::<f64>().ok().filter(|elo| elo.is_finite());
    let both = text.split_once(',').and_then(|(low, high)| Some([read(low)?, read(high)?]));
    both.ok_or_else(|| {
        format!("`{text}` is not a valid pair of differences; write two numbers of Elo, as in 0,20")
    })
}

/// The result of a test so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// Undecided: play continues.
    Open,
    /// The difference `elo0` or less is accepted.
    Lower,
    /// The difference `elo1` or more is accepted.
    Upper,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio.
    pub ratio: f64,
    /// At or below it, `elo0` is accepted.
    pub lower: f64,
    /// At or above it, `elo1` is accepted.
    pub upper: f64,
    /// The result.
    pub verdict: SprtVerdict,
}

impl Sprt {
    /// A test of `elo1` against `elo0`; `alpha` is the rate of accepting `elo1` if `elo0` is true, `beta` that of accepting `elo0`
    /// if `elo1` is.
    ///
    /// # Errors
    /// When the differences are not in order, or a rate is not between 0 and ½.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let fits = |elo: f64| elo.abs() <= 1000.0;
        if !(elo0 < elo1 && fits(elo0) && fits(elo1)) {
            return Err(SprtError::Differences { elo0, elo1 });
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(is_rate(alpha) && is_rate(beta)) {
            return Err(SprtError::Rates { alpha, beta });
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The two differences in Elo between which it decides: the lower and the upper one.
    #[must_use]
    pub const fn differences(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The lower and the upper bound of the ratio.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio of some results; 0 before the first.
    #[must_use]
    pub fn ratio(&self, results: &Results) -> f64 {
        let Some(mean) = results.score() else { return 0.0 };
        let (s0, s1) = (score_of(self.elo0), score_of(self.elo1));
        let count = results.observations() as f64;
        count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * widened_variance(results))
    }

    /// The state of the test after some results.
    #[must_use]
    pub fn standing(&self, results: &Results) -> SprtState {
        let (lower, upper) = self.bounds();
        let ratio = self.ratio(results);
        let verdict = match ratio {
            ratio if ratio >= upper => SprtVerdict::Upper,
            ratio if ratio <= lower => SprtVerdict::Lower,
            _ => SprtVerdict::Open,
        };
        SprtState { ratio, lower, upper, verdict }
    }
}

/// The variance of an observation, with half an observation of every kind added.
fn widened_variance(results: &Results) -> f64 {
    let spread: Vec<(f64, f64)> =
        results.spread().into_iter().map(|(worth, count)| (worth, count as f64 + 0.5)).collect();
    let count: f64 = spread.iter().map(|(_, count)| count).sum();
    let mean = spread.iter().map(|(worth, count)| worth * count).sum::<f64>() / count;
    spread.iter().map(|(worth, count)| (worth - mean) * (worth - mean) * count).sum::<f64>() / count
}
