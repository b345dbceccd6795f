//! `annals log verify`: is the log what was acknowledged?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_replay::{Cut, GamesAudit, audit_games};
use annals_report::Document;
use annals_store::{AnchorProblem, Finding, OpenError, Report, VerifyOptions, verify};
use indicatif::ProgressBar;
use serde::Serialize;

use super::prove::receipts;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, clock_in_words};
use crate::output::{answer, write_unmarked};
use crate::progress;
use crate::terminal::{counted, grouped, talks_to_a_person};

/// Verify the integrity of the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Verify the integrity of the log\n\n\
        Checks the hash chain over every field, the order of versions and times, every payload, the Merkle tree, \
        the anchor, the tables and triggers, SQLite's own check, and every game by replay.\n\n\
        Prints the first event that is not verified, and what is intact. Exit status 1 if there is damage. A \
        game that violates the rules is listed, and is no damage.",
    after_help = "Examples:\n  \
        annals log verify\n  \
        annals log verify --receipt @receipts.txt --backup /backups/annals.db\n  \
        annals log verify /backups/annals.db        a sealed copy\n  \
        annals log verify --json | jq .first_bad"
)]
pub struct Args {
    /// Log file [default: the log of the home]
    file: Option<PathBuf>,

    /// Receipt to check: the line, or @FILE; may be repeated
    #[arg(long, value_name = "RECEIPT")]
    receipt: Vec<String>,

    /// Sealed copy to compare; may be repeated
    #[arg(long, value_name = "FILE")]
    backup: Vec<PathBuf>,

    /// Check only hashes, tree and anchor
    #[arg(long)]
    quick: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The command to run next on a damaged log: it changes nothing, and shows what is left.
pub const NEXT: &str = "annals doctor --salvage intact.jsonl";

/// So many findings are listed for reading.
const FINDINGS_SHOWN: usize = 20;

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let path = args.file.clone().unwrap_or_else(|| home.log());
    let mut kept = Vec::new();
    for argument in &args.receipt {
        kept.extend(receipts(argument)?);
    }
    let bar = bar(&path, "verifying");
    let progress = |events: u64| bar.set_position(events);
    let options = VerifyOptions {
        integrity: !args.quick,
        payloads: !args.quick,
        receipts: kept,
        backups: args.backup.clone(),
        progress: Some(&progress),
        ..VerifyOptions::default()
    };
    let report = verify(&path, &options);
    bar.finish_and_clear();
    let report = report.map_err(|error| not_verifiable(error, args.file.is_none()))?;
    // Only a log whose events can all be read is worth replaying.
    let games = if args.quick || !report.is_whole() { None } else { Some(audit(&path)?) };
    answer(args.json, &Answer { report: &report, games: games.as_ref() }, || {
        document(&report, games.as_ref(), &args)
    })?;
    let head = report.acknowledged.or(report.head).filter(|_| report.is_whole() && !args.json);
    if let Some(head) = head {
        write_unmarked(&format!("{head}\n"))?;
    }
    Ok(ExitCode::from(u8::from(!report.is_whole())))
}

/// A log that cannot be opened at all, such as one that was cut short.
fn not_verifiable(error: OpenError, is_of_home: bool) -> CliError {
    let can_be_saved = error.is_damage() && !matches!(error, OpenError::LogGone { .. });
    let error = CliError::from(error);
    if can_be_saved && is_of_home {
        error.hint(format!("`{NEXT}` writes every event that is still intact"))
    } else {
        error
    }
}

/// The one command to run next on a damaged log.
pub fn next_command(report: &Report) -> &'static str {
    use AnchorProblem::{LineUnreadable, Missing, Unreadable};
    let all = |is: fn(&Finding) -> bool| !report.is_whole() && report.damage().all(is);
    if all(|finding| matches!(finding, Finding::Tree { .. })) {
        return "annals doctor --rebuild-tree";
    }
    if all(|finding| matches!(finding, Finding::Anchor(LineUnreadable { .. } | Unreadable | Missing { .. })))
    {
        return "annals doctor --accept-loss REASON";
    }
    NEXT
}

/// The report with what the rules say of the games; none where they were not replayed.
#[derive(Serialize)]
struct Answer<'r> {
    #[serde(flatten)]
    report: &'r Report,
    games: Option<&'r GamesAudit>,
}

fn audit(path: &Path) -> Result<GamesAudit, CliError> {
    let log = log_file::open_at(path)?;
    let bar = bar(path, "replaying");
    let progress = |events: u64| bar.set_position(events);
    let audited = audit_games(&log, &Cut::NOW, Some(&progress));
    bar.finish_and_clear();
    Ok(audited?)
}

/// A bar on a terminal, where the log can be asked how long it is; else none.
fn bar(path: &Path, doing: &str) -> ProgressBar {
    let events = talks_to_a_person()
        .then(|| log_file::open_at(path).ok())
        .flatten()
        .and_then(|log| log.last_seq().ok());
    let template = "{prefix} {wide_bar} {pos}/{len} events, {eta} left";
    events.map_or_else(ProgressBar::hidden, |events| progress::bar(events, template, doing))
}

fn document(report: &Report, games: Option<&GamesAudit>, args: &Args) -> Document {
    let mut lines = Vec::new();
    let mut line = |words: String| lines.push(words);
    line(match &report.opened {
        Some(opened) => {
            format!(
                "{}: log {}, under {}",
                report.path.display(),
                opened.log_id,
                clock_in_words(opened.clock)
            )
        }
        None => format!("{}: its first event cannot be read", report.path.display()),
    });
    for finding in &report.findings {
        line(format!("{:<8}{finding}", finding.severity().word()));
    }
    let not_read = report.findings.contains(&Finding::NotRead);
    let intact = match (report.intact.as_slice(), report.last) {
        _ if not_read => "no event was read".to_owned(),
        ([], 0) => "no events".to_owned(),
        ([], _) => "no event is intact".to_owned(),
        ([all], last) if *all == (1..=last) => format!("{}, all intact", counted(last, "event")),
        (ranges, last) => {
            let spans: Vec<String> = ranges.iter().take(8).map(span).collect();
            let more = ranges.len().saturating_sub(spans.len());
            let more = if more == 0 { String::new() } else { format!(" and {more} more spans") };
            format!(
                "intact: {} of {}: {}{more}",
                grouped(report.intact_count()),
                counted(last, "event"),
                spans.join(", ")
            )
        }
    };
    line(intact);
    if let Some(games) = games {
        let flagged = match games.flagged {
            0 => "all by the rules".to_owned(),
            flagged => format!("{} with findings, kept as they were stated", grouped(flagged)),
        };
        line(format!(
            "{} of {} replayed, {flagged}",
            counted(games.games, "game"),
            counted(games.events, "event")
        ));
        for found in games.findings.iter().take(FINDINGS_SHOWN) {
            let (stream, finding) = (&found.stream, &found.finding);
            line(format!("  event {} of {stream}: {} [{}]", finding.seq, finding.message, finding.code));
        }
        if games.findings.len() > FINDINGS_SHOWN {
            line(format!("  and {} more; --json lists all", games.findings.len() - FINDINGS_SHOWN));
        }
    }
    for kept in &args.receipt {
        line(format!("held against the receipt {}", kept.split(" hash=").next().unwrap_or(kept)));
    }
    for kept in &args.backup {
        line(format!("held against the backup {}", kept.display()));
    }
    if args.quick {
        line("quick: payloads, SQLite's own check and the games were not looked at".to_owned());
    }
    line(match (report.is_whole(), report.first_bad()) {
        (true, _) => {
            let head = report.acknowledged.or(report.head);
            let half =
                report.findings.iter().any(|finding| matches!(finding, Finding::AnchorLine { block: 0 | 1 }));
            let as_far = match head {
                Some(head) if half => format!(
                    " up to event {}, as far as the readable line of the anchor tells: the last event after it may be gone",
                    head.seq
                ),
                _ => String::new(),
            };
            format!("WHOLE: the log is what was acknowledged{as_far} ({:.2} s)", report.elapsed.as_secs_f64())
        }
        (false, Some(seq)) => {
            format!("DAMAGED: event {seq} is the first event that is not verified")
        }
        (false, None) if not_read => {
            "DAMAGED: the tables are not those of a log, so no event could be verified".to_owned()
        }
        (false, None) => "DAMAGED: no event is known to be wrong, but a protection failed".to_owned(),
    });
    if !report.is_whole() && args.file.is_none() {
        line(format!("next: {}", next_command(report)));
    }
    Document::default().lines("", lines)
}

fn span(range: &std::ops::RangeInclusive<u64>) -> String {
    match (range.start(), range.end()) {
        (first, last) if first == last => format!("{first}"),
        (first, last) => format!("{first} to {last}"),
    }
}
