//! `annals schema events`: the event types with their payloads.

use std::process::ExitCode;

use annals_replay::event_reference::EventReference;
use jiff::tz::TimeZone;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;

/// Describe the event types and their payloads
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Describe the event types and their payloads\n\n\
        Without an argument it lists all types. Of one type it prints the fields of the payload, the types within \
        it, and an example. No log is needed.",
    after_long_help = "Examples:\n  \
        annals schema events\n  \
        annals schema events game\n  \
        annals schema events tournament.round_paired\n  \
        annals schema events --json | jq '.events[].type'"
)]
pub struct Args {
    /// Event type, or family of types [default: all]
    #[arg(value_name = "TYPE")]
    event_type: Option<String>,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let all = EventReference::all()?;
    let reference = match &args.event_type {
        Some(name) => all.select(name).map_err(|error| {
            let known = error.known.iter().map(String::as_str);
            CliError::from_error(&error).did_you_mean(&error.name, known, "annals schema events")
        })?,
        None => all,
    };
    args.form.write_in(&reference, &TimeZone::UTC, || reference.document())?;
    Ok(ExitCode::SUCCESS)
}
