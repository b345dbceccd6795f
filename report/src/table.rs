//! A table: heads and rows of cells.

use crate::Cell;

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of the columns; none for a table without heads.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<Cell>>,
    /// The head of the column that a narrow terminal shows in any case; empty for the first that holds words.
    pub key: &'static str,
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        Table {
            title: title.into(),
            head: head.iter().map(|word| (*word).to_owned()).collect(),
            rows: Vec::new(),
            key: "",
        }
    }

    /// A table without heads.
    #[must_use]
    pub fn bare(title: impl Into<String>, rows: Vec<Vec<Cell>>) -> Table {
        Table { title: title.into(), rows, ..Table::default() }
    }

    /// A table with a row for each of `lines`, whose columns follow one by one.
    pub fn of<T>(title: impl Into<String>, lines: impl IntoIterator<Item = T>) -> Columns<T> {
        let lines: Vec<T> = lines.into_iter().collect();
        let rows = vec![Vec::new(); lines.len()];
        Columns { lines, table: Table { title: title.into(), rows, ..Table::default() } }
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
    pub(crate) fn without_empty_columns(&self) -> Table {
        let used: Vec<usize> =
            (0..self.columns()).filter(|column| self.column(*column).any(|cell| !cell.is_blank())).collect();
        self.only(&used)
    }

    /// The table with some of its columns.
    pub(crate) fn only(&self, columns: &[usize]) -> Table {
        fn chosen<T: Clone>(all: &[T], columns: &[usize]) -> Vec<T> {
            columns.iter().filter_map(|column| all.get(*column).cloned()).collect()
        }
        Table {
            title: self.title.clone(),
            head: chosen(&self.head, columns),
            rows: self.rows.iter().map(|row| chosen(row, columns)).collect(),
            key: self.key,
        }
    }

    /// How many columns it has.
    pub(crate) fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0).max(self.head.len())
    }

    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = &Cell> {
        self.rows.iter().filter_map(move |row| row.get(column))
    }

    /// Whether a column holds figures, which stand to the right.
    pub(crate) fn is_figures(&self, column: usize) -> bool {
        let mut cells = self.column(column).filter(|cell| !cell.is_blank()).peekable();
        cells.peek().is_some() && cells.all(Cell::is_figure)
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
