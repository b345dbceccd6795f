//! `annals query`: SQL over the dataset, from the command line, a file, standard input, or a prompt. What the other
//! commands over the dataset share (opening it, choosing the form of output) stands here too.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_analytics::output::{Format, Layout, Written, write_answer};
use annals_analytics::prompt::{self, Settings};
use annals_analytics::{Answer, Error, Options, Schema, Session, queries};
use annals_report::Document;
use jiff::tz::TimeZone;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::interrupt;
use crate::output::{diagnostic, write_document, write_json, write_text};
use crate::output_file::{ForceArgs, Output};
use crate::terminal;
use crate::values::{by_word, bytes};
use annals_ingest::input_file;

/// Query games, turns and positions in SQL
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Query games, turns and positions in SQL\n\n\
        Without statements on a terminal, a prompt opens with history and completion. `annals schema tables` \
        describes all tables and functions; `annals study list` lists ready queries. The data cannot be changed \
        from here.\n\n\
        On a terminal the result is a table of at most 40 rows; in a pipe it is tab-separated and complete.",
    after_long_help = "Examples:\n  \
        annals query \"SELECT year, count(*) AS games FROM games GROUP BY year\"\n  \
        annals query -f mine.sql --format csv > mine.csv\n  \
        annals query \"SELECT board_text(board) FROM turns WHERE game_id = 669192\"\n  \
        annals query -o turns2004.parquet \"SELECT * FROM turns WHERE year = 2004\"\n  \
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
    output: OutputArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// How a result is written.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    #[command(flatten)]
    form: FormArgs,

    /// File to write; its ending sets the format [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

/// The form of an answer, wherever it goes.
#[derive(Debug, clap::Args)]
pub struct FormArgs {
    /// Format [default: table on a terminal, else tsv]
    #[arg(long, value_name = "FORMAT", value_parser = by_word(&Format::ALL))]
    format: Option<Format>,

    /// Print JSON: an array of objects
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Maximum number of rows; 0 prints all [default: 40 on a terminal]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Omit the column names (table, csv, tsv)
    #[arg(hide_short_help = true, long)]
    no_header: bool,

    /// Print planning and execution times to standard error
    #[arg(hide_short_help = true, long)]
    timing: bool,

    /// Print the files, row groups, pages and bytes read to standard error
    #[arg(hide_short_help = true, long)]
    explain: bool,
}

/// What the query engine may use.
#[derive(Debug, clap::Args)]
pub struct EngineArgs {
    /// Memory for sorting, joining and grouping, such as 512MB or 4GB
    ///
    /// Beyond it rows are spilled to the home's directory `tmp`. A query that holds 256 MiB more is stopped.
    #[arg(hide_short_help = true, long, value_name = "BYTES", default_value = "1GiB", value_parser = bytes)]
    memory: u64,

    /// Threads [default: number of cores]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Rows of a table on a terminal.
const ROWS_ON_A_TERMINAL: usize = 40;

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
    let session = args.engine.open_with(home, args.schema)?;
    let Some(text) = text else {
        return prompt_on_terminal(&session, &args.output, home);
    };
    let asked = queries(&text)?;
    if asked.is_empty() {
        return Err(CliError::new("no SQL statement was given")
            .hint("`annals query \"SELECT count(*) FROM games\"`, or `annals query` alone for a prompt"));
    }
    if asked.len() > 1 && args.output.is_one_document() {
        return Err(CliError::new(format!(
            "{} statements cannot go into one file of this format",
            asked.len()
        ))
        .hint("run one at a time, or choose csv, tsv or ndjson"));
    }
    let mut out = args.output.create()?;
    for question in &asked {
        args.output.write(&mut session.ask(question)?, &mut out)?;
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn standard_input() -> Result<String, CliError> {
    input_file::standard_input().cannot("cannot read statements from standard input")
}

fn prompt_on_terminal(session: &Session, output: &OutputArgs, home: &Home) -> Result<ExitCode, CliError> {
    let settings = Settings {
        format: output
            .form
            .format(output.output.as_deref())
            .filter(|f| *f != Format::Parquet)
            .unwrap_or(Format::Table),
        max_rows: most_rows(output.form.limit, Some(ROWS_ON_A_TERMINAL)),
        timing: output.form.timing,
        explain: output.form.explain,
    };
    prompt::run(session, settings, &home.root().join("query_history"), width)?;
    Ok(ExitCode::SUCCESS)
}

/// Zero is all rows.
fn most_rows(given: Option<usize>, otherwise: Option<usize>) -> Option<usize> {
    match given {
        Some(0) => None,
        Some(rows) => Some(rows),
        None => otherwise,
    }
}

impl OutputArgs {
    /// Whether the output can hold one answer only.
    fn is_one_document(&self) -> bool {
        matches!(self.form.format(self.output.as_deref()), Some(Format::Json | Format::Parquet))
    }

    /// Whether the answer will be a table on a terminal.
    pub fn is_for_reading(&self) -> bool {
        self.form.is_for_reading(self.output.as_deref())
    }

    /// The most rows that the user asks for.
    pub fn limit(&self) -> Option<usize> {
        most_rows(self.form.limit, None)
    }

    /// Creates the file, or opens standard output.
    pub fn create(&self) -> Result<Output, CliError> {
        Output::create(self.output.as_deref(), self.force.force)
    }

    /// Writes an answer, with what was asked to be told about it.
    pub fn write(&self, answer: &mut Answer<'_>, out: &mut Output) -> Result<(), CliError> {
        self.form.write(answer, self.output.as_deref(), out).map(|_| ())
    }
}

impl FormArgs {
    /// The format that is named, or that the ending of the file names.
    fn format(&self, output: Option<&Path>) -> Option<Format> {
        let ending = || output?.extension()?.to_str().and_then(Format::from_word);
        if self.json { Some(Format::Json) } else { self.format.or_else(ending) }
    }

    /// Whether the answer will be a table on a terminal.
    pub fn is_for_reading(&self, output: Option<&Path>) -> bool {
        goes_to_terminal(output) && self.format(output).unwrap_or(Format::Table) == Format::Table
    }

    /// Writes an answer, with what was asked to be told about it. `output` is the file that `out` writes to, if it is one.
    pub fn write(
        &self,
        answer: &mut Answer<'_>,
        output: Option<&Path>,
        out: &mut Output,
    ) -> Result<Written, CliError> {
        let on_terminal = goes_to_terminal(output);
        let format = self.format(output).unwrap_or(if on_terminal { Format::Table } else { Format::Tsv });
        if format == Format::Parquet && on_terminal {
            return Err(CliError::new("a Parquet file cannot be shown on a terminal")
                .hint("name a file: -o answer.parquet"));
        }
        let most = if format == Format::Table && on_terminal { Some(ROWS_ON_A_TERMINAL) } else { None };
        let layout = Layout {
            format,
            header: !self.no_header,
            max_rows: most_rows(self.limit, most),
            width: if on_terminal { width() } else { None },
        };
        let written = write_answer(answer, &mut *out, layout)?;
        // Several answers go to one output; what is told about each stands after it.
        out.flush()?;
        if written.more {
            diagnostic(format_args!("note: the first {} rows; --limit 0 prints all", written.rows));
        }
        if self.timing {
            diagnostic(format_args!("note: {}", prompt::times(answer)));
        }
        if self.explain {
            diagnostic(format_args!("{}", answer.reads()));
        }
        Ok(written)
    }
}

fn goes_to_terminal(output: Option<&Path>) -> bool {
    output.is_none() && io::stdout().is_terminal()
}

impl EngineArgs {
    /// Opens the dataset of a home.
    pub fn open(&self, home: &Home) -> Result<Session, CliError> {
        self.open_with(home, Schema::Public)
    }

    fn open_with(&self, home: &Home, schema: Schema) -> Result<Session, CliError> {
        let memory = usize::try_from(self.memory).unwrap_or(usize::MAX);
        open(home, memory, self.threads.map(usize::from), schema)
    }
}

/// Opens the dataset of a home with the usual limits.
pub fn open_default(home: &Home) -> Result<Session, CliError> {
    open(home, annals_analytics::DEFAULT_MEMORY, None, Schema::Public)
}

fn open(home: &Home, memory: usize, threads: Option<usize>, schema: Schema) -> Result<Session, CliError> {
    let (spill, log) = (home.root().join("tmp"), Some(home.log()));
    let options = Options { memory, last_resort: Some(end_at_once), threads, spill, log, schema };
    let session = Session::open(&home.dataset(), &options)?;
    interrupt::remove_at_the_end(session.spill_folder())?;
    Ok(session)
}

/// A query that cannot be stopped in time ends the program, as a signal does.
fn end_at_once(error: Error) {
    CliError::from(error).report();
    interrupt::end_at_once(2);
}

/// The width of the terminal to which answers go.
fn width() -> Option<u16> {
    terminal::size().map(|(width, _)| width)
}

/// Writes a document to standard output: on a terminal laid out for reading, else as TSV with numbers in full. `complete` names the
/// options that show all columns.
pub fn print_document(document: &Document, complete: &str) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        write_document(document, &TimeZone::UTC, complete)
    } else {
        write_text(&document.tsv())
    }
}

/// Prints a value as JSON, or the document that shows it.
pub fn print_answer(
    as_json: bool,
    value: &impl serde::Serialize,
    document: impl FnOnce() -> Document,
) -> Result<(), CliError> {
    if as_json { write_json(value) } else { print_document(&document(), "`--json`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_rows_means_all() {
        assert_eq!(most_rows(Some(0), Some(40)), None);
        assert_eq!(most_rows(None, Some(40)), Some(40));
        assert_eq!(most_rows(Some(7), None), Some(7));
    }
}
