//! The walk down the list that makes the pairs (2009 WC, Preliminary 3, 4, 7 and 8), with a look ahead so that it does not
//! come to an end before everybody is paired.

use super::matching::Rest;
use super::reading::{GroupHalves, OddGroup, SwissReadings};

/// A player on the list, without the one who has the bye.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<P> {
    pub player: P,
    /// Points, in halves: equal points make a score group.
    pub half_points: u32,
}

/// By which part of the rule a partner was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reached {
    /// From the top half: the one at the same place of the bottom half.
    SamePlace,
    /// From the top half: further down the score group.
    FurtherDown,
    /// From the top half: up the score group, after its bottom was reached.
    FurtherUp,
    /// From the top half: below the score group.
    NextGroup,
    /// From the bottom half: down the list.
    DownTheList,
}

impl Reached {
    /// The paragraph that it follows from.
    pub const fn paragraph(self) -> &'static str {
        match self {
            Reached::DownTheList => "2009 WC, Preliminary 8",
            _ => "2009 WC, Preliminary 7",
        }
    }
}

/// Why a candidate was passed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rejection {
    Met,
    /// Without these two the others could not be paired with so few rematches.
    StrandsOthers,
}

impl Rejection {
    /// The paragraph that it follows from.
    pub const fn paragraph(self) -> &'static str {
        "2009 WC, Preliminary 3"
    }
}

/// A candidate who was passed by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected<P> {
    pub player: P,
    pub why: Rejection,
}

/// A pair as the walk made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkPair<P> {
    /// The one whose turn it was.
    pub upper: P,
    /// The one who was taken.
    pub lower: P,
    /// How the lower was reached.
    pub reached: Reached,
    /// Whether the two have met before: only where it cannot be avoided.
    pub rematch: bool,
    /// The candidates who came before and were passed by, in the order of the rule.
    pub rejected: Vec<Rejected<P>>,
}

/// The pairs of a round in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk<P> {
    pub pairs: Vec<WalkPair<P>>,
    /// How many pairs have met before: the fewest possible, and none within the table of rounds.
    pub rematches: u32,
}

/// Why two are not paired with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalkOutcome<P> {
    Paired,
    /// One is not on the list: out, or has the bye.
    NotListed {
        player: P,
    },
    /// One was taken by somebody higher before the other's turn came.
    TakenBefore {
        player: P,
        by: P,
    },
    /// In the turn of one, somebody else is reached before the other.
    ReachedLater {
        walker: P,
        took: P,
    },
    /// It was one's turn, and the other was passed by.
    PassedBy {
        walker: P,
        /// Why the other was passed by.
        why: Rejection,
    },
}

impl<P> Walk<P> {
    /// The same walk with other names for the players.
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
    /// Why two are not paired with each other.
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

/// Pairs an even list, best first; of an odd list the last one who is reached stays without a partner, so give the bye
/// before. `met` says who has been paired before.
///
/// Where no round without a rematch exists, the fewest rematches are allowed, and a player takes one only after all
/// others were passed by.
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

/// The unpaired candidates of a player in the order of the rule, each with the part of the rule that reaches it.
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
