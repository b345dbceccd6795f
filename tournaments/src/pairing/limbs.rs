//! Packs criteria into limbs. To add and compare twenty components for a million candidates fast,
//! neighbouring components share a limb of 128 bits as digits of mixed radix, *if they provably fit*: a
//! component's radix exceeds the widest range of its sum over any round. Every round has the same number of
//! parts, so the offsets that make digits non-negative are equal for all rounds, and limbs compare exactly as
//! components.

use super::problem::PairingProblem;
use super::weight::Weight;

/// The limit of a limb; the matching needs the bits above for sums along its trees.
const LIMB: i128 = 1 << 108;

/// The weight of a vertex with itself, above any sum along a tree.
const ITSELF: i128 = 1 << 120;

/// The matching halves sums of weights twice.
const FOUR: i128 = 4;

#[derive(Debug, Clone, Copy)]
pub(super) enum TieBreakRule<'a> {
    Any,
    /// The first player gets the last partner possible, then the next unpaired one.
    Canonical,
    /// The fewest parts in common with this round, given as each vertex's partner.
    Apart(&'a [usize]),
}

/// How candidates become limbs: the number of forbidden parts, the criteria, the tie-break.
pub(super) struct Limbs<'a> {
    problem: &'a PairingProblem,
    chosen: &'a [usize],
    choice: TieBreakRule<'a>,
    choice_digits: Vec<Digit>,
    /// Criteria on which candidates differ: index, least value, digit.
    criteria: Vec<(usize, i64, Digit)>,
    bar_digit: Digit,
    /// Limbs per weight.
    pub(super) width: usize,
}

impl<'a> Limbs<'a> {
    /// Assigns a digit to every component, for candidates among the chosen vertices (rising).
    pub(super) fn plan(
        problem: &'a PairingProblem,
        chosen: &'a [usize],
        choice: TieBreakRule<'a>,
    ) -> Limbs<'a> {
        let vertices = chosen.len();
        let parts = (vertices / 2).max(1) as i128;
        let mut ranges = vec![(i64::MAX, i64::MIN); problem.criteria().len()];
        for (at, &a) in chosen.iter().enumerate() {
            for &b in &chosen[at + 1..] {
                for (value, (least, greatest)) in problem.row(a, b).iter().zip(&mut ranges) {
                    *least = (*least).min(*value);
                    *greatest = (*greatest).max(*value);
                }
            }
        }
        let mut plan = Plan { limb: 0, filled: FOUR };
        // Each slot gets its value from its player's part alone.
        let mut choice_digits: Vec<Digit> = match choice {
            TieBreakRule::Any => Vec::new(),
            TieBreakRule::Canonical => (0..vertices).map(|below| plan.place(below as i128 + 2)).collect(),
            TieBreakRule::Apart(_) => vec![plan.place(parts + 1)],
        };
        choice_digits.reverse();
        let mut criteria = Vec::new();
        for (index, &(least, greatest)) in ranges.iter().enumerate().rev() {
            // A criterion that is equal for all candidates decides nothing.
            if least < greatest {
                let range = i128::from(greatest) - i128::from(least);
                criteria.push((index, least, plan.place(range * parts + 1)));
            }
        }
        let bar_digit = plan.place(parts + 1);
        let width = plan.limb + 1;
        Limbs { problem, chosen, choice, choice_digits, criteria, bar_digit, width }
    }

    pub(super) fn vertices(&self) -> usize {
        self.chosen.len()
    }

    /// Four times the weight of every candidate, in rows of the chosen vertices.
    pub(super) fn weights<W: Weight>(&self) -> Vec<W> {
        let (n, problem) = (self.vertices(), self.problem);
        let mut weights = vec![W::zero(self.width); n * n];
        let put = |weight: &mut W, digit: Digit, value: i128| {
            weight.limbs_mut()[self.width - 1 - digit.limb] += value * digit.scale;
        };
        for a in 0..n {
            weights[a * n + a].limbs_mut()[0] = ITSELF;
            for b in a + 1..n {
                let weight = &mut weights[a * n + b];
                let values = problem.row(self.chosen[a], self.chosen[b]);
                for &(index, least, digit) in &self.criteria {
                    put(weight, digit, i128::from(values[index] - least));
                }
                match self.choice {
                    TieBreakRule::Any => {}
                    // The bye is the last choice.
                    TieBreakRule::Canonical if self.chosen[b] == problem.players() => {
                        put(weight, self.choice_digits[a], (n - a) as i128);
                    }
                    TieBreakRule::Canonical => put(weight, self.choice_digits[a], (n - b) as i128),
                    TieBreakRule::Apart(partners) => {
                        let common = partners[self.chosen[a]] == self.chosen[b];
                        put(weight, self.choice_digits[0], i128::from(common));
                    }
                }
            }
        }
        for (a, b) in problem.bars().keys() {
            if let (Ok(a), Ok(b)) = (self.chosen.binary_search(a), self.chosen.binary_search(b)) {
                put(&mut weights[a * n + b], self.bar_digit, 1);
            }
        }
        for a in 0..n {
            for b in 0..a {
                weights[a * n + b] = weights[b * n + a].clone();
            }
        }
        weights
    }
}

/// A component's limb, 0 the last, and its unit there.
#[derive(Debug, Clone, Copy)]
struct Digit {
    limb: usize,
    scale: i128,
}

/// Places components, the least important first.
struct Plan {
    limb: usize,
    filled: i128,
}

impl Plan {
    fn place(&mut self, radix: i128) -> Digit {
        if self.filled > LIMB / radix {
            *self = Plan { limb: self.limb + 1, filled: FOUR };
        }
        let digit = Digit { limb: self.limb, scale: self.filled };
        self.filled *= radix;
        digit
    }
}
