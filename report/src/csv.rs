//! A table as CSV (RFC 4180): lines end in CR LF, a cell that needs it stands in quotes, quotes in it are doubled. Words
//! that a spreadsheet would take for a formula begin with an apostrophe, by which it takes them for words; figures do not,
//! nor do words that are a plain number.

use ::csv::{Terminator, WriterBuilder};

use crate::{Cell, Table};

/// The table as CSV, the heads first. Times are in UTC (RFC 3339), points are decimals, money has two decimals.
#[must_use]
pub fn csv(table: &Table) -> String {
    let mut out = WriterBuilder::new().flexible(true).terminator(Terminator::CRLF).from_writer(Vec::new());
    // Writing into memory cannot fail.
    let _ = out.write_record(table.head.iter().map(|word| no_formula(word.clone())));
    for row in &table.rows {
        let _ = out.write_record(row.iter().map(|cell| match cell {
            Cell::Text(_) => no_formula(cell.plain()),
            _ => cell.plain(),
        }));
    }
    String::from_utf8(out.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Words that no spreadsheet runs: an apostrophe marks what it would take for a formula as words.
fn no_formula(words: String) -> String {
    let begins = words.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if begins && words.parse::<f64>().is_err() { format!("'{words}") } else { words }
}

#[cfg(test)]
mod tests {
    use super::csv;
    use crate::{Cell, Table};

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
