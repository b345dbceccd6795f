//! How views are laid out as text: the line that says which point is shown, clocks, money, findings.

use std::fmt::Write as _;

use annals_events::Micros;
use jiff::tz::TimeZone;

use crate::cut::Cut;
use crate::finding::Finding;
use crate::point::show;
use crate::round_end::RoundEnd;

/// The first line of every view: what is shown, and at which point.
pub(crate) fn heading(what: &str, cut: &Cut, zone: &TimeZone) -> String {
    format!("{what}, {}", point(cut, zone))
}

/// The point that is shown.
pub(crate) fn point(cut: &Cut, zone: &TimeZone) -> String {
    let mut points = Vec::new();
    if let Some(at) = cut.as_of {
        points.push(format!("as of {}", show(at, zone)));
    }
    match cut.round_end {
        Some(RoundEnd { round: Some(round), last: Some(_) }) => points.push(format!("end of round {round}")),
        Some(RoundEnd { round: Some(round), last: None }) => points.push(format!("round {round} unfinished")),
        Some(RoundEnd { round: None, .. }) | None => {}
    }
    if let Some(at) = cut.known_at {
        points.push(format!("as known at {}", show(at, zone)));
    }
    if let Some(seq) = cut.seq {
        points.push(format!("after event {seq}"));
    }
    if points.is_empty() { "as known now".to_owned() } else { points.join(", ") }
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

/// A time, or the word for none.
pub(crate) fn time(at: Option<Micros>, zone: &TimeZone) -> String {
    at.map_or_else(|| "unknown".to_owned(), |at| show(at, zone))
}

pub(crate) fn findings(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
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
    fn clocks_read_as_people_write_them() {
        assert_eq!([0, 59, 148, 3723, -5].map(clock), ["0:00", "0:59", "2:28", "1:02:03", "-0:05"]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".into(), "b".into()], vec!["long".into(), "c".into()]];
        assert_eq!(columns(&rows), ["a     b", "long  c"]);
    }
}
