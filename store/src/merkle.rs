//! The Merkle tree over the log by RFC 6962 (section 2.1): leaf `seq - 1` is the hash of event `seq`. An inclusion
//! proof shows an event under a root, a consistency proof that one root's log begins with another's.
//!
//! Without file access: a proof is first a list of leaf ranges ([`inclusion_ranges`], [`consistency_ranges`]), whose
//! tree hashes the caller computes.

use std::ops::Range;

use annals_events::Hash;
use sha2::{Digest, Sha256};

/// SHA-256 of nothing.
#[must_use]
pub fn empty_root() -> Hash {
    Hash(Sha256::digest([]).into())
}

/// SHA-256(0x00 ‖ hash of the event).
#[must_use]
pub fn leaf(event: &Hash) -> Hash {
    let mut input = [0; 33];
    input[1..].copy_from_slice(event.as_bytes());
    Hash(Sha256::digest(input).into())
}

/// SHA-256(0x01 ‖ left ‖ right).
#[must_use]
pub fn node(left: &Hash, right: &Hash) -> Hash {
    let mut input = [1; 65];
    input[1..33].copy_from_slice(left.as_bytes());
    input[33..].copy_from_slice(right.as_bytes());
    Hash(Sha256::digest(input).into())
}

/// The right edge of a growing tree: roots of its perfect subtrees, the largest first, one per set bit of the size.
/// Enough to add leaves and to compute the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frontier {
    size: u64,
    peaks: Vec<Hash>,
}

impl Frontier {
    #[must_use]
    pub fn new() -> Frontier {
        Frontier::default()
    }

    /// None if the number of peaks does not fit the size.
    #[must_use]
    pub fn from_parts(size: u64, peaks: Vec<Hash>) -> Option<Frontier> {
        (peaks.len() == size.count_ones() as usize).then_some(Frontier { size, peaks })
    }

    /// In leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Roots of the perfect subtrees, the largest first.
    #[must_use]
    pub fn peaks(&self) -> &[Hash] {
        &self.peaks
    }

    /// Concatenated peaks, as stored.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.peaks.iter().flat_map(Hash::as_bytes).copied().collect()
    }

    pub fn push(&mut self, event: &Hash) {
        self.push_perfect(leaf(event), 1);
    }

    /// Adds a perfect subtree of `leaves` leaves, a power of two that divides the size.
    pub(crate) fn push_perfect(&mut self, root: Hash, leaves: u64) {
        debug_assert!(leaves.is_power_of_two() && self.size.is_multiple_of(leaves));
        let mut root = root;
        let mut height = leaves;
        while self.size & height != 0 {
            let Some(left) = self.peaks.pop() else { break };
            root = node(&left, &root);
            height <<= 1;
        }
        self.peaks.push(root);
        self.size += leaves;
    }

    #[must_use]
    pub fn root(&self) -> Hash {
        let mut peaks = self.peaks.iter().rev();
        let Some(last) = peaks.next() else { return empty_root() };
        peaks.fold(*last, |right, left| node(left, &right))
    }

    /// Leaves under each peak.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        let size = self.size;
        let mut start = 0;
        (0..64).rev().map(|bit| 1u64 << bit).filter(move |height| size & height != 0).map(move |height| {
            let range = start..start + height;
            start = range.end;
            range
        })
    }
}

#[must_use]
pub fn root_of<'a>(events: impl IntoIterator<Item = &'a Hash>) -> Hash {
    let mut frontier = Frontier::new();
    events.into_iter().for_each(|event| frontier.push(event));
    frontier.root()
}

/// The largest power of two below `n`, which is at least 2.
fn split(n: u64) -> u64 {
    1 << (63 - (n - 1).leading_zeros())
}

/// The ranges whose tree hashes form the inclusion proof of a leaf, from the leaf upwards: PATH(index, D\[size\]) of
/// the RFC. None without such a leaf.
#[must_use]
pub fn inclusion_ranges(index: u64, size: u64) -> Option<Vec<Range<u64>>> {
    if index >= size {
        return None;
    }
    let (mut start, mut end) = (0, size);
    let mut ranges = Vec::new();
    while end - start > 1 {
        let middle = start + split(end - start);
        if index < middle {
            ranges.push(middle..end);
            end = middle;
        } else {
            ranges.push(start..middle);
            start = middle;
        }
    }
    ranges.reverse();
    Some(ranges)
}

/// The ranges whose tree hashes prove that a tree of `new` leaves begins with one of `old`: PROOF(old, D\[new\]) of the
/// RFC. Empty if equal; none if `old` is 0 or larger than `new`.
#[must_use]
pub fn consistency_ranges(old: u64, new: u64) -> Option<Vec<Range<u64>>> {
    if old == 0 || old > new {
        return None;
    }
    let (mut start, mut end) = (0, new);
    let mut ranges = Vec::new();
    // The old tree is exactly this part, so that the verifier has its hash.
    let mut known = true;
    while old != end {
        let middle = start + split(end - start);
        if old <= middle {
            ranges.push(middle..end);
            end = middle;
        } else {
            ranges.push(start..middle);
            start = middle;
            known = false;
        }
    }
    if !known {
        ranges.push(start..end);
    }
    ranges.reverse();
    Some(ranges)
}

/// Whether a path proves an event as leaf `index` of a tree (RFC 9162, section 2.1.3.2).
#[must_use]
pub fn check_inclusion(event: &Hash, index: u64, size: u64, path: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut position, mut last) = (index, size - 1);
    let mut hash = leaf(event);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if position & 1 == 1 || position == last {
            hash = node(sibling, &hash);
            while position & 1 == 0 && position != 0 {
                position >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, sibling);
        }
        position >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Whether a path proves that the tree of `new` leaves begins with that of `old` (RFC 9162, section 2.1.4.2). The empty
/// tree begins every tree, without a path.
#[must_use]
pub fn check_consistency(old: u64, old_root: &Hash, new: u64, new_root: &Hash, path: &[Hash]) -> bool {
    if old > new {
        return false;
    }
    if old == new {
        return path.is_empty() && old_root == new_root;
    }
    if old == 0 {
        return path.is_empty() && *old_root == empty_root();
    }
    let mut path = path.iter();
    let Some(first) = (if old.is_power_of_two() { Some(old_root) } else { path.next() }) else {
        return false;
    };
    let (mut position, mut last) = (old - 1, new - 1);
    while position & 1 == 1 {
        position >>= 1;
        last >>= 1;
    }
    let (mut old_hash, mut new_hash) = (*first, *first);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if position & 1 == 1 || position == last {
            old_hash = node(sibling, &old_hash);
            new_hash = node(sibling, &new_hash);
            while position & 1 == 0 && position != 0 {
                position >>= 1;
                last >>= 1;
            }
        } else {
            new_hash = node(&new_hash, sibling);
        }
        position >>= 1;
        last >>= 1;
    }
    last == 0 && old_hash == *old_root && new_hash == *new_root
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn events(n: u64) -> Vec<Hash> {
        (0..n).map(|i| Hash(Sha256::digest(i.to_be_bytes()).into())).collect()
    }

    /// MTH of RFC 6962, word for word.
    fn naive_root(events: &[Hash]) -> Hash {
        match events {
            [] => empty_root(),
            [only] => leaf(only),
            _ => {
                let k = events.len().next_power_of_two() / 2;
                node(&naive_root(&events[..k]), &naive_root(&events[k..]))
            }
        }
    }

    fn range_hashes(events: &[Hash], ranges: &[Range<u64>]) -> Vec<Hash> {
        ranges.iter().map(|r| naive_root(&events[r.start as usize..r.end as usize])).collect()
    }

    #[test]
    fn the_root_agrees_with_the_definition_at_every_size() {
        let all = events(130);
        let mut frontier = Frontier::new();
        for n in 0..=130 {
            assert_eq!(frontier.root(), naive_root(&all[..n]), "{n}");
            assert_eq!(root_of(&all[..n]), frontier.root());
            let back = Frontier::from_parts(frontier.size(), frontier.peaks().to_vec());
            assert_eq!(back.as_ref(), Some(&frontier));
            let ranges: Vec<_> = frontier.ranges().collect();
            assert_eq!(range_hashes(&all, &ranges), frontier.peaks());
            if n < 130 {
                frontier.push(&all[n]);
            }
        }
        assert!(Frontier::from_parts(3, vec![leaf(&all[0])]).is_none());
        let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(empty_root().to_string(), hex);
    }

    #[test]
    fn every_proof_of_every_tree_up_to_200_holds() {
        let all = events(200);
        let roots: Vec<Hash> = (0..=200).map(|n| naive_root(&all[..n])).collect();
        let mut known = HashMap::new();
        let mut range_hashes = |all: &[Hash], ranges: &[Range<u64>]| -> Vec<Hash> {
            let hash = |r: &Range<u64>| {
                *known.entry(r.clone()).or_insert_with(|| naive_root(&all[r.start as usize..r.end as usize]))
            };
            ranges.iter().map(hash).collect()
        };
        for size in 1..=200u64 {
            let root = &roots[size as usize];
            for index in 0..size {
                let path = range_hashes(&all, &inclusion_ranges(index, size).unwrap());
                assert!(check_inclusion(&all[index as usize], index, size, &path, root), "{index} of {size}");
            }
            for old in 1..=size {
                let path = range_hashes(&all, &consistency_ranges(old, size).unwrap());
                assert!(check_consistency(old, &roots[old as usize], size, root, &path), "{old} in {size}");
            }
            assert!(inclusion_ranges(size, size).is_none());
            assert!(consistency_ranges(size + 1, size).is_none());
        }
        assert!(consistency_ranges(0, 5).is_none());
    }

    #[test]
    fn a_proof_that_is_changed_in_any_place_fails() {
        let all = events(40);
        let roots: Vec<Hash> = (0..=40).map(|n| naive_root(&all[..n])).collect();
        let wrong = Hash([0x55; 32]);
        for size in 1..=40u64 {
            let root = &roots[size as usize];
            for index in 0..size {
                let event = &all[index as usize];
                let path = range_hashes(&all, &inclusion_ranges(index, size).unwrap());
                for i in 0..path.len() {
                    let mut bad = path.clone();
                    bad[i] = wrong;
                    assert!(!check_inclusion(event, index, size, &bad, root));
                    bad.remove(i);
                    assert!(!check_inclusion(event, index, size, &bad, root));
                }
                let longer: Vec<Hash> = path.iter().copied().chain([wrong]).collect();
                assert!(!check_inclusion(event, index, size, &longer, root));
                assert!(!check_inclusion(&wrong, index, size, &path, root));
                assert!(!check_inclusion(event, index, size, &path, &wrong));
                for other in (0..size).filter(|&other| other != index) {
                    assert!(
                        !check_inclusion(event, other, size, &path, root),
                        "{index} as {other} of {size}"
                    );
                }
            }
            for old in 1..size {
                let old_root = &roots[old as usize];
                let path = range_hashes(&all, &consistency_ranges(old, size).unwrap());
                for i in 0..path.len() {
                    let mut bad = path.clone();
                    bad[i] = wrong;
                    assert!(!check_consistency(old, old_root, size, root, &bad));
                    bad.remove(i);
                    assert!(!check_consistency(old, old_root, size, root, &bad));
                }
                assert!(!check_consistency(old, &wrong, size, root, &path));
                assert!(!check_consistency(old, old_root, size, &wrong, &path));
            }
        }
    }

    #[test]
    fn a_perfect_subtree_can_be_added_at_once() {
        let all = events(77);
        let mut whole = Frontier::new();
        for chunk in [0..64u64, 64..72, 72..76, 76..77] {
            let part = &all[chunk.start as usize..chunk.end as usize];
            whole.push_perfect(root_of(part), chunk.end - chunk.start);
        }
        assert_eq!(whole.root(), naive_root(&all));
    }
}
