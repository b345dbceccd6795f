//! The least-weight perfect matching of a complete graph with an even number of vertices: Edmonds' blossoms
//! with duals, after Galil (ACM Computing Surveys 18, 1986), with each blossom's best edges stored so that an
//! augmentation takes quadratic time. Weights are any ordered abelian group ([`Weight`]). Only the slack
//! between two outer vertices is halved, which is exact: duals begin even, and all outer vertices have duals
//! of one parity.
//!
//! The result is a matching *and its duals*, so that [`certificate`](super::certificate) can check the
//! optimum independently. `start.rs` is the start, this file the search, `forest.rs` labels and blossoms,
//! `augment.rs` the matching.

mod augment;
mod forest;
mod start;

use super::weight::Weight;

/// No vertex or blossom.
pub(super) const NONE: usize = usize::MAX;

/// A directed edge; `from` is outside what it enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
}

impl Edge {
    fn reversed(self) -> Edge {
        Edge { from: self.to, to: self.from }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    /// At an even distance from its root (S).
    Outer,
    /// At an odd distance (T).
    Inner,
    /// Outer, and visited by a trace to the roots.
    Traced,
}

/// A blossom of the result: its vertices, and its dual (half the penalty of leaving it).
pub(super) struct Blossom<W> {
    pub(super) vertices: Vec<usize>,
    pub(super) dual: W,
}

pub(super) struct Matched<W> {
    pub(super) partners: Vec<usize>,
    pub(super) duals: Vec<W>,
    /// Blossoms with non-zero duals.
    pub(super) blossoms: Vec<Blossom<W>>,
    /// In rows of `n`.
    pub(super) weights: Vec<W>,
}

/// Numbers below `n` are vertices (trivial blossoms), those from `n` blossoms.
struct Search<W> {
    n: usize,
    /// In rows of `n`.
    weights: Vec<W>,
    mate: Vec<usize>,
    /// Of each vertex, then of each blossom.
    dual: Vec<W>,
    /// Of each vertex.
    outermost: Vec<usize>,
    parent: Vec<usize>,
    /// The parts of a blossom around its cycle, the base's first.
    parts: Vec<Vec<usize>>,
    /// Edges from each part to the next.
    links: Vec<Vec<Edge>>,
    /// The vertex that is matched outside the blossom, or single.
    base: Vec<usize>,
    unused: Vec<usize>,
    label: Vec<Label>,
    /// The edge that reached a labelled vertex or blossom; none for a root.
    reached: Vec<Option<Edge>>,
    /// Of an outer blossom: the tightest edge to another outer one; of another vertex: from one.
    best: Vec<Option<Edge>>,
    /// The slack of each best edge, without the change since the stage began: that counts once for an edge to
    /// a free vertex, twice between outer ones, zero to an inner one.
    best_slack: Vec<W>,
    /// The change of the duals since the stage began.
    changed: W,
    /// An outer blossom's tightest edge to each other one.
    bests: Vec<Option<Vec<Edge>>>,
    queue: Vec<usize>,
}

enum Next {
    Reach(Edge),
    Join(Edge),
    Open(usize),
}

/// The least-weight perfect matching of `n` vertices. Weights, in rows of `n`, are multiples of four; a
/// vertex's weight with itself exceeds any sum of others.
///
/// # Errors
/// If the search fails, which a complete graph rules out.
pub(super) fn least<W: Weight>(n: usize, weights: Vec<W>, zero: W) -> Result<Matched<W>, String> {
    if n % 2 == 1 {
        return Err(format!("{n} vertices cannot all be matched"));
    }
    let mut search = Search::new(n, weights, zero);
    search.start();
    while search.mate.contains(&NONE) {
        search.augment_once()?;
    }
    Ok(search.into_matched())
}

impl<W: Weight> Search<W> {
    fn new(n: usize, weights: Vec<W>, zero: W) -> Search<W> {
        Search {
            n,
            weights,
            mate: vec![NONE; n],
            dual: vec![zero.clone(); 2 * n],
            outermost: (0..n).collect(),
            parent: vec![NONE; 2 * n],
            parts: vec![Vec::new(); 2 * n],
            links: vec![Vec::new(); 2 * n],
            base: (0..n).chain(std::iter::repeat_n(NONE, n)).collect(),
            unused: (n..2 * n).rev().collect(),
            label: vec![Label::Free; 2 * n],
            reached: vec![None; 2 * n],
            best: vec![None; 2 * n],
            best_slack: vec![zero.clone(); 2 * n],
            changed: zero,
            bests: vec![None; 2 * n],
            queue: Vec::new(),
        }
    }

    /// The slack of an edge between two outermost blossoms.
    #[inline]
    fn slack(&self, edge: Edge) -> W {
        let mut slack = self.weights[edge.from * self.n + edge.to].clone();
        slack.subtract(&self.dual[edge.from]);
        slack.subtract(&self.dual[edge.to]);
        slack
    }

    /// In use, and part of no other.
    fn is_outermost(&self, blossom: usize) -> bool {
        self.parent[blossom] == NONE && self.base[blossom] != NONE
    }

    /// Keeps an edge as the best if it is tighter; `slack` as in `best_slack`.
    #[inline]
    fn offer(&mut self, of: usize, edge: Edge, slack: W) {
        if self.best[of].is_none() || slack < self.best_slack[of] {
            self.best[of] = Some(edge);
            self.best_slack[of] = slack;
        }
    }

    /// One stage: grows trees from all single vertices until a path augments the matching.
    fn augment_once(&mut self) -> Result<(), String> {
        self.label.fill(Label::Free);
        self.reached.fill(None);
        self.best.fill(None);
        self.bests.fill(None);
        self.queue.clear();
        self.changed.limbs_mut().fill(0);
        for vertex in 0..self.n {
            if self.mate[vertex] == NONE && self.label[self.outermost[vertex]] == Label::Free {
                self.make_outer(vertex, None);
            }
        }
        loop {
            while let Some(vertex) = self.queue.pop() {
                if self.scan(vertex) {
                    self.end_stage();
                    return Ok(());
                }
            }
            match self.change_duals()? {
                Next::Reach(edge) => self.make_inner(edge.to, edge),
                Next::Join(edge) => {
                    if self.join(edge) {
                        self.end_stage();
                        return Ok(());
                    }
                }
                Next::Open(blossom) => self.open(blossom, false),
            }
        }
    }

    /// Scans the edges of an outer vertex; true if the matching was augmented.
    fn scan(&mut self, vertex: usize) -> bool {
        for other in 0..self.n {
            let (mine, theirs) = (self.outermost[vertex], self.outermost[other]);
            if mine == theirs {
                continue;
            }
            let edge = Edge { from: vertex, to: other };
            let label = self.label[theirs];
            if label == Label::Inner && self.label[other] != Label::Free {
                continue;
            }
            let mut slack = self.slack(edge);
            match (label, slack.is_zero()) {
                (Label::Outer | Label::Traced, true) => {
                    if self.join(edge) {
                        return true;
                    }
                }
                (Label::Outer | Label::Traced, false) => {
                    slack.add(&self.changed);
                    slack.add(&self.changed);
                    self.offer(mine, edge, slack);
                }
                (Label::Free, true) => self.make_inner(other, edge),
                (Label::Free, false) => {
                    slack.add(&self.changed);
                    self.offer(other, edge, slack);
                }
                (Label::Inner, true) => {
                    // Inside an inner blossom but reachable from outside: relevant when the blossom opens.
                    self.label[other] = Label::Inner;
                    self.reached[other] = Some(edge);
                }
                (Label::Inner, false) => self.offer(other, edge, slack),
            }
        }
        false
    }

    /// Changes the duals by the feasible maximum and returns what became tight.
    fn change_duals(&mut self) -> Result<Next, String> {
        let mut least: Option<(W, Next)> = None;
        let mut offer = |delta: W, next: Next| {
            if least.as_ref().is_none_or(|(kept, _)| delta < *kept) {
                least = Some((delta, next));
            }
        };
        for vertex in 0..self.n {
            if let (Some(edge), Label::Free) = (self.best[vertex], self.label[self.outermost[vertex]]) {
                let mut delta = self.best_slack[vertex].clone();
                delta.subtract(&self.changed);
                offer(delta, Next::Reach(edge));
            }
        }
        for blossom in (0..2 * self.n).filter(|&blossom| self.is_outermost(blossom)) {
            match (self.label[blossom], self.best[blossom]) {
                (Label::Outer, Some(edge)) => {
                    let mut delta = self.best_slack[blossom].clone();
                    delta.subtract(&self.changed);
                    delta.subtract(&self.changed);
                    delta.halve();
                    offer(delta, Next::Join(edge));
                }
                (Label::Inner, _) if blossom >= self.n => {
                    offer(self.dual[blossom].clone(), Next::Open(blossom));
                }
                _ => {}
            }
        }
        let Some((delta, next)) = least else {
            return Err("the search ended before all were matched".to_owned());
        };
        self.changed.add(&delta);
        for any in 0..2 * self.n {
            let outermost = if any < self.n { self.outermost[any] } else { any };
            match self.label[outermost] {
                Label::Outer if self.is_outermost(outermost) => self.dual[any].add(&delta),
                Label::Inner if self.is_outermost(outermost) => self.dual[any].subtract(&delta),
                _ => {}
            }
        }
        Ok(next)
    }

    /// After an augmentation: opens outer blossoms with a zero dual.
    fn end_stage(&mut self) {
        for blossom in self.n..2 * self.n {
            let outer = self.is_outermost(blossom) && self.label[blossom] == Label::Outer;
            if outer && self.dual[blossom].is_zero() {
                self.open(blossom, true);
            }
        }
    }

    fn into_matched(self) -> Matched<W> {
        let blossoms = (self.n..2 * self.n)
            .filter(|&blossom| self.base[blossom] != NONE && !self.dual[blossom].is_zero())
            .map(|blossom| Blossom { vertices: self.leaves(blossom), dual: self.dual[blossom].clone() })
            .collect();
        let mut duals = self.dual;
        duals.truncate(self.n);
        Matched { partners: self.mate, duals, blossoms, weights: self.weights }
    }
}
