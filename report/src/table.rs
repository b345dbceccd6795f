use crate::Cell;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    pub title: String,
    /// May be empty.
    pub head: Vec<String>,
    /// Each as long as the head.
    pub rows: Vec<Vec<Cell>>,
    /// The heads of the columns that a narrow terminal shows first, in that order; then the first with text, and the others from
    /// the left.
    pub keep: &'static [&'static str],
}

impl Table {
    #[must_use]
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        Table {
            title: title.into(),
            head: head.iter().map(|word| (*word).to_owned()).collect(),
            rows: Vec::new(),
            keep: &[],
        }
    }

    #[must_use]
    pub fn bare(title: impl Into<String>, rows: Vec<Vec<Cell>>) -> Table {
        Table { title: title.into(), rows, ..Table::default() }
    }

    /// One row per line; columns follow.
    pub fn of<T>(title: impl Into<String>, lines: impl IntoIterator<Item = T>) -> Columns<T> {
        let lines: Vec<T> = lines.into_iter().collect();
        let rows = vec![Vec::new(); lines.len()];
        Columns { lines, table: Table { title: title.into(), rows, ..Table::default() } }
    }

    #[must_use]
    pub fn untitled(self) -> Table {
        Table { title: String::new(), ..self }
    }

    /// With heads for programs: `scheduled_at` for `Scheduled at`.
    #[must_use]
    pub fn for_programs(mut self) -> Table {
        for word in &mut self.head {
            *word = word.to_lowercase().replace(' ', "_");
        }
        self
    }

    pub(crate) fn without_empty_columns(&self) -> Table {
        let used: Vec<usize> =
            (0..self.columns()).filter(|column| self.column(*column).any(|cell| !cell.is_blank())).collect();
        self.only(&used)
    }

    pub(crate) fn only(&self, columns: &[usize]) -> Table {
        fn chosen<T: Clone>(all: &[T], columns: &[usize]) -> Vec<T> {
            columns.iter().filter_map(|column| all.get(*column).cloned()).collect()
        }
        Table {
            title: self.title.clone(),
            head: chosen(&self.head, columns),
            rows: self.rows.iter().map(|row| chosen(row, columns)).collect(),
            keep: self.keep,
        }
    }

    pub(crate) fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0).max(self.head.len())
    }

    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = &Cell> {
        self.rows.iter().filter_map(move |row| row.get(column))
    }

    /// Figures are right-aligned.
    pub(crate) fn is_figures(&self, column: usize) -> bool {
        let mut cells = self.column(column).filter(|cell| !cell.is_blank()).peekable();
        cells.peek().is_some() && cells.all(Cell::is_figure)
    }
}

/// A table built by column.
#[derive(Debug)]
pub struct Columns<T> {
    lines: Vec<T>,
    table: Table,
}

impl<T> Columns<T> {
    /// `cell` gives the value of a line.
    #[must_use]
    pub fn column(mut self, head: &str, cell: impl Fn(&T) -> Cell) -> Columns<T> {
        self.table.head.push(head.to_owned());
        for (row, line) in self.table.rows.iter_mut().zip(&self.lines) {
            row.push(cell(line));
        }
        self
    }

    #[must_use]
    pub fn table(self) -> Table {
        self.table
    }
}
