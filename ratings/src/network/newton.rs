//! Newton steps over all strengths at once, with the advantage among them. The linear system of a step has a row for each node,
//! far too many to factor; it is solved by conjugate gradients, for which the chains, each solved exactly, are the
//! preconditioner. What the games between players add is then little, and some ten passes do.

use super::Network;
use super::sweep::Chain;
use crate::rated::{Fit, POINTS_PER_NAT};
use crate::system::Effort;

/// Passes over the players before the first step over everybody.
const SWEEPS: u32 = 2;

/// The furthest that a strength moves in a step, in nats.
const FURTHEST: f64 = 1.5;

/// Halvings of a step that makes the gradient larger.
const HALVINGS: u32 = 12;

/// The most passes of conjugate gradients in a step.
const PASSES: u32 = 400;

/// The system of a step at the strengths as they are.
#[derive(Debug, Clone)]
struct Linear {
    /// The gradient of the log-posterior; the advantage's stands last.
    gradient: Vec<f64>,
    /// The diagonal of minus the second derivative.
    diagonal: Vec<f64>,
    /// The curvature of each game, as it stands with each node.
    weights: Vec<f64>,
    /// What the chains' elimination divides by.
    pivot: Vec<f64>,
}

impl Network {
    /// Brings the strengths to the top of the log-posterior.
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
                // Near the top the gradient is rounding alone, and no halving makes it smaller.
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

    /// Moves by a share of a step from where the strengths were.
    fn go(&mut self, from: &[f64], advantage: f64, step: &[f64], share: f64, odds: &mut [f64]) {
        for (node, (from, part)) in from.iter().zip(step).enumerate() {
            self.strength[node] = from + share * part;
            odds[node] = self.strength[node].exp();
        }
        self.advantage = advantage + share * step[self.nodes()];
    }

    /// One pass: gradient and curvature everywhere.
    fn linear(&self, odds: &[f64]) -> Linear {
        let nodes = self.nodes();
        let mut linear = Linear {
            gradient: vec![0.0; nodes + 1],
            diagonal: vec![0.0; nodes + 1],
            weights: vec![0.0; self.games.len()],
            pivot: vec![0.0; nodes],
        };
        if self.free_advantage {
            linear.gradient[nodes] = self.gold_points;
        }
        let factors = self.colour_factors();
        for player in 0..self.held.len() {
            let chain = self.chain(player);
            for node in chain.clone() {
                let (weights, free) = (&mut linear.weights, self.free_advantage);
                let (mut gold_chance, mut gold_weight) = (0.0, 0.0);
                let (games_gradient, games_curvature) =
                    self.games_of_node(node, odds, factors, |place, chance, weight| {
                        weights[place] = weight;
                        // Each game stands with two nodes; for the advantage Gold's is taken.
                        if free && self.games[place] & 1 == 0 {
                            gold_chance += chance;
                            gold_weight += weight;
                        }
                    });
                linear.gradient[nodes] -= gold_chance;
                linear.diagonal[nodes] += gold_weight;
                if self.held[player] {
                    (linear.diagonal[node], linear.pivot[node]) = (1.0, 1.0);
                    continue;
                }
                let (mut gradient, mut curvature) = (games_gradient, games_curvature);
                if node == chain.start {
                    let (pull, stiff) = self.prior_at(odds[node]);
                    (gradient, curvature) = (gradient + pull, curvature + stiff);
                }
                if node > chain.start {
                    gradient += self.link[node - 1] * (self.strength[node - 1] - self.strength[node]);
                    curvature += self.link[node - 1];
                }
                if node + 1 < chain.end {
                    gradient += self.link[node] * (self.strength[node + 1] - self.strength[node]);
                    curvature += self.link[node];
                }
                // A chance of nearly 0 or 1 may leave no curvature at all.
                curvature = curvature.max(1e-12);
                linear.gradient[node] = gradient;
                linear.diagonal[node] = curvature;
                let coupled = if node > chain.start {
                    self.link[node - 1] * self.link[node - 1] / linear.pivot[node - 1]
                } else {
                    0.0
                };
                linear.pivot[node] = curvature - coupled;
            }
        }
        linear.diagonal[nodes] = linear.diagonal[nodes].max(1e-12);
        linear
    }

    /// The step of a system: conjugate gradients until the residual is a small part of the gradient. With the number of passes.
    fn solve(&self, linear: &Linear) -> (Vec<f64>, u32) {
        let mut step = vec![0.0; linear.gradient.len()];
        let mut residual = linear.gradient.clone();
        // The nearer the top, the more exact: so the steps converge as Newton's do.
        let begin = norm(&residual);
        let enough = begin * (0.1 * begin.sqrt()).clamp(1e-8, 0.05);
        let mut ahead = self.precondition(linear, &residual);
        let mut direction = ahead.clone();
        let mut product = vec![0.0; step.len()];
        let mut slope = dot(&residual, &ahead);
        let mut passes = 0;
        while passes < PASSES && norm(&residual) > enough && slope > 0.0 {
            self.times(linear, &direction, &mut product);
            passes += 1;
            let curvature = dot(&direction, &product);
            // In a direction in which all move alike and nothing holds them there is nothing to gain.
            if curvature <= 1e-14 * dot(&direction, &direction) {
                break;
            }
            let length = slope / curvature;
            for i in 0..step.len() {
                step[i] += length * direction[i];
                residual[i] -= length * product[i];
            }
            ahead = self.precondition(linear, &residual);
            let next = dot(&residual, &ahead);
            let turn = next / slope;
            slope = next;
            for i in 0..step.len() {
                direction[i] = ahead[i] + turn * direction[i];
            }
        }
        (step, passes)
    }

    /// Minus the second derivative times a vector.
    fn times(&self, linear: &Linear, vector: &[f64], product: &mut [f64]) {
        let nodes = self.nodes();
        let advantage = vector[nodes];
        let mut of_advantage = linear.diagonal[nodes] * advantage;
        for player in 0..self.held.len() {
            let chain = self.chain(player);
            let held = self.held[player];
            for node in chain.clone() {
                let places = self.games_from[node]..self.games_from[node + 1];
                let mut sum = 0.0;
                let mut signed = 0.0;
                for (game, weight) in self.games[places.clone()].iter().zip(&linear.weights[places]) {
                    sum += weight * vector[(game >> 1) as usize];
                    if self.free_advantage {
                        signed += if game & 1 == 0 { *weight } else { -weight };
                    }
                }
                if held {
                    product[node] = 0.0;
                    continue;
                }
                of_advantage += signed * vector[node];
                let mut value = linear.diagonal[node] * vector[node] - sum + signed * advantage;
                if node > chain.start {
                    value -= self.link[node - 1] * vector[node - 1];
                }
                if node + 1 < chain.end {
                    value -= self.link[node] * vector[node + 1];
                }
                product[node] = value;
            }
        }
        product[nodes] = if self.free_advantage { of_advantage } else { 0.0 };
    }

    /// Solves the system as if no game joined two players.
    fn precondition(&self, linear: &Linear, vector: &[f64]) -> Vec<f64> {
        let nodes = self.nodes();
        let mut solved = vector.to_vec();
        for player in 0..self.held.len() {
            let chain = self.chain(player);
            for node in chain.clone().skip(1) {
                solved[node] += self.link[node - 1] / linear.pivot[node - 1] * solved[node - 1];
            }
            let mut after = 0.0;
            for node in chain.rev() {
                after = (solved[node] + self.link[node] * after) / linear.pivot[node];
                solved[node] = after;
            }
        }
        solved[nodes] = if self.free_advantage { vector[nodes] / linear.diagonal[nodes] } else { 0.0 };
        solved
    }
}

fn largest(parts: &[f64]) -> f64 {
    parts.iter().fold(0.0, |largest, part| largest.max(part.abs()))
}

fn norm(parts: &[f64]) -> f64 {
    dot(parts, parts).sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
