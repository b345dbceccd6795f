//! Newton steps over all strengths and the advantage. The linear system, with a row per node, is solved by conjugate
//! gradients with the exactly solved chains as preconditioner; some ten passes suffice.

use super::sweep::Chain;
use super::{Network, dot};
use crate::rated::{Fit, POINTS_PER_NAT};
use crate::system::Effort;

/// Sweeps before the first Newton step.
const SWEEPS: u32 = 2;

/// Largest move of a strength per step, in nats.
const FURTHEST: f64 = 1.5;

/// Of a step that increases the gradient.
const HALVINGS: u32 = 12;

/// Of conjugate gradients per step.
const PASSES: u32 = 400;

/// The linear system at present strengths.
#[derive(Debug, Clone)]
struct Linear {
    /// Of the log-posterior; the advantage last.
    gradient: Vec<f64>,
    /// Of the negated second derivative.
    diagonal: Vec<f64>,
    /// Per game.
    weights: Vec<f64>,
    /// Reciprocals of the chain elimination's divisors.
    inverse: Vec<f64>,
    /// The elimination's factor to the chain's next node: link over divisor; 0 at the last.
    carry: Vec<f64>,
}

impl Network {
    /// Maximizes the log-posterior.
    pub(crate) fn fit(&mut self, effort: Effort) -> Fit {
        let mut odds: Vec<f64> = self.strength.iter().map(|strength| strength.exp()).collect();
        let mut chain = Chain::default();
        for _ in 0..SWEEPS {
            self.sweep(&mut odds, &mut chain);
        }
        let mut fit = Fit { passes: SWEEPS, ..Fit::default() };
        let mut linear = self.linear(&odds);
        fit.passes += 1;
        while fit.steps < effort.steps {
            let (mut step, passes) = self.solve(&linear);
            fit.steps += 1;
            fit.passes += passes;
            let furthest = largest(&step);
            if furthest > FURTHEST {
                step.iter_mut().for_each(|part| *part *= FURTHEST / furthest);
            }
            let before = (self.strength.clone(), self.advantage, norm(&linear.gradient));
            let mut share = 1.0;
            for halving in 0..=HALVINGS {
                self.go(&before.0, before.1, &step, share, &mut odds);
                linear = self.linear(&odds);
                fit.passes += 1;
                // Near the maximum the gradient is rounding only, which no halving reduces.
                if norm(&linear.gradient) <= 1.5 * before.2 + 1e-9 || halving == HALVINGS {
                    break;
                }
                share *= 0.5;
            }
            fit.last_move = furthest.min(FURTHEST) * share * POINTS_PER_NAT;
            if fit.last_move < effort.tolerance {
                fit.converged = true;
                break;
            }
        }
        fit.gradient = largest(&linear.gradient);
        fit
    }

    /// Moves by a part of a step from the start.
    fn go(&mut self, from: &[f64], advantage: f64, step: &[f64], share: f64, odds: &mut [f64]) {
        for (node, (from, part)) in from.iter().zip(step).enumerate() {
            self.strength[node] = from + share * part;
            odds[node] = self.strength[node].exp();
        }
        self.advantage = advantage + share * step[self.nodes()];
    }

    /// One pass for gradient and curvature.
    fn linear(&self, odds: &[f64]) -> Linear {
        let nodes = self.nodes();
        let mut linear = Linear {
            gradient: self.points.clone(),
            diagonal: vec![0.0; nodes + 1],
            weights: Vec::with_capacity(self.joined.len()),
            inverse: vec![0.0; nodes],
            carry: vec![0.0; nodes],
        };
        let against_gold = 1.0 / self.advantage.exp();
        let (mut gold_chance, mut gold_weight) = (0.0, 0.0);
        for [gold, silver] in self.joined.iter().map(|nodes| nodes.map(|node| node as usize)) {
            let (own, other) = (odds[gold], odds[silver] * against_gold);
            let share = 1.0 / (own + other);
            let (chance, other) = (own * share, other * share);
            let weight = chance * other;
            linear.gradient[gold] -= chance;
            linear.gradient[silver] -= other;
            linear.diagonal[gold] += weight;
            linear.diagonal[silver] += weight;
            linear.weights.push(weight);
            gold_chance += chance;
            gold_weight += weight;
        }
        let free = if self.free_advantage { 1.0 } else { 0.0 };
        linear.gradient.push(free * (self.gold_points - gold_chance));
        linear.diagonal[nodes] = f64::max(free * gold_weight, 1e-12);
        for player in 0..self.held.len() {
            let chain = self.chain(player);
            for node in chain.clone() {
                if self.held[player] {
                    (linear.gradient[node], linear.diagonal[node], linear.inverse[node]) = (0.0, 1.0, 1.0);
                    continue;
                }
                let (mut gradient, mut curvature) = (linear.gradient[node], linear.diagonal[node]);
                if node == chain.start {
                    let (pull, stiff) = self.prior_at(odds[node]);
                    (gradient, curvature) = (gradient + pull, curvature + stiff);
                }
                let mut coupled = 0.0;
                if node > chain.start {
                    let link = self.link[node - 1];
                    gradient += link * (self.strength[node - 1] - self.strength[node]);
                    curvature += link;
                    coupled = link * linear.carry[node - 1];
                }
                if node + 1 < chain.end {
                    gradient += self.link[node] * (self.strength[node + 1] - self.strength[node]);
                    curvature += self.link[node];
                }
                // A chance near 0 or 1 may leave no curvature.
                curvature = curvature.max(1e-12);
                linear.gradient[node] = gradient;
                linear.diagonal[node] = curvature;
                linear.inverse[node] = 1.0 / (curvature - coupled);
                linear.carry[node] = self.link[node] * linear.inverse[node];
            }
        }
        linear
    }

    /// Conjugate gradients until the residual is small; with the number of passes.
    fn solve(&self, linear: &Linear) -> (Vec<f64>, u32) {
        let mut step = vec![0.0; linear.gradient.len()];
        let mut residual = linear.gradient.clone();
        // More exact near the maximum, for Newton's convergence.
        let begin = norm(&residual);
        let enough = begin * (0.1 * begin.sqrt()).clamp(1e-8, 0.05);
        let mut ahead = vec![0.0; step.len()];
        self.precondition(linear, &residual, &mut ahead);
        let mut direction = ahead.clone();
        let mut product = vec![0.0; step.len()];
        let mut slope = dot(&residual, &ahead);
        let mut passes = 0;
        while passes < PASSES && norm(&residual) > enough && slope > 0.0 {
            self.times(linear, &direction, &mut product);
            passes += 1;
            let curvature = dot(&direction, &product);
            // A free common direction gains nothing.
            if curvature <= 1e-14 * dot(&direction, &direction) {
                break;
            }
            let length = slope / curvature;
            step.iter_mut().zip(&direction).for_each(|(step, direction)| *step += length * direction);
            residual.iter_mut().zip(&product).for_each(|(residual, product)| *residual -= length * product);
            self.precondition(linear, &residual, &mut ahead);
            let next = dot(&residual, &ahead);
            let turn = next / slope;
            slope = next;
            direction
                .iter_mut()
                .zip(&ahead)
                .for_each(|(direction, ahead)| *direction = ahead + turn * *direction);
        }
        (step, passes)
    }

    /// The negated second derivative times a vector, which is 0 for fixed players.
    fn times(&self, linear: &Linear, vector: &[f64], product: &mut [f64]) {
        let nodes = self.nodes();
        // The link after a chain's last node is 0.
        let mut before = 0.0;
        let values = vector.iter().zip(&vector[1..]).zip(&self.link).zip(&linear.diagonal);
        for (product, (((value, next), link), diagonal)) in product.iter_mut().zip(values) {
            *product = diagonal * value - before - link * next;
            before = link * value;
        }
        // A given advantage does not move.
        let advantage = if self.free_advantage { vector[nodes] } else { 0.0 };
        let mut of_advantage = 0.0;
        for ([gold, silver], weight) in self.joined.iter().zip(&linear.weights) {
            let (gold, silver) = (*gold as usize, *silver as usize);
            let (of_gold, of_silver) = (vector[gold], vector[silver]);
            product[gold] -= weight * (of_silver - advantage);
            product[silver] -= weight * (of_gold + advantage);
            of_advantage += weight * (of_gold - of_silver);
        }
        product[nodes] = linear.diagonal[nodes] * advantage + of_advantage * f64::from(self.free_advantage);
        for player in (0..self.held.len()).filter(|player| self.held[*player]) {
            product[self.chain(player)].fill(0.0);
        }
    }

    /// Solves the system without games between players.
    fn precondition(&self, linear: &Linear, vector: &[f64], solved: &mut [f64]) {
        let nodes = self.nodes();
        for chain in self.first.windows(2) {
            let chain = chain[0]..chain[1];
            let (inverse, carry) = (&linear.inverse[chain.clone()], &linear.carry[chain.clone()]);
            let (vector, solved) = (&vector[chain.clone()], &mut solved[chain]);
            let mut before = 0.0;
            for ((solved, value), carry) in solved.iter_mut().zip(vector).zip(carry) {
                *solved = value + before;
                before = carry * *solved;
            }
            let mut after = 0.0;
            for ((solved, inverse), carry) in solved.iter_mut().zip(inverse).zip(carry).rev() {
                after = *solved * inverse + carry * after;
                *solved = after;
            }
        }
        solved[nodes] = if self.free_advantage { vector[nodes] / linear.diagonal[nodes] } else { 0.0 };
    }
}

fn largest(parts: &[f64]) -> f64 {
    parts.iter().fold(0.0, |largest, part| largest.max(part.abs()))
}

fn norm(parts: &[f64]) -> f64 {
    dot(parts, parts).sqrt()
}
