//! `annals query`: SQL over the dataset, from the command line, a file, standard input, or a prompt.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use annals_analytics::output::Format;
use annals_analytics::{Schema, prompt, queries};
use annals_ingest::input_file;

use crate::dataset_session::{EngineArgs, TableArgs, note_before, note_log};
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::interrupt;
use crate::result_form::{OutputArgs, width};
use crate::values::by_word;

/// Query games, turns and positions in SQL
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Query games, turns and positions in SQL\n\n\
        Without statements on a terminal, a prompt opens with history and completion. `annals schema tables` \
        describes all tables and functions; `annals study list` lists ready queries. The data cannot be changed \
        from here.\n\n\
        Tables of the dataset: games, turns, positions, lookup, players, server_log, rejected_turns, rejects. Tables \
        of the log: events, tournaments, registrations, rounds, pairings, results, rulings, ledger, and the functions \
        standings(T) and crosstable(T).\n\n\
        On a terminal the result is a table of at most 40 rows; in a pipe it is tab-separated and complete.",
    after_long_help = "Examples:\n  \
        annals query \"SELECT year, count(*) AS games FROM games GROUP BY year\"\n  \
        annals query -f mine.sql --format csv > mine.csv\n  \
        annals query \"SELECT board_text(board) FROM turns WHERE game_id = 669192\"\n  \
        annals query -o turns2004.parquet \"SELECT * FROM turns WHERE year = 2004\"\n  \
        annals query --table mine=mine.csv \"SELECT * FROM mine JOIN games USING (game_id)\"\n  \
        annals query                              a prompt; \\? lists its commands"
)]
pub struct Args {
    /// SQL statements, separated by semicolons
    #[arg(value_name = "SQL", conflicts_with = "file", allow_hyphen_values = true)]
    sql: Option<String>,

    /// File of statements; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Schema of the table names; `v3` is dataset version 3
    #[arg(hide_short_help = true, long, value_name = "SCHEMA", default_value = "public", value_parser = by_word(&Schema::ALL))]
    schema: Schema,

    #[command(flatten)]
    tables: TableArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let text = match (&args.sql, &args.file) {
        (Some(sql), _) => Some(sql.clone()),
        (None, Some(file)) if file.as_os_str() == "-" => Some(standard_input()?),
        (None, Some(file)) => Some(
            input_file::text(file)
                .cannot(format_args!("cannot read the statements in {}", file.display()))?,
        ),
        (None, None) if io::stdin().is_terminal() => None,
        (None, None) => Some(standard_input()?),
    };
    let format = args.output.format()?;
    let session = args.engine.open_with(home, args.schema, &args.tables)?;
    let Some(text) = text else {
        let canceller = session.canceller();
        interrupt::cancel_first(move || canceller.cancel())?;
        prompt::run(&session, args.output.of_prompt()?, &home.root().join("query_history"), width)?;
        // A query that was stopped may still be at work, and is not waited for.
        interrupt::end_at_once(0);
    };
    let asked = queries(&text)?;
    if asked.is_empty() {
        return Err(CliError::new("no SQL statement was given")
            .hint("`annals query \"SELECT count(*) FROM games\"`, or `annals query` alone for a prompt"));
    }
    if asked.len() > 1 && format.is_some_and(|format| format == Format::Json || format.is_binary()) {
        return Err(CliError::new(format!(
            "{} statements cannot go into one file of this format",
            asked.len()
        ))
        .hint("run one at a time, or choose csv, tsv or ndjson"));
    }
    note_before(&session, &text)?;
    let mut out = args.output.create()?;
    for question in &asked {
        let mut answer = session.ask(question)?;
        note_log(&session)?;
        args.output.write(&mut answer, &mut out)?;
    }
    args.output.finish(out)?;
    Ok(ExitCode::SUCCESS)
}

fn standard_input() -> Result<String, CliError> {
    input_file::standard_input().cannot("cannot read statements from standard input")
}
