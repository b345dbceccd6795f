//! The proof of an optimum. By the duality of linear programmes a perfect matching is of least weight if there are
//! numbers, one for each vertex and a non-negative one for each of some odd sets of vertices, such that no edge's
//! weight is less than what the duals allow for it, and the duals together are worth as much as the matching. The check
//! knows nothing of how the matching was found, and its arithmetic is checked, not wrapping.

use super::blossom::Matched;
use super::weight::Weight;

/// Checks that a matching is perfect and of least weight.
///
/// # Errors
/// A text that names what does not hold.
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
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (index, blossom) in matched.blossoms.iter().enumerate() {
        if blossom.dual < zero || blossom.vertices.len() % 2 == 0 {
            return Err(format!("blossom {index} is not odd, or counts less than nothing"));
        }
        for &vertex in &blossom.vertices {
            around[vertex].push(index);
        }
        let pairs_within = (blossom.vertices.len() - 1) as i64;
        if !worth.add_checked(&blossom.dual, -pairs_within) {
            return Err(overflow());
        }
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
            for &index in around[a].iter().filter(|index| around[b].contains(index)) {
                if !slack.add_checked(&matched.blossoms[index].dual, 2) {
                    return Err(overflow());
                }
            }
            if slack < zero {
                return Err(format!("the duals allow too much for the edge {a}–{b}"));
            }
        }
    }
    Ok(())
}
