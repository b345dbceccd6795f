//! Unknown letters, log lines and columns of a source. They are stored if a column allows, and counted, so that a
//! format change appears in the first summary.

use std::collections::BTreeMap;

use crate::flags::{Flag, Flags};
use crate::row::{Column, Row};
use crate::server_log::{LogKind, LogLine};

/// Most values listed per column.
const LISTED: usize = 20;

/// Most characters shown per value.
const SHOWN: usize = 40;

/// The entry of unlisted values.
const OTHERS: &str = "(others)";

/// Rows, or log lines, by column and unknown value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unknown(BTreeMap<&'static str, BTreeMap<String, u64>>);

impl Unknown {
    /// Counts the unknown values of a row with these flags.
    pub fn note(&mut self, row: &Row<'_>, log: &[LogLine<'_>], flags: Flags) {
        if flags.contains(Flag::UnknownTermination) {
            self.count(Column::Termination.name(), row.bytes(Column::Termination), 1);
        }
        if flags.contains(Flag::UnknownResult) {
            self.count(Column::Result.name(), row.bytes(Column::Result), 1);
        }
        if flags.contains(Flag::BadLetter) {
            for column in row.bad_letters() {
                self.count(column.name(), row.bytes(column), 1);
            }
        }
        if flags.contains(Flag::BadLogLine) {
            for line in log.iter().filter(|line| line.kind == LogKind::Other) {
                self.count(Column::Events.name(), line.said(), 1);
            }
        }
    }

    pub fn add(&mut self, other: &Unknown) {
        for (column, values) in &other.0 {
            for (value, count) in values {
                self.enter(column, value.clone(), *count);
            }
        }
    }

    pub fn counts(self) -> BTreeMap<String, BTreeMap<String, u64>> {
        self.0.into_iter().map(|(column, values)| (column.to_owned(), values)).collect()
    }

    fn count(&mut self, column: &'static str, value: &[u8], rows: u64) {
        let text = String::from_utf8_lossy(&value[..value.len().min(4 * SHOWN)]);
        let shown: String =
            text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        self.enter(column, shown, rows);
    }

    fn enter(&mut self, column: &'static str, value: String, rows: u64) {
        let values = self.0.entry(column).or_default();
        let listed = values.contains_key(&value) || values.len() < LISTED;
        *values.entry(if listed { value } else { OTHERS.to_owned() }).or_default() += rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_values_are_listed_and_every_row_is_counted() {
        let mut unknown = Unknown::default();
        for i in 0..100u32 {
            unknown.count("termination", format!("letter {i}").as_bytes(), 2);
        }
        unknown.count("termination", b"letter 3", 1);
        let counts = unknown.counts();
        let values = &counts["termination"];
        assert_eq!((values.len(), values[OTHERS], values["letter 3"]), (LISTED + 1, 160, 3));
        assert_eq!(values.values().sum::<u64>(), 201);
    }

    #[test]
    fn a_value_is_shown_without_what_plays_tricks_on_a_terminal_and_not_longer_than_a_line() {
        let mut unknown = Unknown::default();
        unknown.count("events", "\u{1b}[2J and ä".repeat(90).as_bytes(), 1);
        let counts = unknown.counts();
        let shown = counts["events"].keys().next().unwrap();
        assert!(shown.starts_with("\u{fffd}[2J and ä") && shown.chars().count() == SHOWN, "{shown}");
    }
}
