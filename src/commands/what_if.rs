//! `annals what-if`: the state with another result or further events on top, in memory; the log stays as it is.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::{BoardId, StreamName};
use annals_replay::{what_if, what_if_result};
use annals_store::{Clock as _, MachineClock};

use super::log::append::draft_text;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;

/// Show what another result or further events would change
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what another result or further events would change\n\n\
        A pairing with an outcome supposes that result, also in a closed tournament. If the rules would reject it, the \
        answer names the rule and supposes it nevertheless.\n\n\
        A file has events as `annals log append` reads them, or what `--dry-run --json` printed. The rules decide them \
        on the record of that moment; rejected events are listed with the rule. Nothing is written.",
    after_long_help = "Examples:\n  annals what-if cup r11.1 gold\n  \
        annals what-if cup r11.1 gold --as-of round:11\n  \
        annals tournament ruling ban cup annals-n750 --reason cluster --dry-run --json |\n    \
        annals what-if cup -\n  \
        annals what-if people/omar alias.jsonl"
)]
pub struct Args {
    /// Stream, or its name
    stream: String,

    /// Pairing, or a file of events; `-` is standard input
    #[arg(value_name = "PAIRING|FILE")]
    change: PathBuf,

    /// gold, silver (white, black), draw, double_loss, or the winner
    #[arg(value_name = "OUTCOME|WINNER")]
    outcome: Option<String>,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let log = log_file::open(home)?;
    if let Some(outcome) = &args.outcome {
        let stream = log_file::stream(&log, &args.stream)?;
        let pairing: BoardId = args.change.display().to_string().parse()?;
        let (cut, zone) = args.moment.cut(&log, Some(&stream))?;
        let answer = what_if_result(&log, &stream, &cut, (pairing, outcome))?;
        args.form.write_in(&answer, &zone, || answer.document(&zone))?;
        return Ok(ExitCode::SUCCESS);
    }
    let zone = args.moment.zone.zone()?;
    let named = args.change.to_str().and_then(|text| text.parse::<BoardId>().ok());
    if let Some(pairing) = named.filter(|_| !args.change.exists()) {
        let stream = &args.stream;
        return Err(CliError::new(format!("expected an outcome after the pairing {pairing}"))
            .hint(format!("annals what-if {stream} {pairing} gold")));
    }
    let lines = draft_text(&args.change)?.read(MachineClock.now(), &zone)?;
    let begun = args.stream.parse::<StreamName>().ok();
    let begun = begun.filter(|name| lines.iter().any(|line| line.draft.stream == *name));
    let stream = match begun {
        Some(name) => name,
        None => log_file::stream(&log, &args.stream)?,
    };
    let known = log.stream_info(&stream)?.is_some();
    let (cut, zone) = args.moment.cut(&log, known.then_some(&stream))?;
    let answer = what_if(&log, &stream, &cut, &lines)?;
    args.form.write_in(&answer, &zone, || answer.document(&zone))?;
    Ok(ExitCode::SUCCESS)
}
