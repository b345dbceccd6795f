//! The least-weight perfect matching of a complete graph with an even number of vertices: Edmonds' blossoms with
//! duals, in the manner of Galil (ACM Computing Surveys 18, 1986), with each blossom's best edges kept so that one
//! augmentation takes quadratic time. Weights are any ordered abelian group ([`Weight`]); the only division is the
//! halving of a slack between two outer vertices, which is exact because all duals begin even and all outer vertices
//! have duals of one parity.
//!
//! What comes out is a matching *and its duals*, so that [`certificate`](super::certificate) can check the optimum
//! without knowing how it was found. `start.rs` is the way in, `mod.rs` the search, `forest.rs` the labels and the blossoms that
//! come and go in it, `augment.rs` what becomes of the matching.

mod augment;
mod forest;
mod start;

use super::weight::Weight;

/// No vertex, no blossom.
pub(super) const NONE: usize = usize::MAX;

/// A directed edge between two vertices: `from` is outside what it leads to.
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

/// What a vertex or blossom is in the forest of alternating trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    /// Outer: at an even distance from its root (S).
    Outer,
    /// Inner: at an odd distance (T).
    Inner,
    /// An outer one that a trace to the roots has passed.
    Traced,
}

/// A blossom of the result: its vertices, and its dual, half of what leaving it counts.
pub(super) struct Blossom<W> {
    pub(super) vertices: Vec<usize>,
    pub(super) dual: W,
}

/// A matching with its duals.
pub(super) struct Matched<W> {
    pub(super) partners: Vec<usize>,
    /// The duals of the vertices.
    pub(super) duals: Vec<W>,
    /// The blossoms with a dual that is not nothing.
    pub(super) blossoms: Vec<Blossom<W>>,
    /// The weights: vertex by vertex.
    pub(super) weights: Vec<W>,
}

/// The state of the search. Numbers below `n` are vertices (each a trivial blossom), those from `n` blossoms.
struct Search<W> {
    n: usize,
    /// The weight of each edge, in rows of `n`.
    weights: Vec<W>,
    /// The partner of each vertex.
    mate: Vec<usize>,
    /// The dual of each vertex, then of each blossom.
    dual: Vec<W>,
    /// The outermost blossom of each vertex.
    outermost: Vec<usize>,
    parent: Vec<usize>,
    /// The parts of a blossom around its cycle, the one with its base first.
    parts: Vec<Vec<usize>>,
    /// The edge from each part of a blossom to the next.
    links: Vec<Vec<Edge>>,
    /// The vertex of a blossom that is matched outside it, or single.
    base: Vec<usize>,
    unused: Vec<usize>,
    label: Vec<Label>,
    /// The edge by which a labelled vertex or blossom was reached; none for a root.
    reached: Vec<Option<Edge>>,
    /// Of an outer blossom: the tightest edge to another outer one; of a vertex that is not outer: from one.
    best: Vec<Option<Edge>>,
    /// The slack of each best edge, in a form that no change of the duals alters: what has changed since the stage began
    /// is added, once for an edge to a free vertex, twice between outer ones, not at all to an inner one.
    best_slack: Vec<W>,
    /// By how much the duals have changed since the stage began.
    changed: W,
    /// The tightest edges of an outer blossom to each other outer blossom.
    bests: Vec<Option<Vec<Edge>>>,
    queue: Vec<usize>,
}

/// What the next change of the duals makes possible.
enum Next {
    Reach(Edge),
    Join(Edge),
    Open(usize),
}

/// The least-weight perfect matching of `n` vertices. The weights, vertex by vertex, are multiples of four; that of a
/// vertex with itself is beyond any sum of others.
///
/// # Errors
/// A text when the search ends without one, which a complete graph does not allow.
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

    /// How far an edge between two outermost blossoms is from being tight.
    #[inline]
    fn slack(&self, edge: Edge) -> W {
        let mut slack = self.weights[edge.from * self.n + edge.to].clone();
        slack.subtract(&self.dual[edge.from]);
        slack.subtract(&self.dual[edge.to]);
        slack
    }

    /// Whether a vertex or blossom is in use and in no other.
    fn is_outermost(&self, blossom: usize) -> bool {
        self.parent[blossom] == NONE && self.base[blossom] != NONE
    }

    /// Keeps an edge as the best of a vertex or blossom if it is tighter; `slack` in the form that stays.
    #[inline]
    fn offer(&mut self, of: usize, edge: Edge, slack: W) {
        if self.best[of].is_none() || slack < self.best_slack[of] {
            self.best[of] = Some(edge);
            self.best_slack[of] = slack;
        }
    }

    /// One stage: grows trees from all single vertices until one path augments the matching.
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

    /// Looks at every edge of an outer vertex; true when the matching was augmented.
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
                    // Inside an inner blossom, now within reach from outside: that counts when the blossom opens.
                    self.label[other] = Label::Inner;
                    self.reached[other] = Some(edge);
                }
                (Label::Inner, false) => self.offer(other, edge, slack),
            }
        }
        false
    }

    /// Changes the duals by as much as keeps them feasible, and returns what has become tight.
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

    /// After an augmentation: outer blossoms that count nothing are opened.
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
