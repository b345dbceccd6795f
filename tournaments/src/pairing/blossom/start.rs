//! A start much better than nothing: the matching's relaxation in which parts of a round may be halves. That is the
//! assignment of every vertex to another one (Jonker and Volgenant, Computing 38, 1987), whose optimal duals are feasible
//! here once those of both sides are averaged, and whose assigned edges are tight under them. Cycles of two or any even
//! number of vertices are matched outright, odd ones but for one vertex; what is left takes few stages of the search.
//!
//! Players near each other in the ranking have similar weights. So the assignment of every other vertex is found first,
//! and its duals give the prices with which that of all vertices begins.

use super::{NONE, Search, Weight};

impl<W: Weight> Search<W> {
    /// Sets the duals and matches what it can. Weights are multiples of four, so the averages are even.
    pub(super) fn start(&mut self) {
        let Assignment { column_of, prices, .. } = Assignment::of(self.n, &self.weights, &self.changed);
        for vertex in 0..self.n {
            let column = column_of[vertex];
            let mut dual = self.weights[vertex * self.n + column].clone();
            dual.subtract(&prices[column]);
            dual.add(&prices[vertex]);
            dual.halve();
            self.dual[vertex] = dual;
        }
        for first in 0..self.n {
            let mut vertex = first;
            while self.mate[vertex] == NONE && self.mate[column_of[vertex]] == NONE {
                let next = column_of[vertex];
                self.mate[vertex] = next;
                self.mate[next] = vertex;
                vertex = column_of[next];
            }
        }
    }
}

/// The assignment of rows to columns, both the vertices, and a forest of alternating trees, one from each row without a
/// column. Time passes: the duals of the rows in trees rise with it, the prices of the columns in trees fall.
struct Assignment<'a, W> {
    n: usize,
    weights: &'a [W],
    column_of: Vec<usize>,
    row_of: Vec<usize>,
    /// The duals of the columns; of a column in a tree, that at the time when it came in.
    prices: Vec<W>,
    /// The rows in trees.
    rows: Vec<usize>,
    /// The root of the tree of each row in one.
    root: Vec<usize>,
    /// Of each row in a tree: the time when it came in, less its dual then. An edge becomes tight at this time plus
    /// its cost.
    since: Vec<W>,
    /// When a tree reaches, or has reached, each column; only a lower bound where `from` is none.
    due: Vec<W>,
    /// The row by which a column is reached at that time.
    from: Vec<usize>,
    /// The columns in trees.
    reached: Vec<bool>,
}

impl<'a, W: Weight> Assignment<'a, W> {
    fn of(n: usize, weights: &'a [W], zero: &W) -> Assignment<'a, W> {
        let zeros = vec![zero.clone(); n];
        let mut this = Assignment {
            n,
            weights,
            column_of: vec![NONE; n],
            row_of: vec![NONE; n],
            prices: zeros.clone(),
            rows: (0..n).collect(),
            root: (0..n).collect(),
            since: zeros.clone(),
            due: zeros,
            from: vec![NONE; n],
            reached: vec![false; n],
        };
        if n > 3 {
            this.start_from_half(zero);
        }
        for row in 0..n {
            if let Some(dual) = (0..n).map(|column| this.cost(row, column)).min() {
                this.since[row].subtract(&dual);
            }
        }
        while let Some(column) = this.next_column() {
            if this.from[column] == NONE {
                this.look_for_row(column);
            } else if this.row_of[column] == NONE {
                this.augment(column);
            } else {
                this.reach(column);
            }
        }
        this
    }

    /// Prices the columns by the assignment of every other vertex, among them the last, which may be the bye.
    fn start_from_half(&mut self, zero: &W) {
        let half: Vec<usize> = (0..self.n).filter(|vertex| vertex % 2 != self.n % 2).collect();
        let weight = |row: usize, column: usize| self.weights[row * self.n + column].clone();
        let weights: Vec<W> =
            half.iter().flat_map(|&row| half.iter().map(move |&column| weight(row, column))).collect();
        let coarse = Assignment::of(half.len(), &weights, zero);
        let duals: Vec<W> = (0..half.len()).map(|row| coarse.cost(row, coarse.column_of[row])).collect();
        for column in 0..self.n {
            let price = half.iter().zip(&duals).map(|(&row, dual)| {
                let mut price = weight(column, row);
                price.subtract(dual);
                price
            });
            if let Some(price) = price.min() {
                self.prices[column] = price;
            }
        }
    }

    /// The weight of a column for a row, its price deducted.
    #[inline]
    fn cost(&self, row: usize, column: usize) -> W {
        let mut cost = self.weights[row * self.n + column].clone();
        cost.subtract(&self.prices[column]);
        cost
    }

    /// The column that is reached next, one without a row before others; none when all rows have columns.
    fn next_column(&self) -> Option<usize> {
        if self.rows.is_empty() {
            return None;
        }
        let mut next: Option<(&W, bool, usize)> = None;
        for column in (0..self.n).filter(|&column| !self.reached[column]) {
            let (due, held) = (&self.due[column], self.row_of[column] != NONE);
            if next.is_none_or(|(least, kept, _)| due < least || kept && !held && due == least) {
                next = Some((due, held, column));
            }
        }
        next.map(|(_, _, column)| column)
    }

    /// Finds the row by which a column is reached first.
    fn look_for_row(&mut self, column: usize) {
        // The weights are symmetric: this is faster than by rows.
        let weights = &self.weights[column * self.n..(column + 1) * self.n];
        let due = self.rows.iter().map(|&row| {
            let mut due = weights[row].clone();
            due.add(&self.since[row]);
            (due, row)
        });
        if let Some((mut due, row)) = due.min_by(|(one, _), (other, _)| one.cmp(other)) {
            due.subtract(&self.prices[column]);
            self.due[column] = due;
            self.from[column] = row;
        }
    }

    /// Takes a column and its row into the tree that reaches the column.
    fn reach(&mut self, column: usize) {
        let row = self.row_of[column];
        self.reached[column] = true;
        self.root[row] = self.root[self.from[column]];
        let mut since = self.due[column].clone();
        since.subtract(&self.cost(row, column));
        for other in (0..self.n).filter(|&other| !self.reached[other]) {
            let mut due = self.cost(row, other);
            due.add(&since);
            if due < self.due[other] {
                self.due[other] = due;
                self.from[other] = row;
            }
        }
        self.since[row] = since;
        self.rows.push(row);
    }

    /// A tree reaches a column without a row: the root gets a column, and the tree is no more.
    fn augment(&mut self, end: usize) {
        let root = self.root[self.from[end]];
        let time = self.due[end].clone();
        let mut column = end;
        while column != NONE {
            let row = self.from[column];
            self.row_of[column] = row;
            column = std::mem::replace(&mut self.column_of[row], column);
        }
        for column in 0..self.n {
            if self.from[column] == NONE || self.root[self.from[column]] != root {
                continue;
            }
            self.from[column] = NONE;
            if std::mem::take(&mut self.reached[column]) {
                self.prices[column].add(&self.due[column]);
                self.prices[column].subtract(&time);
                self.due[column] = time.clone();
            }
        }
        let roots = &self.root;
        self.rows.retain(|&row| roots[row] != root);
    }
}
