//! An audit as text.

use annals_events::PlayerId;
use annals_report::{Cell, Document};
use annals_tournaments::imitation::{Compared, FirstPlayed, Repeated};
use annals_tournaments::verdict::{Compliance, Verdict};
use jiff::tz::TimeZone;

use super::compare::ReadingsCompared;
use super::imitation::Imitation;
use super::result::{AuditedEvent, Overturned, TournamentAudit};
use crate::finding::Finding;
use crate::point::show;

fn number(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn about(verdict: &Verdict) -> String {
    format!("{} [{}, {}]", verdict.subject, verdict.rule.id.name(), verdict.rule.paragraph)
}

fn found(finding: &Finding) -> String {
    format!("{} [{}]", finding.message, finding.code)
}

/// That a player who withdrew takes no place.
pub(crate) fn without_place(player: &PlayerId) -> String {
    format!("{player} withdrew and takes no place, whatever the games won: the reading T48=A")
}

impl TournamentAudit {
    /// Violations, undetermined and equivalent verdicts, late entries; with `all` also compliant ones.
    pub fn document(&self, zone: &TimeZone, all: bool) -> Document {
        let TournamentAudit { rulebook, edition, title, up_to, .. } = self;
        let against = format!("{rulebook}, edition {edition} ({title}), events up to {up_to}");
        let document = Document::new(format!("{} ({})", self.name, self.stream));
        in_blocks(document.facts(vec![("checked against", Cell::Text(against))]), self.lines(zone, all))
    }

    fn lines(&self, zone: &TimeZone, all: bool) -> Vec<String> {
        let edition = self.edition;
        let mut lines = Vec::new();
        if !self.readings_by_default.is_empty() {
            let readings = self.readings_by_default.join(", ");
            lines.push(format!(
                "read by the default of edition {edition}, not by the announcement: {readings}"
            ));
        }
        lines.push(String::new());
        self.events.iter().for_each(|event| event_lines(&mut lines, event, zone, all));
        for Overturned { correction, before, verdict, revoked_by } in &self.overturned {
            let before = before.as_ref().map_or("not checked".to_owned(), Compliance::word);
            let after = in_words(std::slice::from_ref(&verdict.holds));
            lines.extend([
                format!("event {correction} changes a verdict on event {}: {}", verdict.seq, about(verdict)),
                format!("  without the correction: {before}"),
                format!("  with the correction: {after}"),
            ]);
            lines.extend(revoked_by.map(|by| {
                format!("  event {by} revoked that pairing: it counts as never made, and violates nothing")
            }));
        }
        lines.extend(self.findings.iter().map(|one| format!("event {}: {}", one.seq, found(one))));
        let in_game = |seq, stream, finding| format!("event {seq}, {stream}: {}", found(finding));
        lines.extend(self.games.iter().map(|one| in_game(one.finding.seq, &one.stream, &one.finding)));
        self.imitation_lines(&mut lines);
        if !self.overdue.is_empty() {
            lines.push("\nOverdue:".to_owned());
        }
        lines.extend(self.overdue.iter().map(|overdue| {
            let (rule, paragraph) = (overdue.rule.id.name(), overdue.rule.paragraph);
            format!("  {}, due {} [{rule}, {paragraph}]", overdue.what, show(overdue.due, zone))
        }));
        if !self.late.is_empty() {
            lines.push("\nRecorded more than a day after it happened:".to_owned());
        }
        lines.extend(self.late.iter().map(|late| {
            let (at, recorded_at) = (show(late.at, zone), show(late.recorded_at, zone));
            format!("  event {} happened {at}, recorded {recorded_at}", late.seq)
        }));
        lines.extend(self.undecided.iter().map(|undecided| format!("\nUndetermined: {undecided}")));
        lines.extend(self.left_out.iter().map(|player| format!("\n{}", without_place(player))));
        self.count_lines(&mut lines);
        lines
    }

    /// Sequences shared by a player's games, which are not violations.
    fn imitation_lines(&self, lines: &mut Vec<String>) {
        let Some(first) = self.imitations.first() else { return };
        let rule = first.rule;
        lines.push(format!(
            "\nSequences that two games of one player have in common, for the director to evaluate [{}, {}]:",
            rule.id.name(),
            rule.paragraph
        ));
        for Imitation { player, repeated, turns, .. } in &self.imitations {
            let Repeated { one, other, one_from, other_from, length, .. } = repeated;
            let whose = match repeated.compared {
                Compared::BothSides => "of both sides",
                Compared::OwnTurns => "of their own",
            };
            let first = match repeated.first {
                FirstPlayed::InOne => format!("first played in {}", one.pairing),
                FirstPlayed::InOther => format!("first played in {}", other.pairing),
                FirstPlayed::ByTurns => "some turns first in one game, some in the other".to_owned(),
                FirstPlayed::Unknown => "it is not known which game had them first".to_owned(),
            };
            let start =
                if repeated.from_the_start { "; from the first turn on, as openings are" } else { "" };
            lines.push(format!(
                "  {player}: {length} turns {whose}, {} ({}) from ply {one_from}, {} ({}) from ply {other_from}; {first}{start}",
                one.pairing, one.game, other.pairing, other.game
            ));
            lines.push(format!("    {}", turns.join(" | ")));
        }
    }

    fn count_lines(&self, lines: &mut Vec<String>) {
        let counts = &self.counts;
        lines.push(format!(
            "\n{}: {} compliant, {} compliant as one of several equivalent, {} undetermined, {}{}.",
            number(counts.events, "event", "events"),
            number(counts.compliant, "verdict", "verdicts"),
            counts.one_of,
            counts.undetermined,
            number(counts.violations, "violation", "violations"),
            if counts.overturned > 0 { " before later corrections" } else { "" },
        ));
        if counts.overturned > 0 {
            let changed = number(counts.overturned, "verdict", "verdicts");
            let violations = number(self.violations_by_corrections(), "violation", "violations");
            lines.push(format!("{changed} changed by later corrections: {violations} now."));
        }
        lines.push(format!(
            "{} without ground in the events before. {} looked at, {} in them. {} late.",
            number(counts.findings, "event", "events"),
            number(counts.games, "game", "games"),
            number(counts.game_findings, "finding", "findings"),
            number(counts.late, "event", "events"),
        ));
        let imported = self.events.iter().filter(|event| event.imported).count() as u64;
        if imported > 0 {
            let events = number(imported, "event was", "events were");
            lines.push(format!("{events} imported: whether they were recorded late is not known."));
        }
        if counts.overdue > 0 {
            lines.push(format!("{} overdue.", number(counts.overdue, "duty", "duties")));
        }
        let verb = if self.is_clean() { "complies with" } else { "violates" };
        lines.push(format!("The record {verb} its rulebook."));
    }
}

fn event_lines(lines: &mut Vec<String>, event: &AuditedEvent, zone: &TimeZone, all: bool) {
    let shown = |verdict: &&Verdict| all || !matches!(verdict.holds, Compliance::Compliant);
    let verdicts: Vec<&Verdict> = event.verdicts.iter().filter(shown).collect();
    if verdicts.is_empty() && event.findings.is_empty() && !all {
        return;
    }
    let corrected = event.corrected_by.map_or(String::new(), |by| format!(", as corrected by event {by}"));
    let imported = if event.imported { ", imported" } else { "" };
    let (seq, event_type, at) = (event.seq, &event.event_type, show(event.at, zone));
    lines.push(format!("event {seq}, {event_type}, {at}{corrected}{imported}"));
    for verdict in verdicts {
        lines.push(format!("  {}: {}", verdict.holds.word(), about(verdict)));
        match &verdict.holds {
            Compliance::Violation { expected, found } => lines.extend([
                format!("    rule: {}", verdict.rule.says),
                format!("    expected: {expected}"),
                format!("    found: {found}"),
            ]),
            Compliance::Undetermined { why } => lines.push(format!("    {why}")),
            _ => {}
        }
    }
    lines.extend(event.findings.iter().map(|finding| format!("  without ground: {}", found(finding))));
}

impl ReadingsCompared {
    pub fn document(&self) -> Document {
        let readings = self.readings.iter();
        let mut lines: Vec<String> =
            readings.map(|(number, was, is)| format!("{number} read as {is} instead of {was}")).collect();
        if self.readings.is_empty() {
            lines.push("these are the readings that were announced".to_owned());
        }
        lines.push(String::new());
        for changed in &self.verdicts {
            let (seq, subject, rule, paragraph) =
                (changed.seq, &changed.subject, &changed.rule, &changed.paragraph);
            lines.push(format!("event {seq}: {subject} [{rule}, {paragraph}]"));
            for (label, verdicts) in [("announced", &changed.before), ("otherwise", &changed.after)] {
                let each = verdicts.chunks(1).map(in_words);
                let none = verdicts.is_empty().then(|| in_words(&[]));
                lines.extend(each.chain(none).map(|words| format!("  {label}: {words}")));
            }
        }
        let rank = |rank: Option<u32>| rank.map_or("no rank".to_owned(), |rank| format!("rank {rank}"));
        lines.extend(self.standings.iter().map(|changed| {
            format!("{}: {}, was {}", changed.player, rank(changed.after), rank(changed.before))
        }));
        lines.extend(self.places.iter().map(|changed| {
            format!("place {}: {}, was {}", changed.place, names(&changed.after), names(&changed.before))
        }));
        lines.extend(self.undecided.iter().map(|undecided| format!("undetermined: {undecided}")));
        if !self.changes() {
            lines.push("Nothing changes: every verdict, rank and place stays.".to_owned());
        }
        let violations = |count: u64| number(count, "violation", "violations");
        let (before, after) = (self.counts_before.violations, self.counts_after.violations);
        let corrected = self.counts_before.overturned + self.counts_after.overturned > 0;
        let when = if corrected { " before later corrections" } else { "" };
        lines.push(format!("\n{} as announced, {} otherwise{when}.", violations(before), violations(after)));
        if corrected {
            let (before, after) = (self.by_corrections_before, self.by_corrections_after);
            lines.push(format!(
                "By later corrections: {} as announced, {} otherwise.",
                violations(before),
                violations(after)
            ));
        }
        in_blocks(Document::new(format!("{} under other readings", self.stream)), lines)
    }
}

/// Adds lines, in a part of its own after each empty one.
fn in_blocks(document: Document, lines: Vec<String>) -> Document {
    let text = lines.join("\n");
    let blocks = text.split("\n\n").map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>());
    blocks.fold(document, |document, block| {
        document.lines("", block.into_iter().filter(|line| !line.is_empty()).collect())
    })
}

pub(super) fn in_words(holds: &[Compliance]) -> String {
    let one = |holds: &Compliance| match holds {
        Compliance::Violation { expected, found } => format!("violation: expected {expected}; found {found}"),
        Compliance::Undetermined { why } => format!("undetermined: {why}"),
        other => other.word(),
    };
    match holds {
        [] => "not checked".to_owned(),
        several => several.iter().map(one).collect::<Vec<_>>().join("; "),
    }
}

fn names(players: &[PlayerId]) -> String {
    match players {
        [] => "no player".to_owned(),
        players => players.iter().map(PlayerId::as_str).collect::<Vec<_>>().join(", "),
    }
}
