//! Augments the matching: matched and unmatched edges are exchanged along a path, through blossoms too.

use super::forest::Walk;
use super::{Edge, Search, Weight};

impl<W: Weight> Search<W> {
    /// Augments from both ends of an edge to the roots.
    pub(super) fn augment(&mut self, edge: Edge) {
        for (start, partner) in [(edge.from, edge.to), (edge.to, edge.from)] {
            let (mut outer, mut partner) = (start, partner);
            loop {
                let blossom = self.outermost[outer];
                if blossom >= self.n {
                    self.shift_base(blossom, outer);
                }
                self.mate[outer] = partner;
                let Some(by) = self.reached[blossom] else { break };
                let inner = self.outermost[by.from];
                let Some(onward) = self.reached[inner] else { break };
                if inner >= self.n {
                    self.shift_base(inner, onward.to);
                }
                self.mate[onward.to] = onward.from;
                (outer, partner) = (onward.from, onward.to);
            }
        }
    }

    /// Changes the matching inside a blossom so that another vertex is matched outside.
    fn shift_base(&mut self, blossom: usize, vertex: usize) {
        let mut part = vertex;
        while self.parent[part] != blossom {
            part = self.parent[part];
        }
        if part >= self.n {
            self.shift_base(part, vertex);
        }
        let mut parts = std::mem::take(&mut self.parts[blossom]);
        let mut links = std::mem::take(&mut self.links[blossom]);
        let context = Walk::from(&parts, &links, part);
        let start = context.start;
        let mut at = start;
        while at != 0 {
            at = context.next(at);
            let link = context.link_onward(at);
            if parts[at] >= self.n {
                self.shift_base(parts[at], link.from);
            }
            at = context.next(at);
            if parts[at] >= self.n {
                self.shift_base(parts[at], link.to);
            }
            self.mate[link.from] = link.to;
            self.mate[link.to] = link.from;
        }
        parts.rotate_left(start);
        links.rotate_left(start);
        self.parts[blossom] = parts;
        self.links[blossom] = links;
        self.base[blossom] = vertex;
    }
}
