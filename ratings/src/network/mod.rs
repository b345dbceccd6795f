//! Strengths that games join: the model behind whole-history rating and Bradley–Terry. Each player is a chain of nodes, one for
//! each moment at which he played; a Wiener process joins neighbours in a chain, and every game joins a node of Gold's to one of
//! Silver's. Bradley–Terry is the case in which each chain has one node.
//!
//! Strengths are in nats: the odds of Gold are `exp(gold + advantage − silver)`. A draw is half a game won and half a game lost. The
//! nodes of a chain lie side by side, as do the games of a node, so that a pass over all games reads memory in order.

mod build;
mod errors;
mod newton;
mod sweep;

use crate::rated::POINTS_PER_NAT;
use crate::system::Advantage;

pub(crate) use build::Joined;
pub(crate) use errors::WHOLE;

/// A Wiener process in nats: the variance of a day's change.
pub(crate) fn variance_in_nats(points_squared: f64) -> f64 {
    points_squared / (POINTS_PER_NAT * POINTS_PER_NAT)
}

/// The model over some games, with the strengths so far.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    /// The nodes of chain `c` are `first[c]..first[c + 1]`.
    first: Vec<usize>,
    /// Whether a chain's strength is held and not estimated.
    held: Vec<bool>,
    /// The strength at each node.
    pub(crate) strength: Vec<f64>,
    /// The last game at each node, as its place among the games.
    pub(crate) last_game: Vec<u32>,
    /// The moment of each node, in steps of time.
    moment: Vec<i64>,
    /// The precision of the Wiener process between a node and the next of its chain; 0 at the last.
    link: Vec<f64>,
    /// Points won at each node.
    points: Vec<f64>,
    /// The games of node `n` are `games[games_from[n]..games_from[n + 1]]`.
    games_from: Vec<usize>,
    /// The opponent's node, doubled, and 1 more where this node is Silver's.
    games: Vec<u32>,
    /// The nodes that each game joins, Gold's first.
    joined: Vec<[u32; 2]>,
    /// Drawn games against the average, at the first node of every chain that is not held.
    prior: f64,
    pub(crate) advantage: f64,
    /// Whether it is estimated.
    free_advantage: bool,
    /// The points of Gold in all games.
    gold_points: f64,
}

/// How the nodes are made of games.
pub(crate) struct Design<'d> {
    pub(crate) players: usize,
    /// Variance in nats of the change within a step of time.
    pub(crate) variance: f64,
    /// Microseconds of a step of time.
    pub(crate) step: i64,
    /// Whether a player has one strength for all time.
    pub(crate) constant: &'d dyn Fn(usize) -> bool,
    /// The strength at which a player is held.
    pub(crate) held: &'d dyn Fn(usize) -> Option<f64>,
    /// Drawn games against the average.
    pub(crate) prior: f64,
    pub(crate) advantage: Advantage,
}

impl Network {
    pub(crate) fn nodes(&self) -> usize {
        self.strength.len()
    }

    /// The nodes of a player.
    pub(crate) fn chain(&self, player: usize) -> std::ops::Range<usize> {
        self.first[player]..self.first[player + 1]
    }

    /// The moment of a node, in steps of time.
    pub(crate) fn moment(&self, node: usize) -> i64 {
        self.moment[node]
    }

    /// What multiplies the odds of an opponent: the advantage, seen from a node that is Gold's or Silver's.
    fn colour_factors(&self) -> [f64; 2] {
        let odds = self.advantage.exp();
        [1.0 / odds, odds]
    }

    /// For a chain: the gradient of the log-posterior at each node, and the diagonal of minus its second derivative, by the games
    /// alone (`each` is told of every game its place, the chance and the curvature). `odds` holds `exp(strength)` of every node.
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

    /// What the prior adds at the first node of a chain: to the gradient, and to the curvature.
    fn prior_at(&self, odds: f64) -> (f64, f64) {
        let chance = odds / (odds + 1.0);
        (self.prior * (0.5 - chance), self.prior * chance * (1.0 - chance))
    }
}

/// The sum of products, in eight sums side by side: a single one would wait for each addition to end. The order never changes.
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
