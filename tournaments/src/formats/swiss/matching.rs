//! How many remaining players can be paired without a rematch: a maximum matching, updated as the walk
//! removes pairs (Edmonds' algorithm: augmenting paths through contracted odd cycles). Removing a pair needs
//! at most a few searches instead of a new matching.

/// The remaining players, who may meet whom, and a maximum matching.
#[derive(Debug, Clone)]
pub(super) struct Rest {
    /// `allowed[a * players + b]`.
    allowed: Vec<bool>,
    left: Vec<bool>,
    partner: Vec<Option<usize>>,
}

impl Rest {
    /// Calls `allowed(a, b)` once per pair.
    pub(super) fn new(players: usize, mut allowed: impl FnMut(usize, usize) -> bool) -> Rest {
        let mut matrix = vec![false; players * players];
        for a in 0..players {
            for b in a + 1..players {
                let may = allowed(a, b);
                matrix[a * players + b] = may;
                matrix[b * players + a] = may;
            }
        }
        let mut rest = Rest { allowed: matrix, left: vec![true; players], partner: vec![None; players] };
        rest.complete();
        rest
    }

    /// The least number of players without a partner; each two of them need one rematch.
    pub(super) fn unmatched(&self) -> usize {
        (0..self.left.len()).filter(|&player| self.left[player] && self.partner[player].is_none()).count()
    }

    /// Removes two players if at most `most` of the others are then unmatched; otherwise changes nothing.
    pub(super) fn take(&mut self, a: usize, b: usize, most: usize) -> bool {
        let before = (self.partner.clone(), self.left.clone());
        for player in [a, b] {
            self.left[player] = false;
            if let Some(partner) = self.partner[player].take() {
                self.partner[partner] = None;
            }
        }
        self.complete();
        let fits = self.unmatched() <= most;
        if !fits {
            (self.partner, self.left) = before;
        }
        fits
    }

    /// Makes the matching maximum.
    fn complete(&mut self) {
        for player in 0..self.left.len() {
            if self.left[player] && self.partner[player].is_none() {
                self.augment(player);
            }
        }
    }

    /// Searches an augmenting path from an unmatched player and applies it.
    fn augment(&mut self, root: usize) -> bool {
        let players = self.left.len();
        let mut tree = Tree { parent: vec![None; players], base: (0..players).collect() };
        let mut outer = vec![false; players];
        outer[root] = true;
        let mut queue = vec![root];
        let mut next = 0;
        while next < queue.len() {
            let from = queue[next];
            next += 1;
            for to in 0..players {
                if !self.left[to]
                    || !self.allowed[from * players + to]
                    || tree.base[from] == tree.base[to]
                    || self.partner[from] == Some(to)
                {
                    continue;
                }
                let closes_an_odd_cycle =
                    to == root || self.partner[to].is_some_and(|partner| tree.parent[partner].is_some());
                if closes_an_odd_cycle {
                    for player in tree.shrink(&self.partner, from, to) {
                        if !outer[player] {
                            outer[player] = true;
                            queue.push(player);
                        }
                    }
                } else if tree.parent[to].is_none() {
                    tree.parent[to] = Some(from);
                    match self.partner[to] {
                        None => {
                            self.flip(&tree.parent, to);
                            return true;
                        }
                        Some(partner) => {
                            outer[partner] = true;
                            queue.push(partner);
                        }
                    }
                }
            }
        }
        false
    }

    /// Exchanges matched and unmatched edges from `end` to the root.
    fn flip(&mut self, parent: &[Option<usize>], end: usize) {
        let mut at = Some(end);
        while let Some(player) = at {
            let Some(before) = parent[player] else { break };
            at = self.partner[before];
            self.partner[player] = Some(before);
            self.partner[before] = Some(player);
        }
    }
}

struct Tree {
    parent: Vec<Option<usize>>,
    base: Vec<usize>,
}

impl Tree {
    /// Contracts the odd cycle closed by the edge between two outer players; its players become outer.
    fn shrink(&mut self, partner: &[Option<usize>], a: usize, b: usize) -> Vec<usize> {
        let top = self.meeting_point(partner, a, b);
        let mut inside = vec![false; self.base.len()];
        self.mark(partner, &mut inside, a, top, b);
        self.mark(partner, &mut inside, b, top, a);
        let mut players = Vec::new();
        for player in 0..self.base.len() {
            if inside[self.base[player]] {
                self.base[player] = top;
                players.push(player);
            }
        }
        players
    }

    /// The base at which the paths of two outer players to the root meet.
    fn meeting_point(&self, partner: &[Option<usize>], a: usize, b: usize) -> usize {
        let mut on_the_way = vec![false; self.base.len()];
        let mut at = self.base[a];
        loop {
            on_the_way[at] = true;
            match partner[at].and_then(|inner| self.parent[inner]) {
                Some(above) => at = self.base[above],
                None => break,
            }
        }
        let mut at = self.base[b];
        while !on_the_way[at] {
            match partner[at].and_then(|inner| self.parent[inner]) {
                Some(above) => at = self.base[above],
                None => break,
            }
        }
        at
    }

    /// Marks the bases from an outer player to `top`, and links the path both ways round the cycle.
    fn mark(
        &mut self,
        partner: &[Option<usize>],
        inside: &mut [bool],
        from: usize,
        top: usize,
        across: usize,
    ) {
        let (mut at, mut child) = (from, across);
        while self.base[at] != top {
            let Some(inner) = partner[at] else { break };
            inside[self.base[at]] = true;
            inside[self.base[inner]] = true;
            self.parent[at] = Some(child);
            child = inner;
            match self.parent[inner] {
                Some(above) => at = above,
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rest;

    /// The greatest number of pairs, by trying everything.
    fn pairs_by_trying(players: u32, left: u32, allowed: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some(first) = (0..players).find(|player| left >> player & 1 == 1) else { return 0 };
        let rest = left & !(1 << first);
        let mut best = pairs_by_trying(players, rest, allowed);
        for other in (0..players).filter(|other| rest >> other & 1 == 1) {
            if allowed(first as usize, other as usize) {
                best = best.max(1 + pairs_by_trying(players, rest & !(1 << other), allowed));
            }
        }
        best
    }

    #[test]
    fn the_matching_is_of_greatest_size_for_thousands_of_graphs_and_stays_so() {
        let mut state = 7u64;
        let mut next = move |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        for graph in 0..3_000 {
            let players = 1 + next(9) as usize;
            let density = 15 + next(70);
            let edges: Vec<bool> = (0..players * players).map(|_| next(100) < density).collect();
            let allowed = |a: usize, b: usize| edges[a.min(b) * players + a.max(b)];
            let mut rest = Rest::new(players, allowed);
            let mut left = (1u32 << players) - 1;
            loop {
                let paired = 2 * pairs_by_trying(players as u32, left, &allowed);
                let unmatched = left.count_ones() as usize - paired;
                assert_eq!(rest.unmatched(), unmatched, "graph {graph}");
                if left.count_ones() < 2 {
                    break;
                }
                let mut pick = || loop {
                    let player = next(players as u64) as usize;
                    if left >> player & 1 == 1 {
                        left &= !(1 << player);
                        break player;
                    }
                };
                let (a, b) = (pick(), pick());
                let fewest = left.count_ones() as usize - 2 * pairs_by_trying(players as u32, left, &allowed);
                if fewest > 0 {
                    assert!(!rest.take(a, b, fewest - 1), "graph {graph}");
                }
                assert!(rest.take(a, b, fewest), "graph {graph}");
            }
        }
    }
}
