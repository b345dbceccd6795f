//! `annals study list`: the built-in studies.

use std::process::ExitCode;

use annals_analytics::studies::{ListedStudy, listed_document, registry};

use crate::errors::CliError;
use crate::output::answer;

/// List the studies with their questions and parameters
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  annals study list\n  annals study list --json | jq '.[].name'")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    let studies = registry()?;
    let listed: Vec<ListedStudy<'_>> = studies.iter().map(ListedStudy::from).collect();
    answer(args.json, &listed, || listed_document(&studies))?;
    Ok(ExitCode::SUCCESS)
}
