//! The walk down a list of any length, against all pairings of it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use annals_tournaments::formats::swiss::{Listed, SwissReadings, walk};

use crate::vectors::{Numbers, cases};

/// The fewest rematches with which all players are paired, but one where the list is odd; found by trying all.
fn fewest_rematches(rest: &[usize], met: &dyn Fn(usize, usize) -> bool) -> usize {
    let Some((&first, others)) = rest.split_first() else { return 0 };
    let without = |left_out: usize| others.iter().copied().filter(move |&other| other != left_out);
    let paired = others.iter().map(|&other| {
        let rest: Vec<usize> = without(other).collect();
        usize::from(met(first, other)) + fewest_rematches(&rest, met)
    });
    let unpaired = (rest.len() % 2 == 1).then(|| fewest_rematches(others, met));
    paired.chain(unpaired).min().unwrap_or(0)
}

#[test]
fn a_list_of_any_length_is_paired_with_the_fewest_rematches() {
    let mut odd_with_rematches = 0;
    for seed in 0..cases(2_000, 50_000) {
        let mut numbers = Numbers::new(seed);
        let players = numbers.below(9);
        let mut pairs_met = BTreeSet::new();
        let often = 1 + numbers.below(10);
        for one in 0..players {
            pairs_met.extend((0..one).filter(|_| numbers.below(10) < often).map(|other| (other, one)));
        }
        let met = |one: usize, other: usize| pairs_met.contains(&(one.min(other), one.max(other)));
        let mut list: Vec<Listed<usize>> =
            (0..players).map(|player| Listed { player, half_points: numbers.below(4) as u32 }).collect();
        list.sort_by_key(|listed| Reverse(listed.half_points));
        let walk = walk(&list, |one, other| met(*one, *other), SwissReadings::default());
        let fewest = fewest_rematches(&(0..players).collect::<Vec<_>>(), &met);
        assert_eq!(walk.rematches as usize, fewest, "seed {seed}: {list:?} {pairs_met:?}");
        assert_eq!(walk.pairs.len(), players / 2, "seed {seed}");
        let named = walk.pairs.iter().flat_map(|pair| [pair.upper, pair.lower]);
        assert_eq!(named.collect::<BTreeSet<usize>>().len(), players / 2 * 2, "seed {seed}");
        odd_with_rematches += usize::from(players % 2 == 1 && fewest > 0);
    }
    assert!(odd_with_rematches > 50, "{odd_with_rematches}");
}
