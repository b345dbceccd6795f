//! The result of verifying a log, with the findings of the rules on its games.

use std::ops::RangeInclusive;

use annals_events::log::ClockKind;
use annals_report::{Cell, Document, Table, counted, grouped};
use annals_store::{ActorSignatures, Finding, Remedy, Report};
use serde::Serialize;

use crate::audit::GamesAudit;

/// At most this many findings about games are listed.
const FINDINGS_SHOWN: usize = 20;

/// A verification.
#[derive(Debug, Serialize)]
pub struct Verification<'r> {
    #[serde(flatten)]
    pub report: &'r Report,
    /// None if the games were not replayed.
    pub games: Option<&'r GamesAudit>,
    /// Receipts and backups with which the log was compared.
    #[serde(skip)]
    pub compared: Vec<String>,
    /// The number of those receipts.
    #[serde(skip)]
    pub receipts: usize,
    #[serde(skip)]
    pub is_quick: bool,
    /// The command to run next on a damaged log.
    #[serde(skip)]
    pub next: Option<&'r str>,
}

impl Verification<'_> {
    /// As a document.
    #[must_use]
    pub fn document(&self) -> Document {
        let report = self.report;
        let mut lines = vec![match &report.opened {
            Some(opened) => {
                format!("{}: log {}, under {}", report.path.display(), opened.log_id, clock(opened.clock))
            }
            None => format!("{}: its first event cannot be read", report.path.display()),
        }];
        let finding = |finding: &Finding| format!("{:<8}{finding}", finding.severity().word());
        lines.extend(report.findings.iter().map(finding));
        lines.push(self.intact());
        lines.extend(self.games.iter().flat_map(|games| of_games(games)));
        lines.extend(report.actors.iter().map(signed));
        lines.extend(self.compared.iter().map(|kept| format!("compared with {kept}")));
        lines.extend(report.actors.iter().filter_map(fixed));
        lines.extend(self.consistency());
        if self.is_quick {
            lines.push("quick: payloads, SQLite's own check and the games were not checked".to_owned());
        }
        lines.push(self.verdict());
        lines.extend(self.next.map(|next| format!("next: {next}")));
        Document::default().lines("", lines)
    }

    /// As rows of a name and a value, for programs: the state, each finding with its severity, and the receipt.
    #[must_use]
    pub fn table(&self) -> Table {
        let report = self.report;
        let state = if report.is_whole() { "whole" } else { "damaged" };
        let head = report.acknowledged.or(report.head);
        let mut table = Table::new("", &["what", "value"]);
        let mut row = |what: &str, value: Cell| table.rows.push(vec![Cell::text(what), value]);
        row("file", Cell::text(report.path.display()));
        row("log", Cell::some(report.opened.as_ref().map(|opened| opened.log_id)));
        row("clock", Cell::some(report.opened.as_ref().map(|opened| clock(opened.clock))));
        row("state", Cell::text(state));
        row("events", Cell::count(report.last));
        row("intact events", Cell::count(report.intact_count()));
        row("first event not verified", report.first_bad().map_or(Cell::Empty, Cell::count));
        row("games", self.games.map_or(Cell::Empty, |games| Cell::count(games.games)));
        row("games with findings", self.games.map_or(Cell::Empty, |games| Cell::count(games.flagged)));
        row("receipt", Cell::some(head));
        for actor in &report.actors {
            row("actor", Cell::text(signed(actor)));
        }
        for finding in &report.findings {
            row(finding.severity().word(), Cell::text(finding));
        }
        for found in self.games.iter().flat_map(|games| &games.findings) {
            let (stream, finding) = (&found.stream, &found.finding);
            row("game", Cell::text(format!("event {} of {stream}: {}", finding.seq, finding.message)));
        }
        table
    }

    /// Whether several receipts are of one history, that of this log.
    fn consistency(&self) -> Option<String> {
        let is_other = |finding: &Finding| matches!(finding, Finding::Receipt { .. });
        match (self.receipts, self.report.findings.iter().any(is_other)) {
            (0 | 1, _) => None,
            (_, true) => Some("not consistent: a receipt is not of the history of this log".to_owned()),
            _ if self.is_unread() => None,
            (receipts, false) => Some(format!("consistent: the {receipts} receipts are of one history")),
        }
    }

    fn is_unread(&self) -> bool {
        self.report.findings.contains(&Finding::NotRead)
    }

    fn intact(&self) -> String {
        match (self.report.intact.as_slice(), self.report.last) {
            _ if self.is_unread() => "no event was read".to_owned(),
            ([], 0) => "no events".to_owned(),
            ([], _) => "no event is intact".to_owned(),
            ([all], last) if *all == (1..=last) => format!("{}, all intact", counted(last, "event")),
            (ranges, last) => {
                let spans: Vec<String> = ranges.iter().take(8).map(span).collect();
                let more = match ranges.len().saturating_sub(spans.len()) {
                    0 => String::new(),
                    more => format!(" and {more} more spans"),
                };
                let intact = grouped(self.report.intact_count());
                format!("intact: {intact} of {}: {}{more}", counted(last, "event"), spans.join(", "))
            }
        }
    }

    fn verdict(&self) -> String {
        let report = self.report;
        match (report.is_whole(), report.first_bad()) {
            (true, _) => {
                let is_half = |finding: &Finding| matches!(finding, Finding::AnchorLine { block: 0 | 1 });
                let head = report.acknowledged.or(report.head);
                let as_far = match head.filter(|_| report.findings.iter().any(is_half)) {
                    Some(head) => format!(
                        " up to event {}, the last one in the readable line of the anchor: one event after it may be gone",
                        head.seq
                    ),
                    None => String::new(),
                };
                let seconds = report.elapsed.as_secs_f64();
                format!("WHOLE: the log is what was acknowledged{as_far} ({seconds:.2} s)")
            }
            (false, Some(seq)) => format!("DAMAGED: event {seq} is the first event that is not verified"),
            (false, None) if self.is_unread() => {
                "DAMAGED: the tables are not those of a log, so no event could be verified".to_owned()
            }
            (false, None) if matches!(report.remedy(), Some(Remedy::NewBackup | Remedy::OtherReceipt)) => {
                "DAMAGED: the log is whole; a backup or receipt with which it was compared is not of it"
                    .to_owned()
            }
            (false, None) => "DAMAGED: no event is wrong, but a protection failed".to_owned(),
        }
    }
}

/// How many events of an actor are signed.
fn signed(of: &ActorSignatures) -> String {
    let (actor, key) = (&of.actor, &of.verifier_key);
    let signed = format!(
        "`{actor}`: {} of {} signed, the key is {key}",
        grouped(of.signed),
        if of.events == 1 { "1 event is".to_owned() } else { format!("{} events are", grouped(of.events)) }
    );
    match (of.not_yet_signed, of.signed_up_to) {
        (0, _) | (_, 0) => signed,
        (1, last) => format!("{signed}; 1 after event {last} is not yet signed"),
        (later, last) => format!("{signed}; {} after event {last} are not yet signed", grouped(later)),
    }
}

/// What the key fixes that an actor gave.
fn fixed(of: &ActorSignatures) -> Option<String> {
    let actor = &of.actor;
    Some(match of.given_key_up_to? {
        0 => format!("compared with the key that was given for `{actor}`: it fixes no event"),
        last => format!(
            "compared with the key that was given for `{actor}`: it fixes every event up to event {last}"
        ),
    })
}

fn of_games(games: &GamesAudit) -> Vec<String> {
    let flagged = match games.flagged {
        0 => "all by the rules".to_owned(),
        flagged => format!("{} with findings, kept as they were stated", grouped(flagged)),
    };
    let (count, events) = (counted(games.games, "game"), counted(games.events, "event"));
    let mut lines = vec![format!("{count} of {events} replayed, {flagged}")];
    lines.extend(games.findings.iter().take(FINDINGS_SHOWN).map(|found| {
        let (stream, finding) = (&found.stream, &found.finding);
        format!("  event {} of {stream}: {} [{}]", finding.seq, finding.message, finding.code)
    }));
    if games.findings.len() > FINDINGS_SHOWN {
        lines.push(format!("  and {} more; --json lists all", games.findings.len() - FINDINGS_SHOWN));
    }
    lines
}

/// The clock of a log, as it is shown.
#[must_use]
pub const fn clock(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::Real => "the clock of the machine",
        ClockKind::Simulated => "a simulated clock (no record of what happened)",
    }
}

pub(crate) fn span(range: &RangeInclusive<u64>) -> String {
    match (range.start(), range.end()) {
        (first, last) if first == last => format!("{first}"),
        (first, last) => format!("{first} to {last}"),
    }
}
