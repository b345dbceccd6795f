//! A sheet: facts, tables and drawings one below the other, as `game`, `player` and `explore` show them. On a terminal it
//! is laid out for reading; in a pipe it is plain: tab-separated, nothing cut, numbers in full.

use super::cells::{escaped, number};
use super::table::text_table;
use super::{Format, Layout};

/// How a sheet is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// For a terminal of a width in characters.
    Terminal(Option<u16>),
    /// For a pipe or a file.
    Plain,
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing is known.
    Empty,
    /// A text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number with decimals.
    Decimal(f64),
}

impl Cell {
    fn render(&self, style: Style) -> String {
        match (self, style) {
            (Cell::Empty, _) => String::new(),
            (Cell::Text(text), Style::Terminal(_)) => escaped(text).into_owned(),
            (Cell::Text(text), Style::Plain) => {
                text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
            }
            (Cell::Whole(n), _) => n.to_string(),
            (Cell::Decimal(x), Style::Terminal(_)) => number(*x),
            (Cell::Decimal(x), Style::Plain) => x.to_string(),
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Cell::Whole(_) | Cell::Decimal(_))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(n: i64) -> Cell {
        Cell::Whole(n)
    }
}

impl From<u64> for Cell {
    fn from(n: u64) -> Cell {
        i64::try_from(n).map_or_else(|_| Cell::Text(n.to_string()), Cell::Whole)
    }
}

impl From<f64> for Cell {
    fn from(x: f64) -> Cell {
        Cell::Decimal(x)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

#[derive(Debug, Clone)]
enum Part {
    Facts(Vec<(&'static str, Cell)>),
    Drawing(String),
    Table { title: String, columns: Vec<&'static str>, rows: Vec<Vec<Cell>> },
}

/// Parts one below the other.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    parts: Vec<Part>,
}

impl Sheet {
    /// Adds named values; those of which nothing is known are left out.
    pub fn facts(&mut self, facts: Vec<(&'static str, Cell)>) {
        self.parts.push(Part::Facts(facts.into_iter().filter(|(_, cell)| *cell != Cell::Empty).collect()));
    }

    /// Adds a text of several lines that is shown as it is.
    pub fn drawing(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Drawing(text.into()));
    }

    /// Adds a table; nothing where it has no rows.
    pub fn table(&mut self, title: impl Into<String>, columns: Vec<&'static str>, rows: Vec<Vec<Cell>>) {
        if !rows.is_empty() {
            self.parts.push(Part::Table { title: title.into(), columns, rows });
        }
    }

    /// The sheet as text.
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        let mut text = String::new();
        for (i, part) in self.parts.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            match part {
                Part::Facts(facts) => render_facts(facts, style, &mut text),
                Part::Drawing(drawing) => {
                    text.push_str(drawing.trim_end_matches('\n'));
                    text.push('\n');
                }
                Part::Table { title, columns, rows } => render_table(title, columns, rows, style, &mut text),
            }
        }
        text
    }
}

fn render_facts(facts: &[(&'static str, Cell)], style: Style, text: &mut String) {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, cell) in facts {
        match style {
            Style::Terminal(_) => text.push_str(&format!("{name:<width$}  {}\n", cell.render(style))),
            Style::Plain => text.push_str(&format!("{name}\t{}\n", cell.render(style))),
        }
    }
}

fn render_table(title: &str, columns: &[&'static str], rows: &[Vec<Cell>], style: Style, text: &mut String) {
    let rendered: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| cell.render(style)).collect()).collect();
    match style {
        Style::Terminal(width) => {
            if !title.is_empty() {
                text.push_str(&format!("{title}\n"));
            }
            let numeric = |i: usize| rows.iter().any(|r| r.get(i).is_some_and(Cell::is_number));
            let columns: Vec<(&str, bool)> =
                columns.iter().enumerate().map(|(i, name)| (*name, numeric(i))).collect();
            let layout = Layout { format: Format::Table, header: true, max_rows: None, width };
            text.push_str(&text_table(&columns, &rendered, layout));
        }
        Style::Plain => {
            text.push_str(&columns.join("\t"));
            text.push('\n');
            for row in rendered {
                text.push_str(&row.join("\t"));
                text.push('\n');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::default();
        sheet.facts(vec![
            ("name", "A\tB".into()),
            ("rating", Cell::from(None::<i64>)),
            ("games", 12_i64.into()),
        ]);
        sheet.table("By colour", vec!["side", "percent"], vec![vec!["gold".into(), (200.0 / 3.0).into()]]);
        sheet.table("Nothing", vec!["x"], vec![]);
        sheet
    }

    #[test]
    fn a_terminal_gets_a_layout_and_a_pipe_gets_everything() {
        assert_eq!(
            sheet().render(Style::Terminal(None)),
            "name   A\\tB\ngames  12\n\nBy colour\nside  percent\n───── ────────\ngold   66.667\n"
        );
        assert_eq!(
            sheet().render(Style::Plain),
            "name\tA\\tB\ngames\t12\n\nside\tpercent\ngold\t66.66666666666667\n"
        );
    }
}
