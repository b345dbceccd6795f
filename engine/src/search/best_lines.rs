//! The best line below each position on the path: a first step and the line below.

/// By distance from the root.
#[derive(Debug)]
pub(crate) struct BestLines<T>(Vec<Vec<T>>);

impl<T: Copy> BestLines<T> {
    /// One more below the last distance.
    pub(crate) fn new(most_plies: usize) -> BestLines<T> {
        BestLines((0..most_plies + 2).map(|_| Vec::new()).collect())
    }

    #[inline]
    pub(crate) fn clear(&mut self, height: usize) {
        if let Some(line) = self.0.get_mut(height) {
            line.clear();
        }
    }

    pub(crate) fn at(&self, height: usize) -> &[T] {
        self.0.get(height).map_or(&[], Vec::as_slice)
    }

    /// Sets the line: this first, then the line of the position below.
    pub(crate) fn keep(&mut self, height: usize, first: T) {
        if let Some((upper, lower)) = self.0.split_at_mut_checked(height + 1)
            && let (Some(line), Some(rest)) = (upper.last_mut(), lower.first())
        {
            line.clear();
            line.push(first);
            line.extend_from_slice(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_its_first_step_and_the_line_below() {
        let mut lines = BestLines::new(2);
        lines.keep(2, 'c');
        lines.keep(1, 'b');
        lines.keep(0, 'a');
        assert_eq!(lines.at(0), ['a', 'b', 'c']);
        lines.clear(1);
        lines.keep(0, 'x');
        assert_eq!((lines.at(0), lines.at(1), lines.at(2)), (&['x'][..], &[][..], &['c'][..]));
        // Beyond the end nothing is kept, and nothing breaks.
        lines.keep(3, 'd');
        lines.keep(9, 'e');
        lines.clear(9);
        assert_eq!(lines.at(9), []);
    }
}
