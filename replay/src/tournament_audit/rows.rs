//! An audit as rows for programs: one for each verdict and finding.

use annals_events::Micros;
use annals_report::{Cell, Table};
use annals_tournaments::verdict::{Compliance, Verdict};

use super::compare::ReadingsCompared;
use super::result::TournamentAudit;
use super::text::in_words;
use crate::finding::Finding;

/// A verdict, a finding, or something that is late.
#[derive(Default)]
struct Row<'a> {
    seq: Option<u64>,
    at: Option<Micros>,
    event: &'a str,
    verdict: String,
    rule: &'a str,
    paragraph: &'a str,
    subject: String,
    expected: Option<String>,
    found: Option<String>,
    why: Option<String>,
}

impl<'a> Row<'a> {
    fn of(verdict: &'a Verdict) -> Row<'a> {
        let row = Row {
            seq: Some(verdict.seq),
            verdict: verdict.holds.word(),
            rule: verdict.rule.id.name(),
            paragraph: verdict.rule.paragraph,
            subject: verdict.subject.to_string(),
            ..Row::default()
        };
        match &verdict.holds {
            Compliance::Violation { expected, found } => {
                Row { expected: Some(expected.clone()), found: Some(found.clone()), ..row }
            }
            Compliance::Undetermined { why } => Row { why: Some(why.clone()), ..row },
            Compliance::Compliant | Compliance::OneOf(_) => row,
        }
    }

    fn finding(finding: &'a Finding, subject: String) -> Row<'a> {
        Row {
            seq: Some(finding.seq),
            verdict: "finding".to_owned(),
            rule: finding.code,
            subject,
            why: Some(finding.message.clone()),
            ..Row::default()
        }
    }
}

impl TournamentAudit {
    /// With `all` also compliant verdicts.
    pub(super) fn table(&self, all: bool) -> Table {
        let mut rows = Vec::new();
        for event in &self.events {
            let of_event = |row| Row { at: Some(event.at), event: &event.event_type, ..row };
            let shown = event
                .verdicts
                .iter()
                .filter(|verdict| all || !matches!(verdict.holds, Compliance::Compliant));
            rows.extend(shown.map(Row::of).map(of_event));
            let findings = event.findings.iter();
            rows.extend(findings.map(|finding| Row::finding(finding, String::new())).map(of_event));
        }
        rows.extend(self.overturned.iter().map(|overturned| Row {
            verdict: format!("changed by event {}", overturned.correction),
            expected: Some(overturned.before.as_ref().map_or("not checked".to_owned(), Compliance::word)),
            found: Some(in_words(std::slice::from_ref(&overturned.verdict.holds))),
            ..Row::of(&overturned.verdict)
        }));
        rows.extend(self.findings.iter().map(|finding| Row::finding(finding, String::new())));
        rows.extend(self.games.iter().map(|game| Row::finding(&game.finding, game.stream.to_string())));
        rows.extend(self.overdue.iter().map(|overdue| Row {
            at: Some(overdue.due),
            verdict: "overdue".to_owned(),
            rule: overdue.rule.id.name(),
            paragraph: overdue.rule.paragraph,
            subject: overdue.what.clone(),
            ..Row::default()
        }));
        rows.extend(self.late.iter().map(|late| Row {
            seq: Some(late.seq),
            at: Some(late.at),
            verdict: "late".to_owned(),
            ..Row::default()
        }));
        rows.extend(self.undecided.iter().map(|why| Row {
            verdict: "undetermined".to_owned(),
            subject: "standings".to_owned(),
            why: Some(why.clone()),
            ..Row::default()
        }));
        Table::of("", rows)
            .column("seq", |row| row.seq.map_or(Cell::Empty, Cell::count))
            .column("at", |row| Cell::time(row.at))
            .column("event", |row| Cell::text(row.event))
            .column("verdict", |row| Cell::text(&row.verdict))
            .column("rule", |row| Cell::text(row.rule))
            .column("paragraph", |row| Cell::text(row.paragraph))
            .column("subject", |row| Cell::text(&row.subject))
            .column("expected", |row| Cell::some(row.expected.as_ref()))
            .column("found", |row| Cell::some(row.found.as_ref()))
            .column("why", |row| Cell::some(row.why.as_ref()))
            .table()
    }
}

impl ReadingsCompared {
    /// Verdicts that change.
    pub(super) fn table(&self) -> Table {
        Table::of("", &self.verdicts)
            .column("seq", |changed| Cell::count(changed.seq))
            .column("rule", |changed| Cell::text(&changed.rule))
            .column("paragraph", |changed| Cell::text(&changed.paragraph))
            .column("subject", |changed| Cell::text(&changed.subject))
            .column("announced", |changed| Cell::text(in_words(&changed.before)))
            .column("otherwise", |changed| Cell::text(in_words(&changed.after)))
            .table()
    }
}
