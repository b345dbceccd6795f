//! The proof of an optimum. By linear programming duality a perfect matching has least weight if vertices
//! have duals, and some odd vertex sets non-negative ones, such that no edge's weight is below what the duals
//! allow, and the duals sum to the matching's weight. The check is independent of the search, with checked
//! arithmetic.

use std::cmp::Reverse;

use super::blossom::Matched;
use super::weight::Weight;

/// Checks that a matching is perfect and of least weight.
///
/// # Errors
/// The violated condition.
pub(super) fn check<W: Weight>(matched: &Matched<W>, width: usize) -> Result<(), String> {
    let n = matched.partners.len();
    let overflow = || "a number left its range".to_owned();
    let zero = W::zero(width);
    let mut worth = zero.clone();
    for (vertex, &partner) in matched.partners.iter().enumerate() {
        if partner >= n || partner == vertex || matched.partners[partner] != vertex {
            return Err(format!("vertex {vertex} has no partner"));
        }
        let weight = &matched.weights[vertex * n + partner];
        if vertex < partner && !worth.add_checked(weight, -1) {
            return Err(overflow());
        }
        if !worth.add_checked(&matched.duals[vertex], 1) {
            return Err(overflow());
        }
    }
    // Blossoms from the outermost in, numbered from 1: the sum of duals that each and its enclosing ones
    // allow, and the innermost one common with each before it. 0 is no blossom.
    let mut allowed = vec![zero.clone()];
    let mut common = vec![vec![0]];
    let mut innermost = vec![0; n];
    let mut blossoms: Vec<_> = matched.blossoms.iter().collect();
    blossoms.sort_by_key(|blossom| Reverse(blossom.vertices.len()));
    for (before, blossom) in blossoms.into_iter().enumerate() {
        let number = before + 1;
        if blossom.dual < zero || blossom.vertices.len() % 2 == 0 {
            return Err(format!("blossom {number} is not odd, or counts less than nothing"));
        }
        let context = innermost[blossom.vertices[0]];
        for &vertex in &blossom.vertices {
            if std::mem::replace(&mut innermost[vertex], number) != context {
                return Err(format!("blossom {number} overlaps another"));
            }
        }
        let pairs_within = (blossom.vertices.len() - 1) as i128;
        let mut sum = allowed[context].clone();
        if !(worth.add_checked(&blossom.dual, -pairs_within) && sum.add_checked(&blossom.dual, 2)) {
            return Err(overflow());
        }
        allowed.push(sum);
        let shared = |other: usize| common[context.max(other)][context.min(other)];
        let shared = (0..number).map(shared).chain([number]).collect();
        common.push(shared);
    }
    if !worth.is_zero() {
        return Err("the duals are not worth as much as the matching".to_owned());
    }
    for a in 0..n {
        for b in a + 1..n {
            let mut slack = matched.weights[a * n + b].clone();
            if !(slack.add_checked(&matched.duals[a], -1) && slack.add_checked(&matched.duals[b], -1)) {
                return Err(overflow());
            }
            if slack >= zero {
                continue;
            }
            let (one, other) = (innermost[a], innermost[b]);
            if !slack.add_checked(&allowed[common[one.max(other)][one.min(other)]], 1) {
                return Err(overflow());
            }
            if slack < zero {
                return Err(format!("the duals allow too much for the edge {a}–{b}"));
            }
        }
    }
    Ok(())
}
