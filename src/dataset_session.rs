//! The dataset of a home, opened for queries.

use annals_analytics::{Error, Options, Schema, Session};

use crate::errors::CliError;
use crate::home::Home;
use crate::interrupt;
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
}

impl EngineArgs {
    /// Opens the dataset of a home.
    pub fn open(&self, home: &Home) -> Result<Session, CliError> {
        self.open_with(home, Schema::Public)
    }

    /// Opens it under the names of a schema.
    pub fn open_with(&self, home: &Home, schema: Schema) -> Result<Session, CliError> {
        let memory = usize::try_from(self.memory).unwrap_or(usize::MAX);
        open(home, memory, self.threads.map(usize::from), schema)
    }
}

/// Opens the dataset of a home with the default limits.
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
