//! The forest of alternating trees: labels and blossoms.

use super::{Edge, Label, NONE, Search, Weight};

impl<W: Weight> Search<W> {
    pub(super) fn leaves(&self, blossom: usize) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut pending = vec![blossom];
        while let Some(next) = pending.pop() {
            if next < self.n {
                leaves.push(next);
            } else {
                pending.extend(&self.parts[next]);
            }
        }
        leaves
    }

    /// Labels a vertex's outermost blossom as outer; its vertices are to be scanned.
    pub(super) fn make_outer(&mut self, vertex: usize, by: Option<Edge>) {
        let blossom = self.outermost[vertex];
        for labelled in [vertex, blossom] {
            self.label[labelled] = Label::Outer;
            self.reached[labelled] = by;
            self.best[labelled] = None;
        }
        let leaves = self.leaves(blossom);
        self.queue.extend(leaves);
    }

    /// Labels a vertex's outermost blossom as inner and its mate's as outer.
    pub(super) fn make_inner(&mut self, vertex: usize, by: Edge) {
        let blossom = self.outermost[vertex];
        self.turn_inner(blossom, vertex, by);
        let base = self.base[blossom];
        let mate = self.mate[base];
        self.make_outer(mate, Some(Edge { from: base, to: mate }));
    }

    /// Labels a blossom as inner; the slacks of edges to its vertices are then constant.
    fn turn_inner(&mut self, blossom: usize, vertex: usize, by: Edge) {
        for leaf in self.leaves(blossom) {
            self.best_slack[leaf].subtract(&self.changed);
        }
        for labelled in [vertex, blossom] {
            self.label[labelled] = Label::Inner;
            self.reached[labelled] = Some(by);
            self.best[labelled] = None;
        }
    }

    /// A tight edge joins two outer blossoms: a blossom within one tree, an augmenting path between two. True
    /// if it augmented.
    pub(super) fn join(&mut self, edge: Edge) -> bool {
        match self.common_base(edge) {
            Some(base) => {
                self.make_blossom(base, edge);
                false
            }
            None => {
                self.augment(edge);
                true
            }
        }
    }

    /// The base of the first blossom common to both paths to the roots, if any.
    fn common_base(&mut self, edge: Edge) -> Option<usize> {
        let mut traced = Vec::new();
        let mut found = None;
        let (mut here, mut there) = (edge.from, edge.to);
        while here != NONE {
            let blossom = self.outermost[here];
            if self.label[blossom] == Label::Traced {
                found = Some(self.base[blossom]);
                break;
            }
            self.label[blossom] = Label::Traced;
            traced.push(blossom);
            here = match self.reached[blossom] {
                None => NONE,
                Some(outer) => self.reached[self.outermost[outer.from]].map_or(NONE, |inner| inner.from),
            };
            if there != NONE {
                std::mem::swap(&mut here, &mut there);
            }
        }
        for blossom in traced {
            self.label[blossom] = Label::Outer;
        }
        found
    }

    /// Makes a blossom of the cycle that an edge closes within a tree.
    fn make_blossom(&mut self, base: usize, edge: Edge) {
        // Each level has a vertex in at most one blossom of three or more, so 2n numbers suffice.
        let Some(blossom) = self.unused.pop() else { return };
        let root = self.outermost[base];
        let (mut parts, mut links) = (Vec::new(), Vec::new());
        let mut part = self.outermost[edge.from];
        while part != root {
            parts.push(part);
            let Some(by) = self.reached[part] else { break };
            links.push(by);
            part = self.outermost[by.from];
        }
        parts.push(root);
        parts.reverse();
        links.reverse();
        links.push(edge);
        let mut part = self.outermost[edge.to];
        while part != root {
            parts.push(part);
            let Some(by) = self.reached[part] else { break };
            links.push(by.reversed());
            part = self.outermost[by.from];
        }
        for part in &parts {
            self.parent[*part] = blossom;
        }
        self.parent[blossom] = NONE;
        self.base[blossom] = base;
        self.label[blossom] = Label::Outer;
        self.reached[blossom] = self.reached[root];
        self.dual[blossom].limbs_mut().fill(0);
        self.parts[blossom] = parts;
        self.links[blossom] = links;
        for leaf in self.leaves(blossom) {
            if self.label[self.outermost[leaf]] == Label::Inner {
                self.queue.push(leaf);
            }
            self.outermost[leaf] = blossom;
        }
        self.gather_bests(blossom);
    }

    /// Collects a new blossom's tightest edges to the other outer blossoms from its parts.
    fn gather_bests(&mut self, blossom: usize) {
        let mut tightest: Vec<Option<(W, Edge)>> = vec![None; 2 * self.n];
        let parts = std::mem::take(&mut self.parts[blossom]);
        for &part in &parts {
            if let Some(edges) = self.bests[part].take() {
                for edge in edges {
                    self.gather(blossom, edge, &mut tightest);
                }
            } else {
                for from in self.leaves(part) {
                    for to in 0..self.n {
                        self.gather(blossom, Edge { from, to }, &mut tightest);
                    }
                }
            }
            self.best[part] = None;
        }
        self.parts[blossom] = parts;
        self.best[blossom] = None;
        let mut bests = Vec::new();
        for (mut slack, edge) in tightest.into_iter().flatten() {
            bests.push(edge);
            slack.add(&self.changed);
            slack.add(&self.changed);
            self.offer(blossom, edge, slack);
        }
        self.bests[blossom] = Some(bests);
    }

    /// Keeps an edge if it is the tightest to its other end.
    fn gather(&self, blossom: usize, edge: Edge, tightest: &mut [Option<(W, Edge)>]) {
        let edge = if self.outermost[edge.to] == blossom { edge.reversed() } else { edge };
        let other = self.outermost[edge.to];
        if other == blossom || self.label[other] != Label::Outer {
            return;
        }
        let slack = self.slack(edge);
        if tightest[other].as_ref().is_none_or(|(kept, _)| slack < *kept) {
            tightest[other] = Some((slack, edge));
        }
    }

    /// Opens a blossom. An inner one in mid-stage keeps in the tree the parts on the even path from entry to
    /// base; the others become free unless reached from outside.
    pub(super) fn open(&mut self, blossom: usize, stage_ended: bool) {
        let parts = std::mem::take(&mut self.parts[blossom]);
        let links = std::mem::take(&mut self.links[blossom]);
        for &part in &parts {
            self.parent[part] = NONE;
            if part < self.n {
                self.outermost[part] = part;
            } else if stage_ended && self.dual[part].is_zero() {
                self.open(part, true);
            } else {
                for leaf in self.leaves(part) {
                    self.outermost[leaf] = part;
                }
            }
        }
        if !stage_ended && let (Label::Inner, Some(by)) = (self.label[blossom], self.reached[blossom]) {
            for leaf in parts.iter().flat_map(|part| self.leaves(*part)).collect::<Vec<_>>() {
                self.best_slack[leaf].add(&self.changed);
            }
            self.relabel_parts(&parts, &links, by);
        }
        self.label[blossom] = Label::Free;
        self.reached[blossom] = None;
        self.base[blossom] = NONE;
        self.best[blossom] = None;
        self.bests[blossom] = None;
        self.unused.push(blossom);
    }

    /// Labels the parts of an opened inner blossom that was entered by `entry`.
    fn relabel_parts(&mut self, parts: &[usize], links: &[Edge], entry: Edge) {
        let context = Walk::from(parts, links, self.outermost[entry.to]);
        let mut at = context.start;
        let mut by = entry;
        while at != 0 {
            // This part is inner, the next outer.
            self.make_inner(by.to, by);
            at = context.next(at);
            by = context.link_onward(at);
            at = context.next(at);
        }
        // The base part is inner, but its mate is outer already.
        let base_part = parts[0];
        self.turn_inner(base_part, by.to, by);
        at = context.next(at);
        while at != context.start {
            let part = parts[at];
            at = context.next(at);
            if self.label[part] == Label::Outer {
                continue;
            }
            let touched = self.leaves(part).into_iter().find(|leaf| self.label[*leaf] != Label::Free);
            if let Some(leaf) = touched
                && let Some(by) = self.reached[leaf]
            {
                self.make_inner(leaf, by);
            }
        }
    }
}

/// A walk from one part of a blossom to its base with an even number of steps.
pub(super) struct Walk<'a> {
    pub(super) start: usize,
    forward: bool,
    links: &'a [Edge],
}

impl<'a> Walk<'a> {
    pub(super) fn from(parts: &[usize], links: &'a [Edge], part: usize) -> Walk<'a> {
        let start = parts.iter().position(|other| *other == part).unwrap_or(0);
        Walk { start, forward: start % 2 == 1, links }
    }

    pub(super) fn next(&self, at: usize) -> usize {
        let count = self.links.len();
        if self.forward { (at + 1) % count } else { (at + count - 1) % count }
    }

    pub(super) fn link_onward(&self, at: usize) -> Edge {
        if self.forward { self.links[at] } else { self.links[self.next(at)].reversed() }
    }
}
