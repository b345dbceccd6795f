//! A table's description: origin, selection, exclusions, columns. It accompanies every written table.

use std::collections::BTreeMap;

use annals_report::{Document, counted, grouped};
use serde::Serialize;

use crate::columns::{Column, Kind, all};
use crate::filter::{Filter, LeftOut};

/// The method of dividing games into folds.
const SPLIT: &str =
    "fold = first 8 bytes, big-endian, of SHA-256('annals/game/' + game number in decimal) modulo folds";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The program.
    pub made_by: String,
    /// In one line.
    pub description: String,
    pub filter: String,
    pub split: &'static str,
    pub folds: u32,
    /// Read.
    pub rows: u64,
    /// With positions.
    pub games: u64,
    /// Rows of the table.
    pub positions: u64,
    /// Excluded rows by first reason.
    pub left_out: BTreeMap<&'static str, u64>,
    /// By number.
    pub sources: Vec<SourceRead>,
    /// Inputs without games.
    pub not_read: Vec<SourceNotRead>,
    /// In order.
    pub columns: Vec<ColumnDescribed>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceRead {
    /// In the array column `source`.
    pub number: u32,
    pub name: String,
    /// BLAKE3 of its text; for a named Parquet file, of the file.
    pub digest: String,
    /// Of text, or of the file.
    pub bytes: u64,
    /// Why it is truncated, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceNotRead {
    pub name: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnDescribed {
    pub name: &'static str,
    pub group: &'static str,
    /// In NumPy.
    #[serde(rename = "type")]
    pub number_type: &'static str,
    /// May be empty.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    pub about: &'static str,
    /// By number in arrays, from 0.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub words: &'static [&'static str],
    /// Of each plane.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub planes: &'static [&'static str],
}

impl ColumnDescribed {
    #[must_use]
    pub const fn of(column: &Column) -> ColumnDescribed {
        let (words, planes): (&[&str], &[&str]) = match column.kind {
            Kind::Word(words) => (words, &[]),
            Kind::Planes(planes) => (&[], planes),
            _ => (&[], &[]),
        };
        ColumnDescribed {
            name: column.name,
            group: column.group.word(),
            number_type: column.kind.number_type(),
            unit: column.unit,
            about: column.about,
            words,
            planes,
        }
    }
}

/// All columns, a line each.
#[must_use]
pub fn list_of_columns() -> Document {
    let line = |column: &Column| {
        let shape = match column.kind {
            Kind::Planes(planes) => format!("{}x{}x8x8", column.kind.number_type(), planes.len()),
            kind => kind.number_type().to_owned(),
        };
        let unit = if column.unit.is_empty() { String::new() } else { format!(" ({})", column.unit) };
        let (group, name) = (column.group.word(), column.name);
        format!("{group:<8} {name:<18} {shape:<12} {}{unit}", column.about)
    };
    Document::default().drawing(all().map(line).collect::<Vec<_>>().join("\n"))
}

impl Report {
    pub(crate) fn new(filter: &Filter, folds: u32, columns: &[&'static Column]) -> Report {
        Report {
            made_by: concat!("annals ", env!("CARGO_PKG_VERSION")).to_owned(),
            description: String::new(),
            filter: filter.to_string(),
            split: SPLIT,
            folds,
            rows: 0,
            games: 0,
            positions: 0,
            left_out: BTreeMap::new(),
            sources: Vec::new(),
            not_read: Vec::new(),
            columns: columns.iter().map(|column| ColumnDescribed::of(column)).collect(),
        }
    }

    /// The summary of a table that was written under a name.
    #[must_use]
    pub fn document(&self, name: &str) -> Document {
        let mut lines = vec![
            format!(
                "{name}: {} of {}, {}",
                counted(self.positions, "position"),
                counted(self.games, "game"),
                counted(self.columns.len() as u64, "column")
            ),
            format!("selected: {}", self.filter),
        ];
        if !self.left_out.is_empty() {
            let reasons = self.left_out.iter().map(|(why, rows)| format!("{why} {}", grouped(*rows)));
            let reasons = reasons.collect::<Vec<_>>().join(", ");
            lines.push(format!("left out of {}: {reasons}", counted(self.rows, "row")));
        }
        Document::default().lines("", lines)
    }

    /// The sources that were not read, or not to their end.
    pub fn unread(&self) -> impl Iterator<Item = String> {
        let not_read =
            self.not_read.iter().map(|source| format!("{}: not read: {}", source.name, source.reason));
        let in_part = self.sources.iter().filter_map(|source| {
            let why = source.incomplete.as_ref()?;
            Some(format!("{}: read in part only: {why}", source.name))
        });
        not_read.chain(in_part)
    }

    pub(crate) fn leave_out(&mut self, why: LeftOut, rows: u64) {
        if rows > 0 {
            *self.left_out.entry(why.word()).or_default() += rows;
        }
    }

    pub(crate) fn source(&mut self, rows: u64, source: SourceRead) {
        self.rows += rows;
        self.sources.push(source);
    }

    pub(crate) fn close(&mut self) {
        let names: Vec<&str> = self.sources.iter().take(3).map(|source| source.name.as_str()).collect();
        let more = self.sources.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        self.description = format!(
            "{} positions of {} games from {}{more}; {}",
            self.positions,
            self.games,
            names.join(", "),
            self.filter
        );
    }

    /// Why the table is empty.
    pub(crate) fn why_empty(&self) -> String {
        let left_out = self.left_out.iter().map(|(reason, rows)| format!("{rows} left out for `{reason}`"));
        let not_read = self.not_read.iter().map(|source| format!("{}: {}", source.name, source.reason));
        let all: Vec<String> = left_out.chain(not_read).collect();
        if all.is_empty() { "there are none".to_owned() } else { all.join(", ") }
    }
}
