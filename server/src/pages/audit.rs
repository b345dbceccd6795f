//! The audit of a tournament as tables: verdicts by rule with its paragraph, the verdicts that a filter leaves, and what another
//! reading changes.

use std::collections::BTreeMap;

use annals_replay::queries::TournamentAt;
use annals_replay::queries::explain::{Subject, WhyNot};
use annals_replay::tournament_audit::{AuditOutcome, AuditReport, TournamentAudit};
use annals_report::{Cell, Document, Table};
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::{below_title, moment};
use crate::app::Context;

/// Verdicts of a page.
const LISTED: usize = 300;

/// The filters of verdicts; without one those that are not simply compliant.
const KINDS: [&str; 5] = ["", "violation", "undetermined", "one of several", "compliant"];

/// What the audit of one rule found.
#[derive(Default)]
struct OfRule {
    paragraph: &'static str,
    says: &'static str,
    /// In the order of `KINDS`, without the first.
    counts: [u64; 4],
}

pub fn content(
    context: &Context<'_>,
    report: &AuditReport,
    at: &TournamentAt<'_>,
    zone: &TimeZone,
) -> Markup {
    let request = context.request;
    let all = request.get("all").is_some();
    let text = report.document(zone, all).text(zone, None);
    let address = request.address();
    let tables = match &report.outcome {
        AuditOutcome::Audit(audit) => html! {
            (below_title(context, &Document::new("").table(by_rule(audit)).or_line("no rule was checked"), zone))
            (filter(context, audit))
            (below_title(context, &verdicts(context, audit), zone))
        },
        _ => html! {},
    };
    let qualifier =
        Subject::of(&["qualifier"]).map(|subject| subject.explain(at, &WhyNot::default()).is_ok());
    html! {
        (tables)
        @if qualifier.unwrap_or(false) {
            p { a href=(request.at_same_time(&["tournament", at.stream.name(), "why", "qualifier"])) {
                "The qualifier recomputed game by game" } }
        }
        details open[tables.0.is_empty()] {
            summary { "The audit as text" }
            p { @if all { a href=(address.with("all", "")) { "only findings" } }
                @else { a href=(address.with("all", "1")) { "compliant events too" } } }
            pre { (text) }
        }
    }
}

fn by_rule(audit: &TournamentAudit) -> Table {
    let mut rules: BTreeMap<&str, OfRule> = BTreeMap::new();
    for verdict in audit.events.iter().flat_map(|event| &event.verdicts) {
        let rule = rules.entry(verdict.rule.id.name()).or_default();
        (rule.paragraph, rule.says) = (verdict.rule.paragraph, verdict.rule.says);
        if let Some(place) = KINDS[1..].iter().position(|kind| *kind == verdict.holds.kind()) {
            rule.counts[place] += 1;
        }
    }
    let count = |place: usize| move |(_, rule): &(&str, OfRule)| Cell::count(rule.counts[place]);
    Table::of("Verdicts by rule", rules)
        .column("Rule", |(name, _)| Cell::text(name))
        .column("Paragraph", |(_, rule)| Cell::text(rule.paragraph))
        .column("Violations", count(0))
        .column("Undetermined", count(1))
        .column("One of several", count(2))
        .column("Compliant", count(3))
        .column("Text", |(_, rule)| Cell::text(rule.says))
        .table()
}

fn filter(context: &Context<'_>, audit: &TournamentAudit) -> Markup {
    let request = context.request;
    let mut rules: Vec<&str> =
        audit.events.iter().flat_map(|event| &event.verdicts).map(|verdict| verdict.rule.id.name()).collect();
    rules.sort_unstable();
    rules.dedup();
    html! {
        h2 { "Verdicts" }
        form.since method="get" {
            (moment::kept(context))
            label { "Rule " select name="rule" {
                option value="" { "all" }
                @for rule in rules { option value=(rule) selected[request.get("rule") == Some(rule)] { (rule) } }
            } } " "
            label { "Verdict " select name="verdict" {
                @for kind in KINDS {
                    option value=(kind) selected[request.get("verdict") == Some(kind)] {
                        (if kind.is_empty() { "all but compliant" } else { kind })
                    }
                }
            } } " "
            button type="submit" { "Show" }
        }
    }
}

fn verdicts(context: &Context<'_>, audit: &TournamentAudit) -> Document {
    let (rule, wanted) = (context.request.get("rule"), context.request.get("verdict"));
    let all = audit.events.iter().flat_map(|event| &event.verdicts);
    let mut found = all.filter(|verdict| {
        let kind = verdict.holds.kind();
        rule.is_none_or(|rule| rule == verdict.rule.id.name())
            && wanted.map_or(kind != "compliant", |wanted| wanted == kind)
    });
    let shown: Vec<_> = found.by_ref().take(LISTED).collect();
    let more = found.count();
    let table = Table::of("", shown)
        .column("Event", |verdict| Cell::count(verdict.seq))
        .column("Subject", |verdict| Cell::text(&verdict.subject))
        .column("Rule", |verdict| Cell::text(verdict.rule.id.name()))
        .column("Paragraph", |verdict| Cell::text(verdict.rule.paragraph))
        .column("Verdict", |verdict| Cell::text(verdict.holds.word()))
        .column("Why", |verdict| Cell::some(verdict.holds.why()))
        .table();
    let document = Document::new("").table(table).or_line("no verdict is selected");
    match more {
        0 => document,
        more => document.prose(format!("{more} more verdicts are in the JSON, or under one rule.")),
    }
}
