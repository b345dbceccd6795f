//! What an ingest did, for people and as JSON: every row that was read is in exactly one of its counts.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::manifest::{Counts, Manifest, RejectedSource, SourceEntry};

/// What an ingest did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Sources that were read and stored.
    pub sources: Vec<SourceEntry>,
    /// Sources that hold no archive text.
    pub rejected_sources: Vec<RejectedSource>,
    /// Files that were stored already, unchanged, and were not read again.
    pub unchanged: Vec<String>,
    /// Sources whose text was stored already under another name.
    pub known: Vec<String>,
    /// Sources among `sources` that were finished by an earlier ingest that was interrupted.
    pub resumed: u64,
    /// What became of the rows of `sources`.
    pub counts: Counts,
    /// Rows that `sources` gave to the table `turns`.
    pub turns: u64,
    /// How many of the games nobody played: they say of themselves that they were generated.
    pub generated: u64,
    /// How many of the games have each flag.
    pub flags: BTreeMap<String, u64>,
    /// How many rows were rejected for each reason.
    pub reasons: BTreeMap<String, u64>,
    /// Values that no part of the program knows, by column, with the number of rows (or lines of the server's log) that have each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<String, BTreeMap<String, u64>>,
    /// Bytes of text in `sources`.
    pub bytes: u64,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// What the dataset holds now.
    pub dataset: DatasetSummary,
}

/// What a dataset holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DatasetSummary {
    pub sources: u64,
    /// What became of their rows.
    pub counts: Counts,
    /// Rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// Bytes of each table's files.
    pub bytes: BTreeMap<String, u64>,
}

impl Summary {
    /// Adds a source that was stored.
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

    /// Rows of games that are stored already, by the same record or from elsewhere, and are no finding.
    fn stored_already(&self) -> u64 {
        ["duplicate", "stored_from_file"].into_iter().filter_map(|word| self.reasons.get(word)).sum()
    }

    /// Whether no game was found: not one that was stored now, nor one that is stored already.
    #[must_use]
    pub fn has_no_game(&self) -> bool {
        let differs = self.reasons.get("duplicate_differs").copied().unwrap_or(0);
        let again = self.stored_already() + differs + self.counts.also_in_log;
        let stored_before = !self.unchanged.is_empty() || !self.known.is_empty();
        self.counts.accepted + self.counts.flagged + again == 0 && !stored_before
    }

    /// Whether something was found that a strict user would call wrong: a row that was rejected for another reason than
    /// being stored already, a flag, or a source that is no archive text.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.counts.flagged == 0
            && self.counts.rejected == self.stored_already()
            && self.sources.iter().all(SourceEntry::has_only_known_columns)
            && self.rejected_sources.is_empty()
    }
}

impl DatasetSummary {
    /// What a manifest lists.
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
