//! The dataset of a home, opened for queries.

use annals_analytics::citations::identifier;
use annals_analytics::{Error, Options, Schema, Session, UserTable};
use annals_report::counted;

use crate::errors::CliError;
use crate::home::Home;
use crate::interrupt;
use crate::output::diagnostic;
use crate::provenance;
use crate::values::bytes;

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

    /// Workers that run parts of the query: addresses, or a TOML file
    ///
    /// `annals worker` starts one. The file has `workers = ["HOST:PORT"]`, and may have `token` and `scan_bytes`; else the
    /// token is ANNALS_TOKEN. A scan of less than 16 MiB for each thread runs here. Needs the feature `cluster`.
    #[arg(hide_short_help = true, long, value_name = "HOST:PORT,...")]
    workers: Option<String>,
}

/// Files of the user as tables.
#[derive(Debug, Default, clap::Args)]
pub struct TableArgs {
    /// Add a CSV, TSV, JSON or Parquet file as a table (repeatable)
    ///
    /// The file is only read. A CSV or TSV file begins with the names of its columns.
    #[arg(hide_short_help = true, long = "table", value_name = "NAME=FILE", value_parser = UserTable::parse)]
    tables: Vec<UserTable>,
}

impl EngineArgs {
    /// Opens the dataset of a home.
    pub fn open(&self, home: &Home) -> Result<Session, CliError> {
        let session = self.opened(home, Schema::Public, Vec::new())?;
        note_games_in_log_alone(&session)?;
        Ok(session)
    }

    /// Opens it under the names of a schema, with files of the user as tables.
    pub fn open_with(&self, home: &Home, schema: Schema, files: &TableArgs) -> Result<Session, CliError> {
        self.opened(home, schema, files.tables.clone())
    }

    fn opened(&self, home: &Home, schema: Schema, files: Vec<UserTable>) -> Result<Session, CliError> {
        let memory = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let threads = self.threads.map(usize::from);
        let options = Options { memory, threads, schema, files, ..default_options(home) };
        #[cfg(not(feature = "cluster"))]
        if self.workers.is_some() {
            return Err(lacks_cluster("`--workers`"));
        }
        #[cfg(feature = "cluster")]
        let options = Options { workers: self.workers()?, ..options };
        let session = open(home, &options)?;
        #[cfg(feature = "cluster")]
        for missing in session.missing_workers() {
            diagnostic(format_args!("note: {missing}"));
        }
        Ok(session)
    }
}

#[cfg(feature = "cluster")]
impl EngineArgs {
    fn workers(&self) -> Result<Option<annals_analytics::Workers>, CliError> {
        let token = std::env::var("ANNALS_TOKEN").ok().filter(|token| !token.is_empty());
        let read = |text: &String| annals_analytics::Workers::read(text, token);
        Ok(self.workers.as_ref().map(read).transpose()?)
    }
}

#[cfg(not(feature = "cluster"))]
pub fn lacks_cluster(what: &str) -> CliError {
    CliError::new(format!("this program was built without {what}: it needs the feature `cluster`"))
        .hint("cargo install --path . --locked --features cluster")
}

/// Opens the dataset of a home with the default limits.
pub fn open_default(home: &Home) -> Result<Session, CliError> {
    let session = open(home, &default_options(home))?;
    note_games_in_log_alone(&session)?;
    Ok(session)
}

fn default_options(home: &Home) -> Options {
    Options {
        memory: annals_analytics::DEFAULT_MEMORY,
        last_resort: Some(end_at_once),
        threads: None,
        spill: home.spill(),
        log: Some(home.log()),
        schema: Schema::Public,
        files: Vec::new(),
        #[cfg(feature = "cluster")]
        workers: None,
    }
}

fn open(home: &Home, options: &Options) -> Result<Session, CliError> {
    let session = Session::open(&home.dataset()?, options)?;
    interrupt::remove_at_the_end(session.spill_folder())?;
    if let Some(dataset) = identifier(session.dataset(), None) {
        provenance::reads(dataset);
    }
    Ok(session)
}

/// Notes the log, if a query reads it.
pub fn note_log(session: &Session) -> Result<(), CliError> {
    if let Some(log) = session.log_read()? {
        provenance::reads(log);
    }
    Ok(())
}

/// Prints that the log has games while the dataset has none.
fn note_games_in_log_alone(session: &Session) -> Result<(), CliError> {
    let games = session.games_in_log_alone()?;
    if games > 0 {
        let (games, are) = (counted(games as u64, "game"), if games == 1 { "is" } else { "are" });
        diagnostic(format_args!("note: the log has {games} that {are} not in the dataset"));
        diagnostic("  hint: `annals ingest --log` adds the games of the log");
    }
    Ok(())
}

/// As [`note_games_in_log_alone`], if a text in SQL names a table of the dataset.
pub fn note_before(session: &Session, sql: &str) -> Result<(), CliError> {
    if let Some(pattern) = annals_analytics::literal_pattern(sql) {
        diagnostic(format_args!(
            "note: `{pattern}` is printed as it is; fields of a pattern begin with %: `to_char(started_at, '%Y-%m')`"
        ));
    }
    let mut words = sql.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let tables = session.dataset().table_names();
    match words.any(|word| tables.iter().any(|table| table.eq_ignore_ascii_case(word))) {
        true => note_games_in_log_alone(session),
        false => Ok(()),
    }
}

/// A query that cannot be stopped in time ends the program, as a signal does.
fn end_at_once(error: Error) {
    CliError::from(error).report();
    interrupt::end_at_once(2);
}
