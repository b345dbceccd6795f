//! From criteria to limbs. Adding and comparing twenty components for each of a million candidates is slow, so
//! neighbouring components share a limb of 64 bits as the digits of a number of mixed radix, *where it is proven that
//! they fit*: the radix of a component is more than the widest range that its sum over any round can have, found from
//! the values at hand. Every round has the same number of parts, so the offsets that make digits non-negative are the
//! same for all rounds, and rounds compare by limbs exactly as by components. What does not fit gets a limb of its own.

use super::problem::PairingProblem;

/// Limbs are filled up to here: the matching needs room above for four times a value and for sums along its trees.
const LIMB: i64 = 1 << 42;

/// What decides among rounds that are equal on all criteria.
#[derive(Debug, Clone, Copy)]
pub(super) enum Choice<'a> {
    Any,
    /// The first player gets the last partner possible, then the next unpaired player, and so on.
    Canonical,
    /// As few parts as possible in common with this round, given as each vertex's partner.
    Apart(&'a [usize]),
}

/// The weights of all candidates among some vertices, as limbs.
pub(super) struct Limbs {
    /// How many limbs a weight has.
    pub(super) width: usize,
    /// The limbs of the candidates by row: of vertices (0, 1), (0, 2), …, numbered within the chosen ones.
    rows: Vec<i64>,
    vertices: usize,
}

impl Limbs {
    /// The limbs of the candidate of two chosen vertices, the lesser first.
    pub(super) fn row(&self, a: usize, b: usize) -> &[i64] {
        let start = (a * (2 * self.vertices - a - 1) / 2 + b - a - 1) * self.width;
        &self.rows[start..start + self.width]
    }

    /// Folds the components of all candidates among the chosen vertices (rising). Before all criteria is the
    /// number of forbidden parts, after them the choice among equals.
    pub(super) fn fold(problem: &PairingProblem, chosen: &[usize], choice: Choice<'_>) -> Limbs {
        let vertices = chosen.len();
        let parts = (vertices / 2).max(1) as i64;
        let criteria = problem.criteria().len();
        let mut least = vec![i64::MAX; criteria];
        let mut greatest = vec![i64::MIN; criteria];
        for (at, &a) in chosen.iter().enumerate() {
            for &b in &chosen[at + 1..] {
                for ((value, least), greatest) in problem.row(a, b).iter().zip(&mut least).zip(&mut greatest)
                {
                    *least = (*least).min(*value);
                    *greatest = (*greatest).max(*value);
                }
            }
        }
        let barred = !problem.bars().is_empty();
        let mut plan = Plan::default();
        let bar_digit = barred.then(|| plan.place(parts + 1));
        let criterion_digits: Vec<Option<Digit>> = (0..criteria)
            .map(|index| {
                // A criterion on which all candidates are equal decides nothing.
                let range = greatest[index].saturating_sub(least[index]).max(0);
                (range > 0).then(|| plan.place(range.saturating_mul(parts).saturating_add(1)))
            })
            .collect();
        // Each slot gets its value from one part alone, the one of its player.
        let choice_digits: Vec<Digit> = match choice {
            Choice::Any => Vec::new(),
            Choice::Canonical => (0..vertices).map(|_| plan.place(vertices as i64 + 1)).collect(),
            Choice::Apart(_) => vec![plan.place(parts + 1)],
        };
        let scales = plan.scales();
        let width = plan.limbs.len().max(1);
        let mut rows = vec![0; vertices * vertices.saturating_sub(1) / 2 * width];
        for ((a, b), row) in pairs(vertices).zip(rows.chunks_exact_mut(width)) {
            let mut put =
                |digit: Digit, value: i64| row[digit.limb] += value * scales[digit.limb][digit.place];
            if let Some(digit) = bar_digit {
                put(digit, i64::from(problem.bars().contains_key(&(chosen[a], chosen[b]))));
            }
            let values = problem.row(chosen[a], chosen[b]);
            for ((digit, value), least) in criterion_digits.iter().zip(values).zip(&least) {
                if let Some(digit) = digit {
                    put(*digit, value - least);
                }
            }
            match choice {
                Choice::Any => {}
                // A bye is the last choice of all.
                Choice::Canonical if chosen[b] == problem.players() => put(choice_digits[a], vertices as i64),
                Choice::Canonical => put(choice_digits[a], (vertices - b) as i64),
                Choice::Apart(partners) => put(choice_digits[0], i64::from(partners[chosen[a]] == chosen[b])),
            }
        }
        Limbs { width, rows, vertices }
    }
}

/// All pairs of vertices, by row.
pub(super) fn pairs(vertices: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..vertices).flat_map(move |a| (a + 1..vertices).map(move |b| (a, b)))
}

/// Where a component is: which limb, and the how-manieth digit of it from the most significant.
#[derive(Debug, Clone, Copy)]
struct Digit {
    limb: usize,
    place: usize,
}

/// The radices of the digits of each limb.
#[derive(Default)]
struct Plan {
    limbs: Vec<Vec<i64>>,
    filled: i64,
}

impl Plan {
    /// Gives the next component its digit.
    fn place(&mut self, radix: i64) -> Digit {
        let together = self.filled.checked_mul(radix).filter(|product| *product <= LIMB);
        match (self.limbs.last_mut(), together) {
            (Some(limb), Some(filled)) => {
                limb.push(radix);
                self.filled = filled;
            }
            _ => {
                self.limbs.push(vec![radix]);
                self.filled = radix;
            }
        }
        let limb = self.limbs.len() - 1;
        Digit { limb, place: self.limbs[limb].len() - 1 }
    }

    /// What a digit counts, by limb and place.
    fn scales(&self) -> Vec<Vec<i64>> {
        self.limbs
            .iter()
            .map(|radices| {
                let mut scales = vec![1; radices.len()];
                for place in (1..radices.len()).rev() {
                    scales[place - 1] = scales[place] * radices[place];
                }
                scales
            })
            .collect()
    }
}
