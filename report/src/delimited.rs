//! Rows as CSV (quoting of RFC 4180, LF) or TSV (tabs, line ends and backslashes are `\t`, `\n`, `\\`). In CSV a text
//! that a spreadsheet would run as a formula begins with an apostrophe, except plain numbers.

use std::io::{self, BufWriter, Write};

use ::csv::{Terminator, Writer, WriterBuilder};

use crate::document::Part;
use crate::{Cell, Document, Table};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Commas, with quotes where necessary.
    Csv,
    /// Tabs, with escapes where necessary.
    Tsv,
}

/// Writes rows by value.
pub struct Delimited<W: Write>(Inner<W>);

enum Inner<W: Write> {
    Csv(Box<Writer<W>>),
    Tsv { out: BufWriter<W>, begun: bool },
}

impl<W: Write> Delimited<W> {
    #[must_use]
    pub fn new(out: W, dialect: Dialect) -> Delimited<W> {
        Delimited(match dialect {
            Dialect::Csv => {
                let mut csv = WriterBuilder::new();
                csv.flexible(true).terminator(Terminator::Any(b'\n'));
                Inner::Csv(Box::new(csv.from_writer(out)))
            }
            Dialect::Tsv => Inner::Tsv { out: BufWriter::new(out), begun: false },
        })
    }

    /// # Errors
    /// If the output fails.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        match &self.0 {
            Inner::Csv(_) if is_formula(text) => self.plain(&format!("'{text}")),
            Inner::Tsv { .. } if text.contains(['\\', '\t', '\n', '\r']) => {
                let escaped = text.replace('\\', "\\\\").replace('\t', "\\t");
                self.plain(&escaped.replace('\n', "\\n").replace('\r', "\\r"))
            }
            _ => self.plain(text),
        }
    }

    /// Writes a number or an empty value.
    ///
    /// # Errors
    /// If the output fails.
    pub fn plain(&mut self, value: &str) -> io::Result<()> {
        match &mut self.0 {
            Inner::Csv(csv) => Ok(csv.write_field(value)?),
            Inner::Tsv { out, begun } => {
                if std::mem::replace(begun, true) {
                    out.write_all(b"\t")?;
                }
                out.write_all(value.as_bytes())
            }
        }
    }

    /// # Errors
    /// If the output fails.
    pub fn end_row(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::Csv(csv) => Ok(csv.write_record(None::<&[u8]>)?),
            Inner::Tsv { out, begun } => {
                *begun = false;
                out.write_all(b"\n")
            }
        }
    }

    /// # Errors
    /// If the output fails.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::Csv(csv) => csv.flush(),
            Inner::Tsv { out, .. } => out.flush(),
        }
    }

    fn row<'c>(&mut self, cells: impl IntoIterator<Item = &'c Cell>) -> io::Result<()> {
        for cell in cells {
            if matches!(cell, Cell::Text(_) | Cell::Named { .. }) {
                self.text(&cell.plain())
            } else {
                self.plain(&cell.plain())
            }?;
        }
        self.end_row()
    }

    fn table(&mut self, table: &Table) -> io::Result<()> {
        if !table.head.is_empty() {
            table.head.iter().try_for_each(|word| self.text(word))?;
            self.end_row()?;
        }
        table.rows.iter().try_for_each(|row| self.row(row))
    }

    fn part(&mut self, part: &Part) -> io::Result<()> {
        match part {
            Part::Facts(facts) => facts.iter().try_for_each(|(label, cell)| {
                self.text(label)?;
                self.row([cell])
            }),
            Part::Table(table) => self.table(table),
            Part::Lines { lines, .. } => lines.iter().try_for_each(|line| self.row([&Cell::text(line)])),
            Part::Drawing(text) | Part::Board { text, .. } => {
                text.trim_end_matches('\n').split('\n').try_for_each(|line| self.row([&Cell::text(line)]))
            }
            Part::Prose(words) | Part::Title { words, .. } | Part::Subtitle(words) => {
                self.row([&Cell::text(words)])
            }
            Part::Details { part, .. } => self.part(part),
            Part::Figure { .. } | Part::Contents | Part::Link { .. } => Ok(()),
        }
    }
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

/// Cannot fail.
fn in_memory(dialect: Dialect, write: impl FnOnce(&mut Delimited<&mut Vec<u8>>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let mut rows = Delimited::new(&mut bytes, dialect);
    let _ = write(&mut rows).and_then(|()| rows.flush());
    drop(rows);
    String::from_utf8(bytes).unwrap_or_default()
}

impl Table {
    /// CSV with heads. Times are in UTC (RFC 3339), points are decimals, money has two decimals.
    #[must_use]
    pub fn csv(&self) -> String {
        in_memory(Dialect::Csv, |rows| rows.table(self))
    }

    /// As [`Table::csv`], separated by tabs.
    #[must_use]
    pub fn tsv(&self) -> String {
        in_memory(Dialect::Tsv, |rows| rows.table(self))
    }
}

impl Document {
    /// TSV in full: facts as label and value, tables with heads, an empty line between parts. Among several parts a table
    /// has its title before it, in a line that begins with `#`.
    #[must_use]
    pub fn tsv(&self) -> String {
        let parts: Vec<&Part> = self.parts.iter().filter(|part| !part.is_empty()).collect();
        let titled = |part: &Part| match part {
            Part::Table(Table { title, .. }) | Part::Lines { title, .. }
                if parts.len() > 1 && !title.is_empty() =>
            {
                format!("# {}\n", title.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            _ => String::new(),
        };
        let text = |part: &&Part| titled(part) + &in_memory(Dialect::Tsv, |rows| rows.part(part));
        parts.iter().map(text).collect::<Vec<String>>().join("\n")
    }

    /// One table as CSV, so that every line has the same columns: the first table with rows, else the facts as `name,value`, else
    /// the lines. Without rows the heads of the first table.
    #[must_use]
    pub fn csv(&self) -> String {
        let tables = || self.parts.iter().filter_map(Part::table);
        if let Some(table) = tables().find(|table| !table.rows.is_empty()).or_else(|| tables().next()) {
            return table.csv();
        }
        let facts = self.parts.iter().filter_map(|part| match part {
            Part::Facts(facts) => Some(facts),
            _ => None,
        });
        let facts: Vec<&(String, Cell)> = facts.flatten().collect();
        if !facts.is_empty() {
            let named = Table::of("", facts).column("name", |(name, _)| Cell::text(name));
            return named.column("value", |(_, value)| value.clone()).table().csv();
        }
        let parts = self.parts.iter().filter(|part| !part.is_empty());
        parts.map(|part| in_memory(Dialect::Csv, |rows| rows.part(part))).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Cell, Document, Table};

    #[test]
    fn what_would_break_a_line_stands_in_quotes() {
        let mut table = Table::new("", &["name", "points", "at"]);
        table.rows.push(vec![Cell::text("A \"B\", C\r\nD"), Cell::Points(5), Cell::Time(0)]);
        assert_eq!(table.csv(), "name,points,at\n\"A \"\"B\"\", C\r\nD\",2.5,1970-01-01T00:00:00Z\n");
    }

    #[test]
    fn no_name_is_a_formula_and_no_number_is_a_word() {
        let mut table = Table::new("", &["=1+1"]);
        for cell in ["=HYPERLINK(\"x\")", "+1", "-2.5", "-x", "@sum", "anna=1"] {
            table.rows.push(vec![Cell::text(cell)]);
        }
        table.rows.push(vec![Cell::Number(-3)]);
        let lines = "'=1+1\n\"'=HYPERLINK(\"\"x\"\")\"\n+1\n-2.5\n'-x\n'@sum\nanna=1\n-3\n";
        assert_eq!(table.csv(), lines);
    }

    #[test]
    fn csv_is_one_table() {
        let mut table = Table::new("By colour", &["side", "games"]);
        table.rows.push(vec!["gold".into(), 3_i64.into()]);
        let facts = || Document::default().facts(vec![("name", "A".into()), ("games", 3_i64.into())]);
        assert_eq!(facts().drawing(" a b\n").table(table.clone()).csv(), "side,games\ngold,3\n");
        let empty = Table::new("", &["turn", "steps"]);
        assert_eq!(facts().table(empty.clone()).csv(), "turn,steps\n");
        assert_eq!(facts().table(empty).table(table).csv(), "side,games\ngold,3\n");
        let bare = Table::bare("", vec![vec!["gold".into(), 3_i64.into()]]);
        assert_eq!(Document::default().table(bare).csv(), "gold,3\n");
        assert_eq!(facts().drawing("x").csv(), "name,value\nname,A\ngames,3\n");
        assert_eq!(Document::default().lines("", vec!["a".to_owned(), "b".to_owned()]).csv(), "a\nb\n");
    }

    #[test]
    fn a_program_gets_everything() {
        let mut table = Table::new("By colour", &["side", "percent", "left"]);
        table.rows.push(vec!["gold\\".into(), (200.0 / 3.0).into(), Cell::Empty]);
        let document = Document::default()
            .facts(vec![
                ("name", "A\tB".into()),
                ("rating", Cell::from(None::<i64>)),
                ("games", 12_i64.into()),
            ])
            .drawing(" a b\n")
            .table(table)
            .table(Table::new("Nothing", &["x"]));
        let lines = "name\tA\\tB\ngames\t12\n\n a b\n\n# By colour\nside\tpercent\tleft\ngold\\\\\t66.66666666666667\t\n";
        assert_eq!(document.tsv(), lines);
    }
}
