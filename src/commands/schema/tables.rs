//! `annals schema tables`: the tables with their columns, and the functions.

use std::process::ExitCode;

use annals_analytics::SchemaDescription;
use jiff::tz::TimeZone;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;

/// Describe the tables, columns and SQL functions
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Describe the tables, columns and SQL functions\n\n\
        Prints types, units and meanings, the layout of the files, and the functions on boards, positions and turn \
        labels. No dataset is needed.",
    after_long_help = "Examples:\n  \
        annals schema tables\n  \
        annals schema tables turns\n  \
        annals schema tables functions\n  \
        annals schema tables --json | jq '.tables[].name'"
)]
pub struct Args {
    /// Table, or `functions` [default: all]
    table: Option<String>,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let schema = SchemaDescription::of(args.table.as_deref())?;
    args.form.write_with_table(&schema, &TimeZone::UTC, || schema.document(), || schema.table())?;
    Ok(ExitCode::SUCCESS)
}
