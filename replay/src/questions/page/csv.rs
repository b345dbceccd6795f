//! A table as CSV (RFC 4180): lines end in CR LF, a cell that needs it stands in quotes, quotes in it are doubled.

use super::Table;

/// The table as CSV, the heads first. Times are in UTC (RFC 3339), points are decimals, money has two decimals.
#[must_use]
pub fn csv(table: &Table) -> String {
    let mut out = String::new();
    line(&mut out, table.head.iter().map(String::as_str));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(super::Cell::plain).collect();
        line(&mut out, cells.iter().map(String::as_str));
    }
    out
}

fn line<'c>(out: &mut String, cells: impl Iterator<Item = &'c str>) {
    for (place, cell) in cells.enumerate() {
        if place > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) || cell.starts_with(' ') || cell.ends_with(' ') {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(cell);
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
}
