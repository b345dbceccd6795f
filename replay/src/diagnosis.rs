//! The results of a diagnosis and of a salvage of a log, as documents.

use std::path::Path;

use annals_events::narrative::utc;
use annals_report::{Cell, Document, Table, counted, grouped};
use annals_store::{Diagnosis, Finding, Report, Salvaged};
use serde::Serialize;

use crate::verification::span;

/// At most this many findings are listed.
const DAMAGE_SHOWN: usize = 8;

/// A diagnosis with the verification of all events; none for a log that cannot be opened.
#[derive(Debug, Serialize)]
pub struct Checkup<'a> {
    #[serde(flatten)]
    pub diagnosis: &'a Diagnosis,
    pub verification: Option<&'a Report>,
}

impl Checkup<'_> {
    /// Whether nothing needs to be done.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.diagnosis.is_well() && self.verification.is_none_or(Report::is_whole)
    }

    /// As rows of a name and a value, for programs: the state, and each finding with its severity.
    #[must_use]
    pub fn table(&self, next: Option<&str>) -> Table {
        let Checkup { diagnosis, verification } = self;
        let number = |number: Option<u64>| number.map_or(Cell::Empty, Cell::count);
        let mut rows = vec![
            ("file", Cell::text(diagnosis.path.display())),
            ("log", Cell::some(diagnosis.log)),
            ("clock", Cell::some(diagnosis.clock)),
            ("events", number(diagnosis.last)),
            ("acknowledged", number(diagnosis.acknowledged)),
            ("last recorded", Cell::time(diagnosis.last_recorded_at)),
            ("bytes", number(diagnosis.bytes)),
            ("bytes of the write-ahead log", number(diagnosis.wal_bytes)),
            ("free bytes", number(diagnosis.free_bytes)),
            ("microseconds of a sync", number(diagnosis.sync_micros)),
            (
                "verified events",
                number(verification.filter(|report| report.is_whole()).map(|report| report.last)),
            ),
            ("well", Cell::text(if self.is_well() { "yes" } else { "no" })),
        ];
        rows.extend(diagnosis.advice.iter().map(|advice| (advice.severity.word(), Cell::text(&advice.text))));
        let damage = verification.iter().flat_map(|report| report.damage());
        rows.extend(damage.map(|finding| ("damage", Cell::text(finding))));
        rows.extend(next.filter(|_| !self.is_well()).map(|next| ("next", Cell::text(next))));
        let mut table = Table::new("", &["what", "value"]);
        table.rows.extend(rows.into_iter().map(|(what, value)| vec![Cell::text(what), value]));
        table
    }

    /// As a document; `next` is the command to run next on a damaged log.
    #[must_use]
    pub fn document(&self, next: Option<&str>) -> Document {
        let Checkup { diagnosis, verification } = self;
        let bytes = |bytes| format!("{} bytes", grouped(bytes));
        let rows = [
            ("log", diagnosis.log.map(|id| id.to_string())),
            ("clock", diagnosis.clock.map(str::to_owned)),
            ("events", diagnosis.last.map(grouped)),
            ("acknowledged", diagnosis.acknowledged.map(grouped)),
            ("last recorded", diagnosis.last_recorded_at.map(utc)),
            ("database", diagnosis.bytes.map(bytes)),
            ("ahead of it", diagnosis.wal_bytes.map(|ahead| bytes(ahead) + " in the write-ahead log")),
            ("room", diagnosis.free_bytes.map(|bytes| format!("{} MiB", grouped(bytes >> 20)))),
            ("one sync", diagnosis.sync_micros.map(|micros| format!("{} µs", grouped(micros)))),
        ];
        let facts = rows.map(|(what, value)| (what, Cell::some(value))).to_vec();
        let advice = diagnosis.advice.iter();
        let mut lines: Vec<String> =
            advice.map(|advice| format!("{:<8}{}", advice.severity.word(), advice.text)).collect();
        let damage: Vec<&Finding> = verification.map_or_else(Vec::new, |report| report.damage().collect());
        // What the diagnosis found too is listed once, with its advice.
        let is_advised = |finding: &Finding| {
            let text = finding.to_string();
            diagnosis.advice.iter().any(|advice| advice.text.contains(&text))
        };
        let damage: Vec<&Finding> = damage.into_iter().filter(|finding| !is_advised(finding)).collect();
        lines.extend(damage.iter().take(DAMAGE_SHOWN).map(|finding| format!("damage  {finding}")));
        if damage.len() > DAMAGE_SHOWN {
            let more = damage.len() - DAMAGE_SHOWN;
            lines.push(format!("damage  and {more} more; `annals log verify` lists all"));
        }
        let has_files = diagnosis.bytes.is_some() || diagnosis.wal_bytes.is_some();
        if let Some(report) = verification.filter(|report| report.is_whole()) {
            lines.push(format!("{} verified", counted(report.last, "event")));
        }
        match next {
            _ if self.is_well() => lines.push("nothing needs to be done".to_owned()),
            _ if verification.is_none() && !has_files => {}
            next => lines.extend(next.map(|next| format!("next: {next}"))),
        }
        Document::new(diagnosis.path.display().to_string()).facts(facts).lines("", lines)
    }
}

/// What was saved, what could not be, and the command that makes a log of it.
#[must_use]
pub fn salvage_document(saved: &Salvaged, file: &Path, import: &str) -> Document {
    let mut lines = vec![format!("{} written to {}", counted(saved.written, "intact event"), file.display())];
    if let Some(acknowledged) = saved.acknowledged {
        lines.push(format!("{} had been acknowledged", counted(acknowledged, "event")));
    }
    lines.extend(saved.missing.iter().map(|missing| match missing.start() == missing.end() {
        true => format!("missing: event {}", span(missing)),
        false => format!("missing: events {}", span(missing)),
    }));
    if !saved.unproven.is_empty() {
        let unproven = counted(saved.unproven.len() as u64, "event");
        lines.push(format!("{unproven} behind a missing one could not be proven and are not written"));
    }
    if !saved.mended.is_empty() {
        let seqs: Vec<String> = saved.mended.iter().map(u64::to_string).collect();
        lines.push(format!("a flipped bit was put right, by the hash, in {}", seqs.join(", ")));
    }
    if saved.mended_bits > 0 {
        let bits = counted(u64::from(saved.mended_bits), "flipped bit");
        lines.push(format!("{bits} of the write-ahead log put right"));
    }
    lines.push(match saved.is_complete() {
        true => "everything that had been acknowledged was saved".to_owned(),
        false => "not everything was saved: a backup may have the rest".to_owned(),
    });
    lines.push(
        "no command repairs the damaged events in place; the newest backup has the identity of the log"
            .to_owned(),
    );
    lines.push(
        "a log made of the saved events has another identity, and no earlier receipt is of it".to_owned(),
    );
    lines.push(format!("next: restore a backup, or {import}"));
    Document::default().lines("", lines)
}
