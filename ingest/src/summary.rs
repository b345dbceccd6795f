//! The result of an ingest, as text and JSON: every row is in exactly one count.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annals_report::{counted, grouped, one_line};
use serde::Serialize;

use crate::manifest::{Counts, Manifest, RejectedSource, SourceEntry};

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Stored now.
    pub sources: Vec<SourceEntry>,
    /// Without archive text.
    pub rejected_sources: Vec<RejectedSource>,
    /// Stored before and not read again.
    pub unchanged: Vec<String>,
    /// Stored before under another name.
    pub known: Vec<String>,
    /// Those of `sources` completed by an interrupted ingest.
    pub resumed: u64,
    /// Of `sources`.
    pub counts: Counts,
    /// Of `sources` in the table `turns`.
    pub turns: u64,
    /// Games that state that they were generated.
    pub generated: u64,
    /// Games by flag.
    pub flags: BTreeMap<String, u64>,
    /// Rejected rows by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Unknown values by column, with the number of rows (or log lines).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<String, BTreeMap<String, u64>>,
    /// Of text in `sources`.
    pub bytes: u64,
    pub seconds: f64,
    pub dataset: DatasetSummary,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DatasetSummary {
    pub sources: u64,
    pub counts: Counts,
    /// By table.
    pub rows: BTreeMap<String, u64>,
    /// By table.
    pub bytes: BTreeMap<String, u64>,
}

impl Summary {
    pub(crate) fn add(&mut self, source: &SourceEntry) {
        self.counts += source.counts;
        self.turns += source.turns;
        self.generated += source.generated;
        self.bytes += source.bytes;
        for (sums, counts) in [(&mut self.flags, &source.flags), (&mut self.reasons, &source.reasons)] {
            for (word, count) in counts {
                *sums.entry(word.clone()).or_default() += count;
            }
        }
        for (column, values) in &source.unknown {
            let sums = self.unknown.entry(column.clone()).or_default();
            for (value, count) in values {
                *sums.entry(value.clone()).or_default() += count;
            }
        }
        self.sources.push(source.clone());
    }

    /// Rows of games stored already, which are not findings.
    fn stored_already(&self) -> u64 {
        ["duplicate", "stored_from_file"].into_iter().filter_map(|word| self.reasons.get(word)).sum()
    }

    /// No game was stored now or before.
    #[must_use]
    pub fn has_no_game(&self) -> bool {
        let differs = self.reasons.get("duplicate_differs").copied().unwrap_or(0);
        let again = self.stored_already() + differs + self.counts.also_in_log;
        let stored_before = !self.unchanged.is_empty() || !self.known.is_empty();
        self.counts.accepted + self.counts.flagged + again == 0 && !stored_before
    }

    /// No findings: rejected rows (except games stored already), flags, or sources without archive text.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.counts.flagged == 0
            && self.counts.rejected == self.stored_already()
            && self.sources.iter().all(SourceEntry::has_only_known_columns)
            && self.rejected_sources.is_empty()
    }
}

impl DatasetSummary {
    #[must_use]
    pub fn of(manifest: &Manifest) -> DatasetSummary {
        let mut bytes = BTreeMap::new();
        for file in &manifest.files {
            *bytes.entry(file.table.clone()).or_default() += file.bytes;
        }
        DatasetSummary {
            sources: manifest.sources.len() as u64,
            counts: manifest.counts,
            rows: manifest.rows.clone(),
            bytes,
        }
    }
}
impl Summary {
    /// Writes it as text. `imports` are files whose games the log contains too, with the event of the import.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut impl Write, imports: &[(String, u64)]) -> io::Result<()> {
        for name in &self.unchanged {
            writeln!(out, "{}: stored already, unchanged", one_line(name))?;
        }
        for name in &self.known {
            writeln!(out, "{}: the same text is stored already under another name", one_line(name))?;
        }
        for source in &self.sources {
            let c = source.counts;
            writeln!(out, "{}: {}; {}", one_line(&source.name), sum(c), counted(source.turns, "turn"),)?;
            if source.generated > 0 {
                writeln!(
                    out,
                    "  {} of them generated: nobody played them",
                    counted(source.generated, "game")
                )?;
            }
            for (what, columns) in [("not read", &source.other_columns), ("missing", &source.missing_columns)]
            {
                if !columns.is_empty() {
                    writeln!(out, "  columns that are {what}: {}", one_line(&columns.join(", ")))?;
                }
            }
            if let Some(why) = &source.incomplete {
                writeln!(out, "  incomplete: {}", one_line(why))?;
            }
        }
        for (name, seq) in imports {
            writeln!(out, "  the log imported {}: event {seq}", one_line(name))?;
        }
        for source in &self.rejected_sources {
            writeln!(
                out,
                "{}: not read: {} ({})",
                one_line(&source.name),
                source.reason,
                one_line(&source.detail)
            )?;
        }
        if !self.sources.is_empty() {
            writeln!(
                out,
                "in all: {}; {} in {:.2} s",
                sum(self.counts),
                counted(self.turns, "turn"),
                self.seconds,
            )?;
        }
        for (title, words) in [("flags", &self.flags), ("rejected", &self.reasons)] {
            if !words.is_empty() {
                let list: Vec<String> =
                    words.iter().map(|(word, n)| format!("{word} {}", grouped(*n))).collect();
                writeln!(out, "{title}: {}", list.join(", "))?;
            }
        }
        for (column, values) in &self.unknown {
            let list: Vec<String> =
                values.iter().map(|(value, n)| format!("`{}` {}", one_line(value), grouped(*n))).collect();
            writeln!(out, "unknown in {column}: {}", list.join(", "))?;
        }
        let stored = self.dataset.counts;
        writeln!(
            out,
            "the dataset holds {} of {}",
            counted(stored.accepted + stored.flagged, "game"),
            counted(self.dataset.sources, "source")
        )
    }
}

/// The counts as a sum.
fn sum(counts: Counts) -> String {
    let Counts { rows, accepted, flagged, rejected, also_in_log } = counts;
    let [accepted, flagged, rejected] = [accepted, flagged, rejected].map(grouped);
    let also = match also_in_log {
        0 => String::new(),
        rows => format!(" + {} also in the log", grouped(rows)),
    };
    format!("{} = {accepted} accepted + {flagged} flagged + {rejected} rejected{also}", counted(rows, "row"))
}
