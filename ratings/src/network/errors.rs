//! Variances from the second derivative of the log-posterior at its maximum. The whole matrix is too large to invert.
//! For chains each player is taken with the others constant, as Coulom does, which ignores the opponents' uncertainty;
//! with one strength per player the whole matrix is inverted while it is small.

use super::{Network, dot};

/// Most players for the whole matrix: 1,200³/3 operations take about a second.
pub(crate) const WHOLE: usize = 1_200;

impl Network {
    /// At every node, opponents constant.
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
            // Both sides of a node are eliminated; the diagonal is in both.
            for (i, node) in chain.enumerate() {
                variances[node] = 1.0 / (forward[i] + backward[i] - diagonal[i]);
            }
        }
        variances
    }

    /// Of the advantage, strengths constant.
    pub(crate) fn advantage_variance(&self) -> Option<f64> {
        if !self.free_advantage {
            return None;
        }
        let odds: Vec<f64> = self.strength.iter().map(|strength| strength.exp()).collect();
        let factors = self.colour_factors();
        let mut curvature = 0.0;
        for node in 0..self.nodes() {
            // Every game is at two nodes with equal curvature.
            self.games_of_node(node, &odds, factors, |_, _, weight| curvature += 0.5 * weight);
        }
        Some(1.0 / f64::max(curvature, 1e-12))
    }

    /// Variances of single-strength players and of the advantage from the whole matrix, for wanted players only.
    /// Without a prior `groups` are the connected players; variances of an unfixed group are of differences from its
    /// mean. None with too many players.
    pub(crate) fn whole_variances(
        &self,
        groups: &[Vec<usize>],
        wanted: &dyn Fn(usize) -> bool,
    ) -> Option<(Vec<f64>, Option<f64>)> {
        let size = self.nodes() + usize::from(self.free_advantage);
        if size > WHOLE {
            return None;
        }
        let odds: Vec<f64> = self.strength.iter().map(|strength| strength.exp()).collect();
        let factors = self.colour_factors();
        let mut matrix = vec![0.0; size * size];
        let last = self.nodes();
        // Players with few games first: their factors are nearly empty.
        let mut order: Vec<usize> = (0..last).collect();
        order.sort_by_key(|node| self.games_from[node + 1] - self.games_from[*node]);
        let mut place = vec![0; last];
        order.iter().enumerate().for_each(|(at, node)| place[*node] = at);
        for player in 0..self.held.len() {
            for node in self.chain(player) {
                let held = self.held[player];
                let row = place[node];
                let (_, curvature) = self.games_of_node(node, &odds, factors, |at, _, weight| {
                    let game = self.games[at];
                    let (opponent, gold) = (place[(game >> 1) as usize], game & 1 == 0);
                    if self.free_advantage {
                        matrix[last * size + last] += 0.5 * weight;
                        if !held {
                            let signed = if gold { weight } else { -weight };
                            matrix[row * size + last] += signed;
                            matrix[last * size + row] += signed;
                        }
                    }
                    if !held {
                        matrix[row * size + opponent] -= weight;
                    }
                });
                matrix[row * size + row] += curvature + self.prior_at(odds[node]).1;
            }
        }
        // A fixed player has no row, and is known exactly.
        for player in 0..self.held.len() {
            for row in self.chain(player).filter(|_| self.held[player]).map(|node| place[node]) {
                for other in 0..size {
                    matrix[row * size + other] = 0.0;
                    matrix[other * size + row] = 0.0;
                }
                matrix[row * size + row] = 1.0;
            }
        }
        let mut free_of: Vec<f64> = vec![0.0; last];
        for group in groups.iter().filter(|group| !group.iter().any(|player| self.held[*player])) {
            let share = 1.0 / group.len() as f64;
            let rows = || group.iter().flat_map(|player| self.chain(*player)).map(|node| place[node]);
            for a in rows() {
                rows().for_each(|b| matrix[a * size + b] += share);
                free_of[a] = share;
            }
        }
        let mut asked = vec![true; size];
        for player in 0..self.held.len() {
            self.chain(player).for_each(|node| asked[place[node]] = wanted(player));
        }
        let inverse = inverse_diagonal(&mut matrix, &asked)?;
        let mut variances: Vec<f64> = place.iter().map(|at| inverse[*at] - free_of[*at]).collect();
        for player in 0..self.held.len() {
            for node in self.chain(player).filter(|_| self.held[player]) {
                variances[node] = 0.0;
            }
        }
        Some((variances, inverse.get(last).copied()))
    }
}

/// The diagonal of the inverse of a positive definite matrix by Cholesky factors; none if it is not positive definite.
/// Leading zeros of rows are skipped. Entries not requested are 0.
fn inverse_diagonal(matrix: &mut [f64], asked: &[bool]) -> Option<Vec<f64>> {
    let size = asked.len();
    let first =
        |row: usize| matrix[row * size..].iter().position(|entry| *entry != 0.0).unwrap_or(row).min(row);
    let first: Vec<usize> = (0..size).map(first).collect();
    for row in 0..size {
        let (above, own) = matrix.split_at_mut(row * size);
        for (column, factors) in above.chunks_exact(size).enumerate().skip(first[row]) {
            let known = first[row].max(first[column])..column;
            own[column] = (own[column] - dot(&own[known.clone()], &factors[known])) / factors[column];
        }
        let value = own[row] - dot(&own[first[row]..row], &own[first[row]..row]);
        if value <= 0.0 || !value.is_finite() {
            return None;
        }
        own[row] = value.sqrt();
    }
    // The inverse of the factor by columns; the sum of its squares is the diagonal.
    let mut diagonal = vec![0.0; size];
    let mut solved = vec![0.0; size];
    for column in (0..size).filter(|column| asked[*column]) {
        for row in column..size {
            let begin = if row == column { 1.0 } else { 0.0 };
            let factors = &matrix[row * size..=row * size + row];
            let known = first[row].max(column)..row;
            solved[row] = (begin - dot(&factors[known.clone()], &solved[known])) / factors[row];
        }
        diagonal[column] = dot(&solved[column..], &solved[column..]);
    }
    Some(diagonal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagonal_of_an_inverse_is_that_of_the_inverse() {
        // The inverse of [[4, 2], [2, 3]] is [[3, -2], [-2, 4]] / 8.
        let diagonal = inverse_diagonal(&mut [4.0, 2.0, 2.0, 3.0], &[true; 2]).unwrap();
        assert!((diagonal[0] - 0.375).abs() < 1e-15 && (diagonal[1] - 0.5).abs() < 1e-15);
        assert_eq!(inverse_diagonal(&mut [1.0, 2.0, 2.0, 1.0], &[true; 2]), None);
    }
}
