//! How sure the strengths are: variances from the second derivative of the log-posterior at its top.
//!
//! Over all nodes at once the inverse of that matrix is too large to be had. For chains it is taken as Coulom takes it, each player with
//! the others as they are, which leaves out what is not known of the opponents; for players of one strength each the whole matrix is
//! inverted while it is small enough.

use super::Network;

/// The most players whose matrix is inverted whole: 1,200³/3 operations take about a second.
pub(crate) const WHOLE: usize = 1_200;

impl Network {
    /// The variance at every node, with the opponents as they are.
    pub(crate) fn chain_variances(&self) -> Vec<f64> {
        let odds: Vec<f64> = self.strength.iter().map(|strength| strength.exp()).collect();
        let factors = self.colour_factors();
        let mut variances = vec![0.0; self.nodes()];
        let (mut diagonal, mut forward, mut backward) = (Vec::new(), Vec::new(), Vec::new());
        for player in 0..self.held.len() {
            let chain = self.chain(player);
            if self.held[player] || chain.is_empty() {
                continue;
            }
            diagonal.clear();
            for node in chain.clone() {
                let (_, mut curvature) = self.games_of_node(node, &odds, factors, |_, _, _| ());
                if node == chain.start {
                    curvature += self.prior_at(odds[node]).1;
                } else {
                    curvature += self.link[node - 1];
                }
                diagonal.push(curvature.max(1e-12) + self.link[node]);
            }
            let links = &self.link[chain.clone()];
            let n = diagonal.len();
            forward.clone_from(&diagonal);
            backward.clone_from(&diagonal);
            for i in 1..n {
                forward[i] -= links[i - 1] * links[i - 1] / forward[i - 1];
            }
            for i in (1..n).rev() {
                backward[i - 1] -= links[i - 1] * links[i - 1] / backward[i];
            }
            // What stands on both sides of a node is eliminated from either end; the diagonal is in both.
            for (i, node) in chain.enumerate() {
                variances[node] = 1.0 / (forward[i] + backward[i] - diagonal[i]);
            }
        }
        variances
    }

    /// The variance of the advantage with all strengths as they are.
    pub(crate) fn advantage_variance(&self) -> Option<f64> {
        if !self.free_advantage {
            return None;
        }
        let odds: Vec<f64> = self.strength.iter().map(|strength| strength.exp()).collect();
        let factors = self.colour_factors();
        let mut curvature = 0.0;
        for node in 0..self.nodes() {
            // Every game stands with two nodes, with the same curvature.
            self.games_of_node(node, &odds, factors, |_, _, weight| curvature += 0.5 * weight);
        }
        Some(1.0 / f64::max(curvature, 1e-12))
    }

    /// The variances of players with one strength each and of the advantage, by the whole matrix: `groups` are the players who
    /// met, and where nothing else holds a group the variances are those of the differences from its mean. None where there are
    /// too many.
    pub(crate) fn whole_variances(&self, groups: &[Vec<usize>]) -> Option<(Vec<f64>, Option<f64>)> {
        let size = self.nodes() + usize::from(self.free_advantage);
        if size > WHOLE {
            return None;
        }
        let odds: Vec<f64> = self.strength.iter().map(|strength| strength.exp()).collect();
        let factors = self.colour_factors();
        let mut matrix = vec![0.0; size * size];
        let last = self.nodes();
        for player in 0..self.held.len() {
            for node in self.chain(player) {
                let held = self.held[player];
                let (_, curvature) = self.games_of_node(node, &odds, factors, |place, _, weight| {
                    let game = self.games[place];
                    let (opponent, gold) = ((game >> 1) as usize, game & 1 == 0);
                    if self.free_advantage {
                        matrix[last * size + last] += 0.5 * weight;
                        if !held {
                            let signed = if gold { weight } else { -weight };
                            matrix[node * size + last] += signed;
                            matrix[last * size + node] += signed;
                        }
                    }
                    if !held {
                        matrix[node * size + opponent] -= weight;
                    }
                });
                matrix[node * size + node] += curvature + self.prior_at(odds[node]).1;
            }
        }
        // A player who is held has no row of his own, and is known exactly.
        for player in 0..self.held.len() {
            for node in self.chain(player).filter(|_| self.held[player]) {
                for other in 0..size {
                    matrix[node * size + other] = 0.0;
                    matrix[other * size + node] = 0.0;
                }
                matrix[node * size + node] = 1.0;
            }
        }
        let mut free_of: Vec<f64> = vec![0.0; last];
        if self.prior == 0.0 {
            for group in groups.iter().filter(|group| !group.iter().any(|player| self.held[*player])) {
                let share = 1.0 / group.len() as f64;
                for a in group.iter().flat_map(|player| self.chain(*player)) {
                    for b in group.iter().flat_map(|player| self.chain(*player)) {
                        matrix[a * size + b] += share;
                    }
                    free_of[a] = share;
                }
            }
        }
        let inverse = inverse_diagonal(&mut matrix, size)?;
        let mut variances: Vec<f64> =
            inverse[..last].iter().zip(free_of).map(|(variance, share)| variance - share).collect();
        for player in 0..self.held.len() {
            for node in self.chain(player).filter(|_| self.held[player]) {
                variances[node] = 0.0;
            }
        }
        Some((variances, inverse.get(last).copied()))
    }
}

/// The diagonal of the inverse of a positive definite matrix, by Cholesky's factors; none where it is not positive definite.
fn inverse_diagonal(matrix: &mut [f64], size: usize) -> Option<Vec<f64>> {
    for column in 0..size {
        for row in column..size {
            let (a, b) = (row * size, column * size);
            let known: f64 = (0..column).map(|k| matrix[a + k] * matrix[b + k]).sum();
            let value = matrix[a + column] - known;
            if row == column {
                if value <= 0.0 || !value.is_finite() {
                    return None;
                }
                matrix[a + column] = value.sqrt();
            } else {
                matrix[a + column] = value / matrix[b + column];
            }
        }
    }
    // Column by column the inverse of the factor; its squares added up are the diagonal of the inverse.
    let mut diagonal = vec![0.0; size];
    let mut solved = vec![0.0; size];
    for column in 0..size {
        solved[column..].fill(0.0);
        for row in column..size {
            let begin = if row == column { 1.0 } else { 0.0 };
            let known: f64 = (column..row).map(|k| matrix[row * size + k] * solved[k]).sum();
            solved[row] = (begin - known) / matrix[row * size + row];
        }
        diagonal[column] = solved[column..].iter().map(|value| value * value).sum();
    }
    Some(diagonal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagonal_of_an_inverse_is_that_of_the_inverse() {
        // The inverse of [[4, 2], [2, 3]] is [[3, -2], [-2, 4]] / 8.
        let diagonal = inverse_diagonal(&mut [4.0, 2.0, 2.0, 3.0], 2).unwrap();
        assert!((diagonal[0] - 0.375).abs() < 1e-15 && (diagonal[1] - 0.5).abs() < 1e-15);
        assert_eq!(inverse_diagonal(&mut [1.0, 2.0, 2.0, 1.0], 2), None);
    }
}
