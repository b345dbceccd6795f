//! One player at a time (Coulom): with the others constant, a Newton step over a chain is a tridiagonal system. A few
//! sweeps come near; the slow end is left to the Newton steps.

use super::Network;

/// Largest move per step, in nats: far away the curvature is misleading.
const FURTHEST: f64 = 2.0;

impl Network {
    /// One pass over all chains.
    pub(super) fn sweep(&mut self, odds: &mut [f64], scratch: &mut Chain) {
        let factors = self.colour_factors();
        for player in 0..self.held.len() {
            if self.held[player] {
                continue;
            }
            let chain = self.chain(player);
            if chain.is_empty() {
                continue;
            }
            scratch.clear();
            for node in chain.clone() {
                let (mut gradient, mut curvature) = self.games_of_node(node, odds, factors, |_, _, _| ());
                if node == chain.start {
                    let (pull, stiff) = self.prior_at(odds[node]);
                    gradient += pull;
                    curvature += stiff;
                }
                if node > chain.start {
                    let link = self.link[node - 1];
                    gradient += link * (self.strength[node - 1] - self.strength[node]);
                    curvature += link;
                }
                if node + 1 < chain.end {
                    let link = self.link[node];
                    gradient += link * (self.strength[node + 1] - self.strength[node]);
                    curvature += link;
                }
                scratch.push(curvature, gradient);
            }
            let furthest = scratch.solve(&self.link[chain.clone()]);
            let scale = if furthest > FURTHEST { FURTHEST / furthest } else { 1.0 };
            for (node, step) in chain.zip(&scratch.right) {
                self.strength[node] += scale * step;
                odds[node] = self.strength[node].exp();
            }
        }
    }
}

/// Buffers for a chain's tridiagonal system.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pivot: Vec<f64>,
    right: Vec<f64>,
}

impl Chain {
    fn clear(&mut self) {
        self.pivot.clear();
        self.right.clear();
    }

    fn push(&mut self, diagonal: f64, right: f64) {
        self.pivot.push(diagonal);
        self.right.push(right);
    }

    /// Solves the system with links −`link` in place on the right side. Returns its largest absolute component.
    fn solve(&mut self, link: &[f64]) -> f64 {
        let n = self.pivot.len();
        for i in 1..n {
            let factor = link[i - 1] / self.pivot[i - 1];
            self.pivot[i] -= factor * link[i - 1];
            self.right[i] += factor * self.right[i - 1];
        }
        let (mut after, mut furthest) = (0.0, 0.0f64);
        for i in (0..n).rev() {
            let coupled = if i + 1 < n { link[i] * after } else { 0.0 };
            after = (self.right[i] + coupled) / self.pivot[i];
            self.right[i] = after;
            furthest = furthest.max(after.abs());
        }
        furthest
    }
}
