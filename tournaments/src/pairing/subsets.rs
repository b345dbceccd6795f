//! The value and number of the best rounds, by dynamic programming over subsets of players: slow, but a
//! simple second implementation.

use std::cmp::Ordering;

use super::criteria::Criteria;
use super::problem::{PairingError, PairingProblem};

/// The most players for counting.
pub const COUNTED_PLAYERS: usize = 16;

/// The least value of a round and the number of rounds that have it. The first vertex of every subset gets a
/// partner, so that each round counts once.
///
/// # Errors
/// If every round contains a forbidden part.
pub(super) fn count(problem: &PairingProblem) -> Result<(Criteria, u64), PairingError> {
    let vertices = problem.vertices();
    let criteria = problem.criteria().len();
    let subsets = 1_usize << vertices;
    // Per set of unmatched vertices: the number of best matchings (0: none) and their value.
    let mut counts = vec![0_u64; subsets];
    let mut values = vec![0_i64; subsets * criteria];
    counts[0] = 1;
    let mut sum = vec![0; criteria];
    // A set is reached only if everything matched before was matched by first vertices below its own.
    let is_met = |set: &usize| {
        let matched = vertices - set.count_ones() as usize;
        matched.is_multiple_of(2) && matched / 2 <= set.trailing_zeros() as usize
    };
    for set in (1..subsets).filter(is_met) {
        let first = set.trailing_zeros() as usize;
        let mut rest = set & (set - 1);
        let (before, after) = values.split_at_mut(set * criteria);
        let least = &mut after[..criteria];
        let mut count = 0;
        while rest != 0 {
            let partner = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let left = set & !(1 << first) & !(1 << partner);
            if counts[left] == 0 || problem.bars().contains_key(&(first, partner)) {
                continue;
            }
            let below = &before[left * criteria..(left + 1) * criteria];
            for ((sum, value), below) in sum.iter_mut().zip(problem.row(first, partner)).zip(below) {
                *sum = value + below;
            }
            match if count == 0 { Ordering::Less } else { sum[..].cmp(least) } {
                Ordering::Less => {
                    least.copy_from_slice(&sum);
                    count = counts[left];
                }
                Ordering::Equal => count += counts[left],
                Ordering::Greater => {}
            }
        }
        counts[set] = count;
    }
    let all = subsets - 1;
    if counts[all] == 0 {
        let bar = problem.bars().values().next();
        let (paragraph, because) =
            bar.map(|bar| (bar.paragraph.clone(), bar.because.clone())).unwrap_or_default();
        return Err(PairingError::NoAllowedRound { paragraph, because });
    }
    Ok((Criteria::from(values[all * criteria..].to_vec()), counts[all]))
}
