//! A table: heads and rows of cells.

use jiff::tz::TimeZone;

use crate::Cell;
use crate::page::written_out;

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        Table {
            title: title.into(),
            head: head.iter().map(|word| (*word).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// A table with a row for each of `lines`, whose columns follow one by one.
    pub fn of<T>(title: impl Into<String>, lines: impl IntoIterator<Item = T>) -> Columns<T> {
        let lines: Vec<T> = lines.into_iter().collect();
        let rows = vec![Vec::new(); lines.len()];
        Columns { lines, table: Table { title: title.into(), head: Vec::new(), rows } }
    }

    /// The table without a title.
    #[must_use]
    pub fn untitled(self) -> Table {
        Table { title: String::new(), ..self }
    }

    /// The table with heads that programs like: `scheduled_at` for `Scheduled at`.
    #[must_use]
    pub fn for_programs(mut self) -> Table {
        for word in &mut self.head {
            *word = word.to_lowercase().replace(' ', "_");
        }
        self
    }

    /// The table without the columns in which no row has anything.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Table {
        let used: Vec<bool> =
            (0..self.head.len()).map(|column| self.column(column).any(|cell| !cell.is_blank())).collect();
        let kept = |column: usize| used.get(column).copied().unwrap_or(true);
        let mut column = 0;
        self.head.retain(|_| {
            column += 1;
            kept(column - 1)
        });
        for row in &mut self.rows {
            let mut column = 0;
            row.retain(|_| {
                column += 1;
                kept(column - 1)
            });
        }
        self
    }

    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = &Cell> {
        self.rows.iter().filter_map(move |row| row.get(column))
    }

    /// Whether a column holds figures, which stand to the right.
    pub(crate) fn is_figures(&self, column: usize) -> bool {
        let mut cells = self.column(column).filter(|cell| !cell.is_blank()).peekable();
        cells.peek().is_some() && cells.all(Cell::is_figure)
    }

    pub(crate) fn lines(&self, zone: &TimeZone) -> Vec<String> {
        let head = self.head.iter().map(|word| written_out(word)).collect();
        let shown: Vec<Vec<String>> = std::iter::once(head)
            .chain(
                self.rows.iter().map(|row| row.iter().map(|cell| written_out(&cell.shown(zone))).collect()),
            )
            .collect();
        let width = |column: usize| {
            let cells = shown.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let layout: Vec<(usize, bool)> =
            (0..self.head.len()).map(|column| (width(column), self.is_figures(column))).collect();
        shown
            .iter()
            .map(|row| {
                let cells: Vec<String> = row
                    .iter()
                    .zip(&layout)
                    .map(
                        |(cell, (width, right))| {
                            if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                        },
                    )
                    .collect();
                cells.join("  ").trim_end().to_owned()
            })
            .collect()
    }
}

/// A table that is made column by column.
#[derive(Debug)]
pub struct Columns<T> {
    lines: Vec<T>,
    table: Table,
}

impl<T> Columns<T> {
    /// Adds a column: its head, and what it shows of a line.
    #[must_use]
    pub fn column(mut self, head: &str, cell: impl Fn(&T) -> Cell) -> Columns<T> {
        self.table.head.push(head.to_owned());
        for (row, line) in self.table.rows.iter_mut().zip(&self.lines) {
            row.push(cell(line));
        }
        self
    }

    /// The table.
    #[must_use]
    pub fn table(self) -> Table {
        self.table
    }
}
