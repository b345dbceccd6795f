//! The model of whole-history rating and Bradley–Terry. Each player is a chain of nodes, one per time with games; a
//! Wiener process links neighbours in a chain, and every game links a node of Gold's to one of Silver's. In
//! Bradley–Terry each chain has one node.
//!
//! Strengths are in nats: Gold's odds are `exp(gold + advantage − silver)`. A draw is half a win and half a loss. Nodes
//! of a chain and games of a node are contiguous, so that passes read memory in order.

mod build;
mod errors;
mod newton;
mod sweep;

use crate::rated::POINTS_PER_NAT;
use crate::system::Advantage;

pub(crate) use build::Joined;
pub(crate) use errors::WHOLE;

/// In nats: the variance of a day's change.
pub(crate) fn variance_in_nats(points_squared: f64) -> f64 {
    points_squared / (POINTS_PER_NAT * POINTS_PER_NAT)
}

/// The model with present strengths.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    /// The nodes of chain `c` are `first[c]..first[c + 1]`.
    first: Vec<usize>,
    /// Fixed, not estimated.
    held: Vec<bool>,
    /// At each node.
    pub(crate) strength: Vec<f64>,
    /// Index of the last game at each node.
    pub(crate) last_game: Vec<u32>,
    /// Of each node, in time steps.
    moment: Vec<i64>,
    /// Precision of the Wiener process to the chain's next node; 0 at the last.
    link: Vec<f64>,
    /// Won at each node.
    points: Vec<f64>,
    /// The games of node `n` are `games[games_from[n]..games_from[n + 1]]`.
    games_from: Vec<usize>,
    /// The opponent's node, doubled, plus 1 if this node is Silver's.
    games: Vec<u32>,
    /// Each game's nodes, Gold's first.
    joined: Vec<[u32; 2]>,
    /// Drawn games against the average, at the first node of every free chain.
    prior: f64,
    pub(crate) advantage: f64,
    /// Estimated.
    free_advantage: bool,
    /// In all games.
    gold_points: f64,
}

/// How nodes are made from games.
pub(crate) struct Design<'d> {
    pub(crate) players: usize,
    /// In nats, per time step.
    pub(crate) variance: f64,
    /// In microseconds.
    pub(crate) step: i64,
    /// One strength for all time.
    pub(crate) constant: &'d dyn Fn(usize) -> bool,
    /// The fixed strength.
    pub(crate) held: &'d dyn Fn(usize) -> Option<f64>,
    /// Drawn games against the average.
    pub(crate) prior: f64,
    pub(crate) advantage: Advantage,
}

impl Network {
    pub(crate) fn nodes(&self) -> usize {
        self.strength.len()
    }

    pub(crate) fn chain(&self, player: usize) -> std::ops::Range<usize> {
        self.first[player]..self.first[player + 1]
    }

    /// In time steps.
    pub(crate) fn moment(&self, node: usize) -> i64 {
        self.moment[node]
    }

    /// The odds factors of the advantage, for Gold's and Silver's nodes.
    fn colour_factors(&self) -> [f64; 2] {
        let odds = self.advantage.exp();
        [1.0 / odds, odds]
    }

    /// For a chain, by games alone: the gradient of the log-posterior at each node, and the diagonal of the negated
    /// second derivative. `each` gets every game's index, chance and curvature; `odds` is `exp(strength)`.
    fn games_of_node(
        &self,
        node: usize,
        odds: &[f64],
        factors: [f64; 2],
        mut each: impl FnMut(usize, f64, f64),
    ) -> (f64, f64) {
        let own = odds[node];
        let (mut expected, mut curvature) = (0.0, 0.0);
        let from = self.games_from[node];
        for (place, game) in self.games[from..self.games_from[node + 1]].iter().enumerate() {
            let against = odds[(game >> 1) as usize] * factors[(game & 1) as usize];
            let chance = own / (own + against);
            let weight = chance * (1.0 - chance);
            expected += chance;
            curvature += weight;
            each(from + place, chance, weight);
        }
        (self.points[node] - expected, curvature)
    }

    /// Gradient and curvature of the prior at a chain's first node.
    fn prior_at(&self, odds: f64) -> (f64, f64) {
        let chance = odds / (odds + 1.0);
        (self.prior * (0.5 - chance), self.prior * chance * (1.0 - chance))
    }
}

/// A dot product in eight lanes, so that additions do not wait for each other; the order is fixed.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_eights, a_rest) = a.as_chunks::<8>();
    let (b_eights, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a_eights.iter().zip(b_eights) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}
