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

/// A matching with its duals, for weights four times the given ones.
pub(super) struct Matched<W> {
    pub(super) partners: Vec<usize>,
    /// The duals of the vertices.
    pub(super) duals: Vec<W>,
    /// The blossoms with a dual that is not nothing.
    pub(super) blossoms: Vec<Blossom<W>>,
    /// The weights, four times the given ones: vertex by vertex.
    pub(super) weights: Vec<W>,
}

/// The state of the search. Numbers below `n` are vertices (each a trivial blossom), those from `n` blossoms.
struct Search<W> {
    n: usize,
    /// Four times the weight of each edge, in rows of `n`.
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

/// The least-weight perfect matching of `n` vertices; `weight` writes the limbs of an edge's weight.
///
/// # Errors
/// A text when the search ends without one, which a complete graph does not allow.
pub(super) fn least<'a, W: Weight>(
    n: usize,
    width: usize,
    row: impl Fn(usize, usize) -> &'a [i64],
) -> Result<Matched<W>, String> {
    if n % 2 == 1 {
        return Err(format!("{n} vertices cannot all be matched"));
    }
    let mut search = Search::<W>::new(n, width, row);
    search.start();
    while search.mate.contains(&NONE) {
        search.augment_once()?;
    }
    Ok(search.into_matched())
}

impl<W: Weight> Search<W> {
    fn new<'a>(n: usize, width: usize, row: impl Fn(usize, usize) -> &'a [i64]) -> Search<W> {
        let zero = W::zero(width);
        let mut weights = vec![zero.clone(); n * n];
        for a in 0..n {
            for b in a + 1..n {
                for (at, limb) in row(a, b).iter().enumerate() {
                    weights[a * n + b].limbs_mut()[at] = limb.wrapping_mul(4);
                }
                weights[b * n + a] = weights[a * n + b].clone();
            }
        }
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
        let mut reach: Option<usize> = None;
        for vertex in 0..self.n {
            let free = self.best[vertex].is_some() && self.label[self.outermost[vertex]] == Label::Free;
            if free && reach.is_none_or(|kept| self.best_slack[vertex] < self.best_slack[kept]) {
                reach = Some(vertex);
            }
        }
        if let Some(vertex) = reach
            && let Some(edge) = self.best[vertex]
        {
            let mut delta = self.best_slack[vertex].clone();
            delta.subtract(&self.changed);
            least = Some((delta, Next::Reach(edge)));
        }
        let (mut join, mut open): (Option<usize>, Option<usize>) = (None, None);
        for blossom in 0..2 * self.n {
            if self.parent[blossom] != NONE || self.base[blossom] == NONE {
                continue;
            }
            let (slack, dual) = (&self.best_slack, &self.dual);
            match self.label[blossom] {
                Label::Outer
                    if self.best[blossom].is_some()
                        && join.is_none_or(|kept| slack[blossom] < slack[kept]) =>
                {
                    join = Some(blossom);
                }
                Label::Inner if blossom >= self.n && open.is_none_or(|kept| dual[blossom] < dual[kept]) => {
                    open = Some(blossom);
                }
                _ => {}
            }
        }
        if let Some(blossom) = join
            && let Some(edge) = self.best[blossom]
        {
            let mut delta = self.best_slack[blossom].clone();
            delta.subtract(&self.changed);
            delta.subtract(&self.changed);
            delta.halve();
            if least.as_ref().is_none_or(|(least, _)| delta < *least) {
                least = Some((delta, Next::Join(edge)));
            }
        }
        if let Some(blossom) = open
            && least.as_ref().is_none_or(|(least, _)| self.dual[blossom] < *least)
        {
            least = Some((self.dual[blossom].clone(), Next::Open(blossom)));
        }
        let Some((delta, next)) = least else {
            return Err("the search ended before all were matched".to_owned());
        };
        self.changed.add(&delta);
        for vertex in 0..self.n {
            match self.label[self.outermost[vertex]] {
                Label::Outer => self.dual[vertex].add(&delta),
                Label::Inner => self.dual[vertex].subtract(&delta),
                _ => {}
            }
        }
        for blossom in self.n..2 * self.n {
            if self.parent[blossom] == NONE && self.base[blossom] != NONE {
                match self.label[blossom] {
                    Label::Outer => self.dual[blossom].add(&delta),
                    Label::Inner => self.dual[blossom].subtract(&delta),
                    _ => {}
                }
            }
        }
        Ok(next)
    }

    /// After an augmentation: outer blossoms that count nothing are opened.
    fn end_stage(&mut self) {
        for blossom in self.n..2 * self.n {
            let outermost = self.parent[blossom] == NONE && self.base[blossom] != NONE;
            if outermost && self.label[blossom] == Label::Outer && self.dual[blossom].is_zero() {
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
