//! Tournament performance ratings by the Bradley–Terry model (2015 WCC, Tournament format 7): the
//! maximum-likelihood strengths, with a draw of half weight per player against a fixed dummy player,
//! identically rated against everyone. Ratings from before the tournament are not used.
//!
//! With strengths θ in natural units, the dummy at 0, and σ(x) = 1/(1 + e⁻ˣ), the θ maximise
//!
//! ```text
//! Σ decided games ln σ(θ winner − θ loser) + Σ draws ½ [ln σ(θ a − θ b) + ln σ(θ b − θ a)]
//! + Σ players ½ w [ln σ(θ) + ln σ(−θ)]
//! ```
//!
//! where w is the weight of the virtual draw. This is strictly concave with a finite maximum, so that exactly
//! one solution exists. Newton's method finds it, with conjugate gradients for each step, since a thousand
//! players have only a few games each.
//!
//! Ratings are compared by [`Ratings::class`]: values within 1e-9 are one class. Different strengths of small
//! tournaments differ thousands of times more, rounding thousands of times less.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::Outcome;

use crate::reading::readings;
use crate::record::PlayedRound;

readings! {
    /// The weight of "a virtual half-weighted draw against a fixed dummy player" (2015 WCC, Tournament format 7).
    pub enum VirtualDraw, "T9", "what a virtual half-weighted draw weighs" {
        /// Half a drawn game: a quarter of a win and a quarter of a loss.
        HalfOfADraw = "A" "half_of_a_draw",
        /// A whole drawn game: half a win and half a loss.
        WholeDraw = "B" "whole_draw",
    }
}

impl VirtualDraw {
    /// In games.
    pub fn weight(self) -> f64 {
        match self {
            VirtualDraw::HalfOfADraw => 0.5,
            VirtualDraw::WholeDraw => 1.0,
        }
    }
}

/// In natural units.
pub const EQUAL_WITHIN: f64 = 1e-9;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RatingError {
    /// An error in the program, not in the games.
    #[error(
        "the tournament performance ratings did not come to rest after {steps} steps (the gradient is still {gradient:e}); please report this"
    )]
    NoRest { steps: usize, gradient: f64 },
    #[error("{player} has a game but is not among the players to be rated")]
    Stranger { player: PlayerId },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    players: BTreeMap<PlayerId, (f64, usize)>,
}

impl Ratings {
    /// Ratings of all `players` by decided and drawn games. Double losses, double wins and undecided games do
    /// not count.
    ///
    /// # Errors
    /// If a game has another player.
    pub fn of<'a>(
        players: &[PlayerId],
        rounds: impl IntoIterator<Item = &'a PlayedRound>,
        virtual_draw: VirtualDraw,
    ) -> Result<Ratings, RatingError> {
        let index: BTreeMap<&PlayerId, usize> = players.iter().zip(0..).collect();
        let find = |player: &PlayerId| {
            index.get(player).copied().ok_or_else(|| RatingError::Stranger { player: player.clone() })
        };
        let mut games = Games::new(players.len(), virtual_draw.weight());
        for game in rounds.into_iter().flat_map(|round| &round.games) {
            let (gold, silver) = (find(&game.gold)?, find(&game.silver)?);
            match game.decided() {
                Some(Outcome::Gold) => games.add(gold, silver, 1.0),
                Some(Outcome::Silver) => games.add(silver, gold, 1.0),
                Some(Outcome::Draw) => {
                    games.add(gold, silver, 0.5);
                    games.add(silver, gold, 0.5);
                }
                Some(Outcome::DoubleLoss | Outcome::DoubleWin | Outcome::NoDecision) | None => {}
            }
        }
        let strengths = games.most_likely()?;
        let classes = classes(&strengths);
        let rated = players.iter().cloned().zip(strengths.into_iter().zip(classes));
        Ok(Ratings { players: rated.collect() })
    }

    /// In natural units, the dummy at 0.
    pub fn strength(&self, player: &PlayerId) -> Option<f64> {
        self.players.get(player).map(|(strength, _)| *strength)
    }

    /// On the Elo scale, the dummy at 1500.
    pub fn elo(&self, player: &PlayerId) -> Option<f64> {
        self.strength(player).map(|strength| 1500.0 + 400.0 / std::f64::consts::LN_10 * strength)
    }

    /// Index among the different ratings, 0 for the highest.
    pub fn class(&self, player: &PlayerId) -> Option<usize> {
        self.players.get(player).map(|(_, class)| *class)
    }
}

/// 0 for the highest: in falling order, a step below [`EQUAL_WITHIN`] stays in the class.
fn classes(strengths: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    order.sort_by(|a, b| strengths[*b].total_cmp(&strengths[*a]));
    let mut classes = vec![0; strengths.len()];
    for step in order.windows(2) {
        let apart = strengths[step[0]] - strengths[step[1]] >= EQUAL_WITHIN;
        classes[step[1]] = classes[step[0]] + usize::from(apart);
    }
    classes
}

struct Games {
    /// Per player and opponent: weight of wins, and of all games.
    against: Vec<BTreeMap<usize, (f64, f64)>>,
    virtual_weight: f64,
}

impl Games {
    fn new(players: usize, virtual_weight: f64) -> Games {
        Games { against: vec![BTreeMap::new(); players], virtual_weight }
    }

    fn add(&mut self, winner: usize, loser: usize, weight: f64) {
        let won = self.against[winner].entry(loser).or_default();
        won.0 += weight;
        won.1 += weight;
        self.against[loser].entry(winner).or_default().1 += weight;
    }

    /// First derivatives of the likelihood, as compensated sums in player order, and negated second ones.
    fn derivatives(&self, strengths: &[f64]) -> (Vec<f64>, Curvature) {
        let mut gradient = Vec::with_capacity(strengths.len());
        let mut curvature = Curvature::default();
        for (games, &mine) in self.against.iter().zip(strengths) {
            let (above, below) = (sigma(mine), sigma(-mine));
            let mut slope = CompensatedSum::default();
            let mut diagonal = 0.0;
            for (&opponent, &(won, played)) in games {
                // won − played σ, written without cancellation if all or none were won.
                let x = mine - strengths[opponent];
                let (win, loss) = (sigma(x), sigma(-x));
                slope.add(won * loss - (played - won) * win);
                let weight = played * (win * loss);
                diagonal += weight;
                curvature.coupling.push((opponent, weight));
            }
            slope.add(self.virtual_weight * 0.5 * (1.0 - 2.0 * above));
            gradient.push(slope.value());
            curvature.diagonal.push(diagonal + self.virtual_weight * (above * below));
            curvature.ends.push(curvature.coupling.len());
        }
        (gradient, curvature)
    }

    fn most_likely(&self) -> Result<Vec<f64>, RatingError> {
        const MOST_STEPS: usize = 500;
        let mut strengths = vec![0.0; self.against.len()];
        let mut steps = 0;
        loop {
            let (gradient, curvature) = self.derivatives(&strengths);
            let step = curvature.newton_step(&gradient);
            let longest = step.iter().fold(0.0_f64, |longest, step| longest.max(step.abs()));
            // The quadratic model is reliable up to two natural units.
            let damping = if longest > 2.0 { 2.0 / longest } else { 1.0 };
            for (strength, step) in strengths.iter_mut().zip(&step) {
                *strength += damping * step;
            }
            steps += 1;
            if longest < 1e-12 {
                return Ok(strengths);
            }
            if steps == MOST_STEPS || !longest.is_finite() {
                let gradient = gradient.iter().fold(0.0_f64, |greatest, part| greatest.max(part.abs()));
                return Err(RatingError::NoRest { steps, gradient });
            }
        }
    }
}

/// Negated second derivatives: a symmetric matrix with positive diagonal, the rest negative.
#[derive(Default)]
struct Curvature {
    diagonal: Vec<f64>,
    /// Off-diagonal entries by row, negated: column, value.
    coupling: Vec<(usize, f64)>,
    /// The end of each row.
    ends: Vec<usize>,
}

impl Curvature {
    fn apply(&self, x: &[f64], product: &mut Vec<f64>) {
        product.clear();
        let mut start = 0;
        for ((mine, diagonal), &end) in x.iter().zip(&self.diagonal).zip(&self.ends) {
            let row = &self.coupling[start..end];
            product.push(
                row.iter().fold(diagonal * mine, |sum, (opponent, weight)| sum - weight * x[*opponent]),
            );
            start = end;
        }
    }

    /// Solves matrix × step = gradient by conjugate gradients with the diagonal as preconditioner.
    fn newton_step(&self, gradient: &[f64]) -> Vec<f64> {
        let mut step = vec![0.0; gradient.len()];
        let mut residual = gradient.to_vec();
        let mut direction: Vec<f64> = residual.iter().zip(&self.diagonal).map(|(x, d)| x / d).collect();
        let mut applied = Vec::with_capacity(gradient.len());
        let mut closeness = dot(residual.iter().copied(), &direction);
        let goal = closeness * 1e-28;
        for _ in 0..20 * gradient.len() + 100 {
            if closeness <= goal || closeness == 0.0 {
                break;
            }
            self.apply(&direction, &mut applied);
            let length = closeness / dot(direction.iter().copied(), &applied);
            for (((step, residual), direction), applied) in
                step.iter_mut().zip(&mut residual).zip(&direction).zip(&applied)
            {
                *step += length * direction;
                *residual -= length * applied;
            }
            let scaled = || residual.iter().zip(&self.diagonal).map(|(x, d)| x / d);
            let next = dot(scaled(), &residual);
            for (direction, scaled) in direction.iter_mut().zip(scaled()) {
                *direction = scaled + next / closeness * *direction;
            }
            closeness = next;
        }
        step
    }
}

fn sigma(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn dot(a: impl Iterator<Item = f64>, b: &[f64]) -> f64 {
    a.zip(b).map(|(a, b)| a * b).sum()
}

/// Kahan's sum with Neumaier's improvement.
#[derive(Default)]
struct CompensatedSum {
    sum: f64,
    error: f64,
}

impl CompensatedSum {
    fn add(&mut self, term: f64) {
        let next = self.sum + term;
        let (sum, larger) = (self.sum, self.sum.abs() >= term.abs());
        self.error += if larger { (sum - next) + term } else { (term - next) + sum };
        self.sum = next;
    }

    fn value(&self) -> f64 {
        self.sum + self.error
    }
}
