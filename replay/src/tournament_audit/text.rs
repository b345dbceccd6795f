//! An audit in words, for a terminal.

use std::fmt::Write as _;

use annals_events::PlayerId;
use annals_tournaments::verdict::{Holds, Verdict};
use jiff::tz::TimeZone;

use super::{AuditedEvent, ReadingsCompared, TournamentAudit};
use crate::point::show;

/// `1 departure`, `2 departures`.
fn number(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

impl TournamentAudit {
    /// As text, times in a zone: what departs, what is open or one of several, what came late; with `all` also what
    /// follows.
    #[must_use]
    pub fn render(&self, zone: &TimeZone, all: bool) -> String {
        let mut out = String::new();
        // Writing into a string cannot fail.
        let _ = writeln!(out, "{} ({})", self.name, self.stream);
        let _ = writeln!(
            out,
            "held against {}, edition {} ({}), events up to {}\n",
            self.rulebook, self.edition, self.title, self.up_to
        );
        for event in &self.events {
            self.render_event(&mut out, event, zone, all);
        }
        for overturned in &self.overturned {
            let Verdict { seq, subject, rule, holds, .. } = &overturned.verdict;
            let before = overturned.before.as_ref().map_or("not asked".to_owned(), Holds::word);
            let _ = writeln!(
                out,
                "event {} changes a verdict on event {seq}: {subject} [{}, {}]",
                overturned.correction,
                rule.id.name(),
                rule.paragraph
            );
            let _ = writeln!(out, "  without the correction: {before}");
            let _ = writeln!(out, "  with the correction: {}", in_words(std::slice::from_ref(holds)));
        }
        for finding in &self.findings {
            let _ = writeln!(out, "event {}: {} [{}]", finding.seq, finding.message, finding.code);
        }
        for found in &self.games {
            let finding = &found.finding;
            let _ = writeln!(
                out,
                "event {}, {}: {} [{}]",
                finding.seq, found.stream, finding.message, finding.code
            );
        }
        if !self.late.is_empty() {
            let _ = writeln!(out, "\nRecorded more than a day after it happened:");
            for late in &self.late {
                let _ = writeln!(
                    out,
                    "  event {} happened {}, recorded {}",
                    late.seq,
                    show(late.at, zone),
                    show(late.recorded_at, zone)
                );
            }
        }
        if let Some(undecided) = &self.undecided {
            let _ = writeln!(out, "\nOpen: {undecided}");
        }
        self.render_counts(&mut out);
        out
    }

    fn render_event(&self, out: &mut String, event: &AuditedEvent, zone: &TimeZone, all: bool) {
        let told = |verdict: &&Verdict| all || !matches!(verdict.holds, Holds::Follows);
        let verdicts: Vec<&Verdict> = event.verdicts.iter().filter(told).collect();
        if verdicts.is_empty() && event.findings.is_empty() && !all {
            return;
        }
        let corrected =
            event.corrected_by.map_or(String::new(), |by| format!(", as corrected by event {by}"));
        let imported = if event.imported { ", imported" } else { "" };
        let _ = writeln!(
            out,
            "event {}, {}, {}{corrected}{imported}",
            event.seq,
            event.event_type,
            show(event.at, zone)
        );
        for verdict in verdicts {
            let rule = &verdict.rule;
            let _ = writeln!(
                out,
                "  {}: {} [{}, {}]",
                verdict.holds.word(),
                verdict.subject,
                rule.id.name(),
                rule.paragraph
            );
            match &verdict.holds {
                Holds::Departs { expected, found } => {
                    let _ = writeln!(out, "    rule: {}", rule.says);
                    let _ = writeln!(out, "    expected: {expected}");
                    let _ = writeln!(out, "    found: {found}");
                }
                Holds::Open { why } => {
                    let _ = writeln!(out, "    {why}");
                }
                _ => {}
            }
        }
        for finding in &event.findings {
            let _ = writeln!(out, "  does not follow: {} [{}]", finding.message, finding.code);
        }
    }

    fn render_counts(&self, out: &mut String) {
        let counts = &self.counts;
        let _ = writeln!(
            out,
            "\n{}: {} {}, {} one of several equals, {} open, {}.",
            number(counts.events, "event", "events"),
            counts.follows,
            if counts.follows == 1 { "verdict follows" } else { "verdicts follow" },
            counts.one_of,
            counts.open,
            number(counts.departs, "departs", "depart"),
        );
        if counts.overturned > 0 {
            let changed = number(counts.overturned, "verdict", "verdicts");
            let _ = writeln!(out, "{changed} changed by later corrections.");
        }
        let _ = writeln!(
            out,
            "{} without ground in the events before. {} looked at, {} in them. {} late.",
            number(counts.findings, "event", "events"),
            number(counts.games, "game", "games"),
            number(counts.game_findings, "finding", "findings"),
            number(counts.late, "event", "events"),
        );
        let _ = writeln!(
            out,
            "{}",
            if self.is_clean() {
                "The record follows its rulebook."
            } else {
                "The record departs from its rulebook."
            }
        );
    }
}

impl ReadingsCompared {
    /// As text.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = String::new();
        for (number, was, is) in &self.readings {
            let _ = writeln!(out, "{number} read as {is} instead of {was}");
        }
        if self.readings.is_empty() {
            let _ = writeln!(out, "these are the readings that were announced");
        }
        out.push('\n');
        for changed in &self.verdicts {
            let _ = writeln!(
                out,
                "event {}: {} [{}, {}]",
                changed.seq, changed.subject, changed.rule, changed.paragraph
            );
            let _ = writeln!(out, "  announced: {}", in_words(&changed.before));
            let _ = writeln!(out, "  otherwise: {}", in_words(&changed.after));
        }
        for changed in &self.standings {
            let rank = |rank: Option<u32>| rank.map_or("no rank".to_owned(), |rank| format!("rank {rank}"));
            let _ =
                writeln!(out, "{}: {}, was {}", changed.player, rank(changed.after), rank(changed.before));
        }
        for changed in &self.places {
            let _ = writeln!(
                out,
                "place {}: {}, was {}",
                changed.place,
                names(&changed.after),
                names(&changed.before)
            );
        }
        if let Some(undecided) = &self.undecided {
            let _ = writeln!(out, "open: {undecided}");
        }
        if !self.changes() {
            let _ = writeln!(out, "Nothing changes: every verdict, rank and place stays.");
        }
        let _ = writeln!(
            out,
            "\n{} as announced, {} otherwise.",
            number(self.counts_before.departs, "departure", "departures"),
            number(self.counts_after.departs, "departure", "departures")
        );
        out
    }
}

fn in_words(holds: &[Holds]) -> String {
    let one = |holds: &Holds| match holds {
        Holds::Departs { expected, found } => format!("departs: expected {expected}; found {found}"),
        Holds::Open { why } => format!("open: {why}"),
        other => other.word(),
    };
    match holds {
        [] => "not asked".to_owned(),
        several => several.iter().map(one).collect::<Vec<_>>().join("; "),
    }
}

fn names(players: &[PlayerId]) -> String {
    match players {
        [] => "nobody".to_owned(),
        players => players.iter().map(PlayerId::as_str).collect::<Vec<_>>().join(", "),
    }
}
