//! Weights of the matching: integer vectors with addition by component and lexicographic order, an ordered
//! abelian group. [`Lex`] has a length known at compile time, for speed; [`LongLex`] any length.

/// Arithmetic wraps: a sum that overflowed fails the certificate, whose arithmetic is checked.
pub(super) trait Weight: Clone + Ord {
    fn zero(limbs: usize) -> Self;
    /// The most significant first.
    fn limbs(&self) -> &[i128];
    fn limbs_mut(&mut self) -> &mut [i128];

    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.limbs_mut().iter_mut().zip(other.limbs()) {
            *mine = mine.wrapping_add(*theirs);
        }
    }

    fn subtract(&mut self, other: &Self) {
        for (mine, theirs) in self.limbs_mut().iter_mut().zip(other.limbs()) {
            *mine = mine.wrapping_sub(*theirs);
        }
    }

    /// Of a weight whose limbs are even.
    fn halve(&mut self) {
        for limb in self.limbs_mut() {
            debug_assert!(*limb & 1 == 0, "a slack between two outer vertices is even");
            *limb >>= 1;
        }
    }

    fn is_zero(&self) -> bool {
        self.limbs().iter().all(|limb| *limb == 0)
    }

    /// False if a limb would overflow.
    fn add_checked(&mut self, other: &Self, times: i128) -> bool {
        for (mine, theirs) in self.limbs_mut().iter_mut().zip(other.limbs()) {
            match theirs.checked_mul(times).and_then(|product| mine.checked_add(product)) {
                Some(sum) => *mine = sum,
                None => return false,
            }
        }
        true
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lex<const N: usize>([i128; N]);

impl<const N: usize> Weight for Lex<N> {
    #[inline]
    fn zero(limbs: usize) -> Self {
        debug_assert!(limbs <= N);
        Lex([0; N])
    }

    #[inline]
    fn limbs(&self) -> &[i128] {
        &self.0
    }

    #[inline]
    fn limbs_mut(&mut self) -> &mut [i128] {
        &mut self.0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LongLex(Vec<i128>);

impl Weight for LongLex {
    fn zero(limbs: usize) -> Self {
        LongLex(vec![0; limbs])
    }

    fn limbs(&self) -> &[i128] {
        &self.0
    }

    fn limbs_mut(&mut self) -> &mut [i128] {
        &mut self.0
    }
}
