//! A start better than nothing: feasible duals under which many edges are tight, and a matching of tight edges. It
//! saves most of the stages, and every stage costs quadratic time.

use super::{NONE, Search, Weight};

impl<W: Weight> Search<W> {
    /// Gives every vertex half of its least weight as its dual, then raises each as far as its slacks allow, and
    /// matches single neighbours along what is tight. All duals stay even.
    pub(super) fn start(&mut self) {
        for vertex in 0..self.n {
            let row = &self.weights[vertex * self.n..(vertex + 1) * self.n];
            let others = row.iter().enumerate().filter(|(other, _)| *other != vertex);
            if let Some(mut dual) = others.map(|(_, weight)| weight).min().cloned() {
                // Weights are multiples of four, so half of one is even.
                dual.halve();
                self.dual[vertex] = dual;
            }
        }
        for vertex in 0..self.n {
            let mut tightest: Option<(W, usize)> = None;
            for other in (0..self.n).filter(|other| *other != vertex) {
                let slack = self.slack(super::Edge { from: vertex, to: other });
                let single = self.mate[other] == NONE;
                let better = tightest.as_ref().is_none_or(|(least, kept)| {
                    slack < *least || slack == *least && single && self.mate[*kept] != NONE
                });
                if better {
                    tightest = Some((slack, other));
                }
            }
            let Some((slack, other)) = tightest else { continue };
            self.dual[vertex].add(&slack);
            if self.mate[vertex] == NONE && self.mate[other] == NONE {
                self.mate[vertex] = other;
                self.mate[other] = vertex;
            }
        }
    }
}
