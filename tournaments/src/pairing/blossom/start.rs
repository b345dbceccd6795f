//! A start much better than nothing: the matching's relaxation in which parts of a round may be halves. That is the
//! assignment of every vertex to another one (Jonker and Volgenant, Computing 38, 1987), whose optimal duals are feasible
//! here once those of both sides are averaged, and whose assigned edges are tight under them. Cycles of two or any even
//! number of vertices are matched outright, odd ones but for one vertex; what is left takes few stages of the search.

use super::{NONE, Search, Weight};

impl<W: Weight> Search<W> {
    /// Sets the duals and matches what it can. Weights are multiples of four, so the averages are even.
    pub(super) fn start(&mut self) {
        // Two vertices have only one way.
        if self.n < 4 {
            return;
        }
        let mut assignment = Assignment::of(self);
        assignment.reduce_columns();
        for _ in 0..2 {
            assignment.reduce_rows();
        }
        for row in 0..self.n {
            if assignment.column_of[row] == NONE {
                assignment.augment(row);
            }
        }
        let Assignment { column_of, prices, .. } = assignment;
        if column_of.contains(&NONE) {
            // Never in a complete graph; the search needs no start.
            return;
        }
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

/// The assignment of rows to columns, both the vertices, none to itself.
struct Assignment<'a, W> {
    n: usize,
    weights: &'a [W],
    column_of: Vec<usize>,
    row_of: Vec<usize>,
    /// The duals of the columns.
    prices: Vec<W>,
    zero: W,
}

impl<'a, W: Weight> Assignment<'a, W> {
    fn of(search: &'a Search<W>) -> Assignment<'a, W> {
        let n = search.n;
        let zero = search.changed.clone();
        let prices = vec![zero.clone(); n];
        Assignment {
            n,
            weights: &search.weights,
            column_of: vec![NONE; n],
            row_of: vec![NONE; n],
            prices,
            zero,
        }
    }

    /// The weight of a column for a row, its price deducted.
    #[inline]
    fn cost(&self, row: usize, column: usize) -> W {
        let mut cost = self.weights[row * self.n + column].clone();
        cost.subtract(&self.prices[column]);
        cost
    }

    /// Prices each column at its least weight, and assigns it to that row if it is free.
    fn reduce_columns(&mut self) {
        for column in (0..self.n).rev() {
            // The weights are symmetric: a column is a row.
            let weights = &self.weights[column * self.n..(column + 1) * self.n];
            let rows = weights.iter().enumerate().filter(|(row, _)| *row != column);
            let Some((row, weight)) = rows.min_by(|(_, one), (_, other)| one.cmp(other)) else { continue };
            self.prices[column] = weight.clone();
            if self.column_of[row] == NONE {
                self.column_of[row] = column;
                self.row_of[column] = row;
            }
        }
    }

    /// Every free row takes its cheapest column, whose price falls to what the second cheapest allows; who held it is
    /// free again. The number of such moves is limited, since prices can fall by little for long.
    fn reduce_rows(&mut self) {
        let mut free: Vec<usize> = (0..self.n).filter(|row| self.column_of[*row] == NONE).collect();
        let mut moves = 4 * self.n;
        while let Some(row) = free.pop() {
            if moves == 0 {
                return;
            }
            moves -= 1;
            let mut first: Option<(W, usize)> = None;
            let mut second: Option<(W, usize)> = None;
            for column in (0..self.n).filter(|column| *column != row) {
                let cost = self.cost(row, column);
                if first.as_ref().is_none_or(|(least, _)| cost < *least) {
                    second = first.replace((cost, column));
                } else if second.as_ref().is_none_or(|(least, _)| cost < *least) {
                    second = Some((cost, column));
                }
            }
            let (Some((least, mut column)), Some((next, other))) = (first, second) else { return };
            let strictly = least < next;
            if strictly {
                self.prices[column].add(&least);
                self.prices[column].subtract(&next);
            } else if self.row_of[column] != NONE {
                column = other;
            }
            let before = self.row_of[column];
            if before != NONE {
                self.column_of[before] = NONE;
                if strictly {
                    free.push(before);
                }
            }
            self.column_of[row] = column;
            self.row_of[column] = row;
        }
    }

    /// Gives a free row a column by the cheapest alternating path.
    fn augment(&mut self, start: usize) {
        let n = self.n;
        let mut distance: Vec<Option<W>> = vec![None; n];
        let mut from = vec![start; n];
        let mut done = vec![false; n];
        let mut settled = Vec::new();
        let mut row = start;
        let mut so_far = self.zero.clone();
        let (end, length) = loop {
            // The row's own dual, so that its assigned column costs nothing more.
            let mut base = so_far.clone();
            if row != start {
                base.subtract(&self.cost(row, self.column_of[row]));
            }
            let mut nearest: Option<usize> = None;
            for column in 0..n {
                if done[column] {
                    continue;
                }
                if column != row {
                    let mut through = self.cost(row, column);
                    through.add(&base);
                    if distance[column].as_ref().is_none_or(|known| through < *known) {
                        distance[column] = Some(through);
                        from[column] = row;
                    }
                }
                let better = |kept: usize| match (&distance[column], &distance[kept]) {
                    (Some(one), Some(other)) => {
                        one < other
                            || one == other && self.row_of[column] == NONE && self.row_of[kept] != NONE
                    }
                    (one, _) => one.is_some(),
                };
                if nearest.is_none_or(better) {
                    nearest = Some(column);
                }
            }
            let Some(column) = nearest else { return };
            let Some(reached) = distance[column].clone() else { return };
            if self.row_of[column] == NONE {
                break (column, reached);
            }
            done[column] = true;
            settled.push(column);
            so_far = reached;
            row = self.row_of[column];
        };
        for column in settled {
            if let Some(distance) = &distance[column] {
                self.prices[column].add(distance);
                self.prices[column].subtract(&length);
            }
        }
        let mut column = end;
        loop {
            let row = from[column];
            let next = self.column_of[row];
            self.column_of[row] = column;
            self.row_of[column] = row;
            if row == start {
                return;
            }
            column = next;
        }
    }
}
