//! How views are laid out as text: the line that says which point is shown, clocks, money, findings.

use std::fmt::Write as _;

use annals_events::Micros;
use jiff::tz::TimeZone;

use crate::cut::Cut;
use crate::finding::Finding;
use crate::point::show;
use crate::round_end::RoundEnd;

/// The first lines of every view: what is shown, and at which point.
pub(crate) fn heading(what: &str, cut: &Cut, zone: &TimeZone) -> String {
    let mut points = Vec::new();
    if let Some(at) = cut.as_of {
        points.push(format!("as of {}", show(at, zone)));
    }
    match cut.round_end {
        Some(RoundEnd { round, last: Some(_) }) => points.push(format!("end of round {round}")),
        Some(RoundEnd { round, last: None }) => points.push(format!("round {round} unfinished")),
        None => {}
    }
    if let Some(at) = cut.known_at {
        points.push(format!("as known at {}", show(at, zone)));
    }
    if let Some(seq) = cut.seq {
        points.push(format!("after event {seq}"));
    }
    let points = if points.is_empty() { "as known now".to_owned() } else { points.join(", ") };
    format!("{what}, {points}\n")
}

/// One line `label   text`, the labels as wide as the longest of a view.
pub(crate) fn line(out: &mut String, label: &str, text: impl std::fmt::Display) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{label:<13}{text}");
}

/// Seconds as a clock shows them: `2:28`, `1:02:03`, `-0:05`.
pub(crate) fn clock(seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let seconds = seconds.unsigned_abs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{sign}{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{sign}{minutes}:{seconds:02}")
    }
}

/// Half points as points: `2½`.
pub(crate) fn points(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// Cents as an amount: `150.00 USD`.
pub(crate) fn money(cents: i64, currency: Option<&str>) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    let unit = currency.map_or(String::new(), |currency| format!(" {currency}"));
    format!("{sign}{}.{:02}{unit}", cents / 100, cents % 100)
}

/// A time, or what stands for none.
pub(crate) fn time(at: Option<Micros>, zone: &TimeZone) -> String {
    at.map_or_else(|| "unknown".to_owned(), |at| show(at, zone))
}

/// Lines under a title, indented; nothing when there are none.
pub(crate) fn list(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    for text in lines {
        let _ = writeln!(out, "  {}", text.trim_end());
    }
}

/// The findings of a view.
pub(crate) fn findings(out: &mut String, findings: &[Finding]) {
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| format!("event {}: {} ({})", finding.seq, finding.message, finding.code))
        .collect();
    list(out, "Findings", &lines);
}

/// Rows with their columns side by side.
pub(crate) fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..most).map(width).collect();
    rows.iter()
        .map(|row| {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            cells.join("  ").trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_points_and_money_read_as_people_write_them() {
        assert_eq!([0, 59, 148, 3723, -5].map(clock), ["0:00", "0:59", "2:28", "1:02:03", "-0:05"]);
        assert_eq!([0, 1, 2, 5].map(points), ["0", "½", "1", "2½"]);
        assert_eq!(money(-150, Some("USD")), "-1.50 USD");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".into(), "b".into()], vec!["long".into(), "c".into()]];
        assert_eq!(columns(&rows), ["a     b", "long  c"]);
    }
}
