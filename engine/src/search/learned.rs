//! What a search learns of its steps or moves while it goes on: a worth for each that moves towards its bounds, and of every
//! distance from the root those that last refuted another.

/// The end of the scale of what is learned.
pub(crate) const LEARNED: i32 = 1 << 14;

/// Lets a worth follow what was seen: the nearer it is to the end of the scale, the less it moves on towards it.
#[inline]
pub(crate) fn learn(worth: &mut i32, bonus: i32) {
    *worth += bonus - *worth * bonus.abs() / LEARNED;
}

/// A search that begins trusts what earlier ones learned by half.
pub(crate) fn age(learned: &mut [i32]) {
    learned.iter_mut().for_each(|worth| *worth /= 2);
}

/// Two steps or moves for each distance from the root, the last one first.
#[derive(Debug)]
pub(crate) struct Killers<I>(Vec<[Option<I>; 2]>);

impl<I: Copy + PartialEq> Killers<I> {
    /// None yet, for so many distances.
    pub(crate) fn new(most_plies: usize) -> Killers<I> {
        Killers(vec![[None; 2]; most_plies])
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.0.fill([None; 2]);
    }

    /// Those at a distance.
    #[inline]
    pub(crate) fn at(&self, ply: usize) -> [Option<I>; 2] {
        self.0.get(ply).copied().unwrap_or_default()
    }

    /// One more refuted another.
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
