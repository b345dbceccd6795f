//! `annals study show`: the file of a study, or its query.

use std::process::ExitCode;

use super::source::StudyArgs;
use crate::errors::CliError;
use crate::output::write_text;

/// Print the file or the SQL query of a study
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print the file or the SQL query of a study\n\n\
        The file has the title, the question, the parameters and the chart above the query. Saved with the \
        ending .sql, it can be changed and run.",
    after_long_help = "Examples:\n  \
        annals study show upsets > mine.sql\n  \
        annals study show upsets --sql --param apart=300"
)]
pub struct Args {
    #[command(flatten)]
    study: StudyArgs,

    /// Print the SQL query only; --param implies it
    #[arg(long)]
    sql: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    let study = args.study.read()?;
    let params = &args.study.params;
    if args.sql || !params.is_empty() {
        write_text(&study.sql(&study.given(params)?)?)?;
    } else {
        write_text(study.text())?;
    }
    Ok(ExitCode::SUCCESS)
}
