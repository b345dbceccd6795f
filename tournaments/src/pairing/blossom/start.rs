//! A good start: the relaxation in which pairs may be halves, which is an assignment of vertices to vertices
//! (Jonker and Volgenant, Computing 38, 1987). Its duals, averaged over both sides, are feasible here, and
//! assigned edges are tight. Even cycles are matched completely, odd ones except one vertex, which leaves few
//! stages.
//!
//! Players near each other in the ranking have similar weights, so the assignment of every other vertex is
//! solved first and gives the initial prices.

use super::{NONE, Search, Weight};

impl<W: Weight> Search<W> {
    /// Sets the duals and matches what it can. Weights are multiples of four, so that averages are even.
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

/// The assignment of rows to columns, both the vertices, with one alternating tree per unassigned row. With
/// time, the duals of rows in trees rise and the prices of columns in trees fall.
struct Assignment<'a, W> {
    n: usize,
    weights: &'a [W],
    column_of: Vec<usize>,
    row_of: Vec<usize>,
    /// Column duals; of a column in a tree, at its entry.
    prices: Vec<W>,
    rows: Vec<usize>,
    /// Of each row in a tree.
    root: Vec<usize>,
    /// Per row in a tree: entry time minus the dual then. An edge becomes tight at this plus its cost.
    since: Vec<W>,
    /// When a tree reaches each column; a lower bound if `from` is none.
    due: Vec<W>,
    /// The row that reaches the column then.
    from: Vec<usize>,
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

    /// Prices the columns by the assignment of every other vertex and the last, which may be the bye.
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

    /// The weight minus the column's price.
    #[inline]
    fn cost(&self, row: usize, column: usize) -> W {
        let mut cost = self.weights[row * self.n + column].clone();
        cost.subtract(&self.prices[column]);
        cost
    }

    /// The column reached next, preferring one without a row; none when all rows have columns.
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

    /// Finds the row that reaches a column first.
    fn look_for_row(&mut self, column: usize) {
        // Weights are symmetric: columns are faster to scan as rows.
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

    /// Adds a column and its row to the tree that reaches it.
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

    /// A tree reaches a free column: the root gets a column, and the tree ends.
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
