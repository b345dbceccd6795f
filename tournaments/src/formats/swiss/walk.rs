//! The walk down the list (2009 WC, Preliminary 3, 4, 7 and 8), with a look ahead so that it always pairs all
//! players.

use super::matching::Rest;
use super::reading::{GroupHalves, OddGroup, SwissReadings};

/// A listed player; the one with the bye is not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<P> {
    pub player: P,
    /// Equal points form a score group.
    pub half_points: u32,
}

/// The part of the rule that reached a partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reached {
    /// From the top half: the same place of the bottom half.
    SamePlace,
    /// From the top half: further down the score group.
    FurtherDown,
    /// From the top half: up the score group, after its bottom.
    FurtherUp,
    NextGroup,
    DownTheList,
}

impl Reached {
    pub const fn paragraph(self) -> &'static str {
        match self {
            Reached::DownTheList => "2009 WC, Preliminary 8",
            _ => "2009 WC, Preliminary 7",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rejection {
    Met,
    /// Without these two, the others would need more rematches.
    StrandsOthers,
}

impl Rejection {
    pub const fn paragraph(self) -> &'static str {
        "2009 WC, Preliminary 3"
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected<P> {
    pub player: P,
    pub why: Rejection,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkPair<P> {
    /// The player whose turn it was.
    pub upper: P,
    /// The partner.
    pub lower: P,
    /// How the partner was reached.
    pub reached: Reached,
    /// Only if unavoidable.
    pub rematch: bool,
    /// Candidates rejected before, in order.
    pub rejected: Vec<Rejected<P>>,
}

/// Pairs in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk<P> {
    pub pairs: Vec<WalkPair<P>>,
    /// The number of rematches: the fewest possible, zero within the table of rounds.
    pub rematches: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalkOutcome<P> {
    Paired,
    /// Out, or with the bye.
    NotListed {
        player: P,
    },
    /// Paired earlier with a higher player.
    TakenBefore {
        player: P,
        by: P,
    },
    /// Another candidate was reached first.
    ReachedLater {
        walker: P,
        took: P,
    },
    /// The candidate was rejected.
    PassedBy {
        walker: P,
        why: Rejection,
    },
}

impl<P> Walk<P> {
    /// Replaces the players' names.
    pub fn map<Q>(self, mut name: impl FnMut(P) -> Q) -> Walk<Q> {
        let pairs = self
            .pairs
            .into_iter()
            .map(|pair| WalkPair {
                upper: name(pair.upper),
                lower: name(pair.lower),
                reached: pair.reached,
                rematch: pair.rematch,
                rejected: pair
                    .rejected
                    .into_iter()
                    .map(|rejected| Rejected { player: name(rejected.player), why: rejected.why })
                    .collect(),
            })
            .collect();
        Walk { pairs, rematches: self.rematches }
    }
}

impl<P: Clone + PartialEq> Walk<P> {
    pub fn why_not(&self, a: &P, b: &P) -> WalkOutcome<P> {
        let turn =
            |player: &P| self.pairs.iter().position(|pair| pair.upper == *player || pair.lower == *player);
        let Some(of_a) = turn(a) else { return WalkOutcome::NotListed { player: a.clone() } };
        let Some(of_b) = turn(b) else { return WalkOutcome::NotListed { player: b.clone() } };
        if of_a == of_b {
            return WalkOutcome::Paired;
        }
        let pair = &self.pairs[of_a.min(of_b)];
        let (earlier, later) = if of_a < of_b { (a, b) } else { (b, a) };
        if pair.lower == *earlier {
            return WalkOutcome::TakenBefore { player: earlier.clone(), by: pair.upper.clone() };
        }
        match pair.rejected.iter().find(|rejected| rejected.player == *later) {
            Some(rejected) => WalkOutcome::PassedBy { walker: earlier.clone(), why: rejected.why },
            None => WalkOutcome::ReachedLater { walker: earlier.clone(), took: pair.lower.clone() },
        }
    }
}

/// Pairs an even list, best first; of an odd list the last player reached stays unpaired. `met` returns
/// whether two were paired before. If every round has a rematch, the fewest are allowed, each after all other
/// candidates were rejected.
pub fn walk<P: Clone>(list: &[Listed<P>], met: impl Fn(&P, &P) -> bool, readings: SwissReadings) -> Walk<P> {
    let mut known = vec![vec![false; list.len()]; list.len()];
    let mut rest = Rest::new(list.len(), |a, b| {
        let met = met(&list[a].player, &list[b].player);
        (known[a][b], known[b][a]) = (met, met);
        !met
    });
    let odd = list.len() % 2;
    let mut budget = (rest.unmatched() - odd.min(rest.unmatched())) / 2;
    let mut paired = vec![false; list.len()];
    let (mut pairs, mut rematches) = (Vec::with_capacity(list.len() / 2), 0);
    for at in 0..list.len() {
        if paired[at] {
            continue;
        }
        let candidates = candidates(list, at, &paired, readings);
        let mut rejected = Vec::new();
        let mut taken = None;
        for &(candidate, reached) in &candidates {
            let why = if known[at][candidate] {
                Rejection::Met
            } else if rest.take(at, candidate, 2 * budget + odd) {
                taken = Some((candidate, reached, false));
                break;
            } else {
                Rejection::StrandsOthers
            };
            rejected.push(Rejected { player: list[candidate].player.clone(), why });
        }
        if taken.is_none() && budget > 0 {
            let rematch = candidates.iter().find(|(candidate, _)| {
                known[at][*candidate] && rest.take(at, *candidate, 2 * (budget - 1) + odd)
            });
            if let Some(&(candidate, reached)) = rematch {
                budget -= 1;
                rematches += 1;
                taken = Some((candidate, reached, true));
            }
        }
        let Some((candidate, reached, rematch)) = taken else { continue };
        (paired[at], paired[candidate]) = (true, true);
        pairs.push(WalkPair {
            upper: list[at].player.clone(),
            lower: list[candidate].player.clone(),
            reached,
            rematch,
            rejected,
        });
    }
    Walk { pairs, rematches }
}

/// A player's unpaired candidates in the rule's order, with the part of the rule.
fn candidates<P>(
    list: &[Listed<P>],
    at: usize,
    paired: &[bool],
    readings: SwissReadings,
) -> Vec<(usize, Reached)> {
    let group: Vec<usize> = (0..list.len())
        .filter(|&i| list[i].half_points == list[at].half_points)
        .filter(|&i| readings.halves == GroupHalves::Fixed || !paired[i])
        .collect();
    let half = match readings.odd_group {
        OddGroup::LowerHalfLarger => group.len() / 2,
        OddGroup::UpperHalfLarger => group.len().div_ceil(2),
    };
    let place = group.iter().position(|&i| i == at).unwrap_or(0);
    let free = |i: &usize| *i != at && !paired[*i];
    if place >= half {
        return (at + 1..list.len()).filter(free).map(|i| (i, Reached::DownTheList)).collect();
    }
    let opposite = (half + place).min(group.len());
    let last = group.last().copied().unwrap_or(at);
    let down = group[opposite..].iter().copied().map(|i| {
        (i, if Some(&i) == group.get(half + place) { Reached::SamePlace } else { Reached::FurtherDown })
    });
    let up = group[..opposite].iter().rev().copied().map(|i| (i, Reached::FurtherUp));
    let below = (last + 1..list.len()).map(|i| (i, Reached::NextGroup));
    down.chain(up).chain(below).filter(|(i, _)| free(i)).collect()
}
