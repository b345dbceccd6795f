//! A table as CSV (RFC 4180): lines end in CR LF, a cell that needs it stands in quotes, quotes in it are doubled. Words
//! that a spreadsheet would take for a formula begin with an apostrophe, by which it takes them for words; figures do not,
//! nor do words that are a plain number.

use std::borrow::Cow;

use super::{Cell, Table};

/// The table as CSV, the heads first. Times are in UTC (RFC 3339), points are decimals, money has two decimals.
#[must_use]
pub fn csv(table: &Table) -> String {
    let mut out = String::new();
    line(&mut out, table.head.iter().map(|word| no_formula(word)));
    for row in &table.rows {
        let cells: Vec<(String, bool)> =
            row.iter().map(|cell| (cell.plain(), matches!(cell, Cell::Text(_)))).collect();
        line(&mut out, cells.iter().map(|(cell, words)| if *words { no_formula(cell) } else { cell.into() }));
    }
    out
}

/// Words that no spreadsheet runs: what it would take for a formula is told to be words.
fn no_formula(words: &str) -> Cow<'_, str> {
    let begins = words.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if begins && words.parse::<f64>().is_err() { format!("'{words}").into() } else { words.into() }
}

fn line<'c>(out: &mut String, cells: impl Iterator<Item = Cow<'c, str>>) {
    for (place, cell) in cells.enumerate() {
        if place > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) || cell.starts_with(' ') || cell.ends_with(' ') {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&cell);
        }
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Table};
    use super::csv;

    #[test]
    fn what_would_break_a_line_stands_in_quotes() {
        let mut table = Table::new("", &["name", "points", "at"]);
        table.rows.push(vec![Cell::text("A \"B\", C\r\nD"), Cell::Points(5), Cell::Time(0)]);
        assert_eq!(csv(&table), "name,points,at\r\n\"A \"\"B\"\", C\r\nD\",2.5,1970-01-01T00:00:00Z\r\n");
    }

    #[test]
    fn no_name_is_a_formula_and_no_number_is_a_word() {
        let mut table = Table::new("", &["=1+1"]);
        for cell in ["=HYPERLINK(\"x\")", "+1", "-2.5", "-x", "@sum", "anna=1"] {
            table.rows.push(vec![Cell::text(cell)]);
        }
        table.rows.push(vec![Cell::Number(-3)]);
        let lines = "'=1+1\r\n\"'=HYPERLINK(\"\"x\"\")\"\r\n+1\r\n-2.5\r\n'-x\r\n'@sum\r\nanna=1\r\n-3\r\n";
        assert_eq!(csv(&table), lines);
    }
}
