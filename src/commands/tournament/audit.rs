//! `annals tournament audit`: a tournament compared with its rulebook, event by event.

use std::process::ExitCode;

use annals_replay::AuditOptions;
use annals_replay::subject::find_tournament;
use annals_replay::tournament_audit::AuditReport;
use annals_store::{Log, Severity, VerifyOptions, verify};
use annals_tournaments::imitation::LEAST;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::diagnostic;
use crate::values::assignment;

/// Check every event of a tournament against its rulebook
///
/// Checks entries, pairings, colours, byes, results, rulings, places and money, each against the events before it, and the
/// games against the rules of the game. A violation is shown with the rule, the expected and the recorded value. The
/// integrity of the log is verified first.
///
/// --reading checks under another reading of an ambiguous text, and shows only what changes. Shared sequences of turns are
/// listed where the rulebook forbids imitation.
///
/// Exit status: 0 no violation, 1 a violation, 2 failure to run.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament audit wcc-2015\n  \
    annals tournament audit wcc-2015 --as-of round:5 --all\n  \
    annals tournament audit wcc-2015 --reading T7=B\n  \
    annals tournament audit wcc-2015 --json > audit.json\n  \
    annals tournament audit postal-2006 --imitation 14")]
pub struct Args {
    /// Tournament
    tournament: String,

    /// Reading of an ambiguous text (T7=B), finalists=12 or piece_points=2/3/5/9/14; may be repeated
    #[arg(long = "reading", value_name = "T7=B", value_parser = assignment::<String, String>)]
    readings: Vec<(String, String)>,

    /// Least number of turns that two games of one human player share
    #[arg(long, value_name = "N", default_value_t = LEAST, conflicts_with = "readings")]
    imitation: usize,

    /// Show compliant events too
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        self.form.check()?;
        let log = log_file::open_at(&home.log())?;
        let stream = find_tournament(&log, &self.tournament)?;
        let (cut, zone) = self.moment.cut(&log, Some(&stream))?;
        let options = AuditOptions { readings: &self.readings, imitation: self.imitation };
        let report = AuditReport::of(&log, chain_damage(&log)?, (&stream, &cut), &options)?;
        let (document, table) = (|| report.document(&zone, self.all), || report.table(self.all));
        self.form.write_with_table(&report, &zone, document, table)?;
        Ok(ExitCode::from(u8::from(!report.is_clean())))
    }
}

/// The damage of the hash chain, the tree over it and the anchor. The audit itself checks payloads and games.
fn chain_damage(log: &Log) -> Result<Vec<String>, CliError> {
    let report = verify(log.path(), &VerifyOptions { payloads: false, ..VerifyOptions::default() })?;
    for finding in report.findings.iter().filter(|finding| finding.severity() == Severity::Warning) {
        diagnostic(format_args!("warning: {finding}"));
    }
    let damage =
        if report.is_whole() { Vec::new() } else { report.damage().map(ToString::to_string).collect() };
    Ok(damage)
}
