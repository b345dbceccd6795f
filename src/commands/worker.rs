//! `annals worker`: runs parts of queries for other machines.

use std::net::SocketAddr;
use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;
use crate::values::bytes;

/// Run parts of queries for other machines
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run parts of queries for other machines\n\n\
        `annals query --workers HOST:PORT,HOST:PORT` plans a query and sends parts of its plan to workers, which read \
        the dataset themselves: at an address, or in a folder that every machine has at the same path. Who has the \
        token can read every file that the worker can read. Ctrl-C ends the worker.\n\n\
        Without --token only this machine reaches it. It needs the feature `cluster`.",
    after_long_help = "Examples:\n  \
        annals worker --listen 127.0.0.1:7442\n  \
        annals worker --listen 10.0.0.5:7442 --token \"$TOKEN\" --memory 8GiB"
)]
pub struct Args {
    /// Address and port; port 0 is any free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7442")]
    listen: SocketAddr,

    /// Token that a query must present, and that other workers get
    #[arg(long, env = "ANNALS_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// Memory for sorting, joining and grouping of all queries
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = bytes)]
    memory: u64,
}

#[cfg(not(feature = "cluster"))]
pub fn run(_: Args, _: &Home) -> Result<ExitCode, CliError> {
    Err(crate::dataset_session::lacks_cluster("`annals worker`"))
}

#[cfg(feature = "cluster")]
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    use annals_analytics::WorkerOptions;
    use annals_server::{Worker, work};

    use super::serve::{check_token, stop_on_signal};
    use crate::output::{diagnostic, write_unmarked};
    use crate::terminal::counted;

    match &args.token {
        Some(token) => check_token(token)?,
        None if args.listen.ip().is_loopback() => {}
        None => {
            return Err(CliError::new(format!("{} is reached from other machines", args.listen.ip()))
                .reason("everybody could read every file that the worker can read")
                .hint("add `--token TOKEN`; `openssl rand -hex 16` prints one"));
        }
    }
    let options = WorkerOptions {
        memory: usize::try_from(args.memory).unwrap_or(usize::MAX),
        spill: home.spill(),
        token: args.token,
    };
    let stop = stop_on_signal()?;
    let tasks = work(Worker { address: args.listen, options }, &stop, |address| {
        let _ = write_unmarked(&format!("{address}\n"));
        diagnostic("note: running parts of queries; Ctrl-C ends it");
    })
    .map_err(|error| CliError::from(error).hint("`--listen 127.0.0.1:0` chooses a free port"))?;
    diagnostic(format_args!("note: {} of queries", counted(tasks, "task")));
    Ok(ExitCode::SUCCESS)
}
