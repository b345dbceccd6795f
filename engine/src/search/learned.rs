//! History and killers: values of steps or moves within bounds, and per distance the last two that caused cutoffs.

/// The bound of history values.
pub(crate) const LEARNED: i32 = 1 << 14;

/// Moves a value towards the bound, less the nearer it is.
#[inline]
pub(crate) fn learn(worth: &mut i32, bonus: i32) {
    *worth += bonus - *worth * bonus.abs() / LEARNED;
}

/// Halves the history for a new search.
pub(crate) fn age(learned: &mut [i32]) {
    learned.iter_mut().for_each(|worth| *worth /= 2);
}

/// Two per distance from the root, the last one first.
#[derive(Debug)]
pub(crate) struct Killers<I>(Vec<[Option<I>; 2]>);

impl<I: Copy + PartialEq> Killers<I> {
    pub(crate) fn new(most_plies: usize) -> Killers<I> {
        Killers(vec![[None; 2]; most_plies])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill([None; 2]);
    }

    #[inline]
    pub(crate) fn at(&self, ply: usize) -> [Option<I>; 2] {
        self.0.get(ply).copied().unwrap_or_default()
    }

    /// Records a cutoff.
    pub(crate) fn put(&mut self, ply: usize, id: I) {
        if let Some(killers) = self.0.get_mut(ply)
            && killers[0] != Some(id)
        {
            *killers = [Some(id), killers[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learned_never_leaves_its_scale() {
        let mut worth = 0;
        for _ in 0..1_000 {
            learn(&mut worth, 4_000);
        }
        assert!((LEARNED - 10..=LEARNED).contains(&worth), "{worth}");
        for _ in 0..1_000 {
            learn(&mut worth, -4_000);
        }
        assert!((-LEARNED..=10 - LEARNED).contains(&worth), "{worth}");
        let mut all = [worth, 5];
        age(&mut all);
        assert_eq!(all, [worth / 2, 2]);
    }

    #[test]
    fn the_last_two_that_refuted_are_kept_each_once() {
        let mut killers = Killers::new(2);
        for id in [7u16, 7, 9] {
            killers.put(1, id);
        }
        killers.put(5, 3);
        assert_eq!((killers.at(1), killers.at(0), killers.at(5)), ([Some(9), Some(7)], [None; 2], [None; 2]));
        killers.clear();
        assert_eq!(killers.at(1), [None; 2]);
    }
}
