//! `annals study list`: the built-in studies.

use std::process::ExitCode;

use annals_analytics::studies::{ListedStudy, listed_document, registry};
use jiff::tz::TimeZone;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;

/// List the studies with their questions and parameters
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  annals study list\n  annals study list --json | jq '.[].name'")]
pub struct Args {
    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let studies = registry()?;
    let listed: Vec<ListedStudy<'_>> = studies.iter().map(ListedStudy::from).collect();
    args.form.write_in(&listed, &TimeZone::UTC, || listed_document(&studies))?;
    Ok(ExitCode::SUCCESS)
}
