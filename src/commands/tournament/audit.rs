//! `annals tournament audit`: a tournament held against its rulebook, event by event.

use std::process::ExitCode;

use annals_replay::{
    AuditOptions, ReadingsCompared, TournamentAudit, TournamentAuditError, audit_with, compare_readings,
};
use annals_store::{Log, Severity, VerifyOptions, verify};
use annals_tournaments::imitation::LEAST;
use serde::Serialize;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{diagnostic, write_json, write_record};

/// Check every event of a tournament against its rulebook
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check every event of a tournament against its rulebook\n\n\
        Checks entries, pairings, colours, byes, results, rulings, places and money, each against the events \
        before it, and the games against the rules of the game. A violation is shown with the rule, the expected \
        and the recorded value. The integrity of the log is verified first.\n\n\
        --reading checks under another reading of an ambiguous text, and shows only what changes. Shared \
        sequences of turns are listed where the rulebook forbids imitation.\n\n\
        Exit status: 0 no violation, 1 a violation, 2 failure to run.",
    after_help = "Examples:\n  \
        annals tournament audit wcc-2015\n  \
        annals tournament audit wcc-2015 --as-of round:5 --all\n  \
        annals tournament audit wcc-2015 --reading T7=B\n  \
        annals tournament audit wcc-2015 --json > audit.json\n  \
        annals tournament audit postal-2006 --imitation 14"
)]
pub struct Args {
    /// Tournament
    tournament: String,

    /// Reading of an ambiguous text, such as T7=B; may be repeated
    #[arg(long = "reading", value_name = "T7=B")]
    readings: Vec<String>,

    /// Least number of turns that two games of one human player share
    #[arg(long, value_name = "N", default_value_t = LEAST, conflicts_with = "readings")]
    imitation: usize,

    /// Show compliant events too
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open_at(&home.log())?;
    let name = args.tournament.strip_prefix("tournament/").unwrap_or(&args.tournament);
    let stream = log_file::stream(&log, &format!("tournament/{name}"))?;
    let (cut, zone) = args.moment.cut(&log, Some(&stream))?;
    let readings = args.readings.iter().map(|text| reading(text)).collect::<Result<Vec<_>, CliError>>()?;
    let chain = chain(&log)?;
    let damage = chain.first().map(|first| {
        format!(
            "DAMAGED: {first}. What follows is judged as it stands in the log now, which is not what was acknowledged; \
             `annals log verify` tells what is intact\n\n"
        )
    });
    let damage = damage.unwrap_or_default();
    let options = AuditOptions { imitation: args.imitation, ..AuditOptions::default() };
    let judged = match readings.as_slice() {
        [] => audit_with(&log, &stream, &cut, &options).map(|audit| AuditOutcome::Audit(Box::new(audit))),
        readings => compare_readings(&log, &stream, &cut, readings)
            .map(|compared| AuditOutcome::Compared(Box::new(compared))),
    };
    let said = match judged {
        // What was altered may be beyond judgement; that it was altered is the answer then.
        Err(error) if !chain.is_empty() => AuditOutcome::Nothing { why: error.to_string() },
        Err(error @ TournamentAuditError::NothingToCheck { .. }) => {
            AuditOutcome::Unchecked { nothing_checked: error.to_string() }
        }
        judged => judged?,
    };
    if args.json {
        write_json(&AuditReport { chain: &chain, said: &said })?;
    } else {
        let text = match &said {
            AuditOutcome::Audit(audit) => audit.render(&zone, args.all),
            AuditOutcome::Compared(compared) => compared.render(),
            AuditOutcome::Unchecked { nothing_checked } => format!("{nothing_checked}\n"),
            AuditOutcome::Nothing { why } => format!("it cannot be judged any more: {why}\n"),
        };
        let again = if chain.is_empty() {
            ""
        } else {
            "But the log is DAMAGED, as is said above: this is not what was acknowledged.\n"
        };
        write_record(&(damage + &text + again))?;
    }
    let follows = match &said {
        AuditOutcome::Audit(audit) => audit.is_clean(),
        AuditOutcome::Compared(compared) => compared.clean_after,
        AuditOutcome::Unchecked { .. } => true,
        AuditOutcome::Nothing { .. } => false,
    };
    Ok(ExitCode::from(u8::from(!follows || !chain.is_empty())))
}

/// An answer as JSON, with what is wrong with the log that it was read from.
#[derive(Serialize)]
struct AuditReport<'a> {
    /// What the chain, the tree and the anchor have against the log; nothing where it is what was acknowledged.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    chain: &'a [String],
    #[serde(flatten)]
    said: &'a AuditOutcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AuditOutcome {
    Audit(Box<TournamentAudit>),
    Compared(Box<ReadingsCompared>),
    /// The record holds nothing that a rulebook can be applied to.
    Unchecked {
        nothing_checked: String,
    },
    Nothing {
        why: String,
    },
}

/// What the hash chain, the tree over it and the anchor have against the log: events are judged by the rules as they were
/// acknowledged, or not at all. Their payloads and the games are judged by the audit itself.
fn chain(log: &Log) -> Result<Vec<String>, CliError> {
    let options = VerifyOptions { payloads: false, ..VerifyOptions::default() };
    let report = verify(log.path(), &options)?;
    for finding in report.findings.iter().filter(|finding| finding.severity() == Severity::Warning) {
        diagnostic(format_args!("warning: {finding}"));
    }
    if report.is_whole() {
        return Ok(Vec::new());
    }
    Ok(report.damage().map(ToString::to_string).collect())
}

fn reading(text: &str) -> Result<(String, String), CliError> {
    let halves = text.split_once('=').map(|(number, value)| (number.to_owned(), value.to_owned()));
    halves.ok_or_else(|| CliError::new(format!("`{text}` is no reading; write T7=B")))
}
