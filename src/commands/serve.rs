//! `annals serve`: the record of the home as web pages.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use annals_server::{Access, Addresses, App, Home as ServedHome, Stop, serve};

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::interrupt;
use crate::output::{diagnostic, write_unmarked};
use crate::values::bytes;

/// The default port.
const PORT: u16 = 7440;

/// The default memory of a query in bytes.
const MEMORY: u64 = 512 << 20;

/// Serve the record as web pages
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Serve the record as web pages\n\n\
        Tournaments, games, players, the event log with proofs, studies and SQL of this home, read-only. Every page is \
        JSON too, under its address with `.json`. --flight-sql serves the tables to programs as Arrow. Ctrl-C ends the \
        server.\n\n\
        Without --listen only this machine can read it. Another address needs --token, or --host behind a proxy that \
        checks its readers.",
    after_long_help = "Examples:\n  \
        annals serve\n  \
        annals --home annals-demo serve --listen 127.0.0.1:8080\n  \
        annals serve --flight-sql 127.0.0.1:7441\n  \
        annals serve --listen 0.0.0.0:7440 --host annals.example.org --token \"$TOKEN\""
)]
pub struct Args {
    /// Address and port; port 0 is any free one
    #[arg(long, value_name = "HOST:PORT", default_value_t = Args::default().listen)]
    listen: SocketAddr,

    /// Name under which readers reach the server (repeatable)
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// Token that readers must present
    #[arg(long, env = "ANNALS_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// Serve other machines without a token: a proxy checks readers
    #[arg(long, requires = "hosts", conflicts_with = "token")]
    behind_proxy: bool,

    /// Address and port of Arrow Flight SQL; needs the feature `flight-sql`
    #[arg(hide_short_help = true, long, value_name = "HOST:PORT")]
    flight_sql: Option<SocketAddr>,

    /// Memory for sorting, joining and grouping of a query
    #[arg(hide_short_help = true, long, value_name = "BYTES", default_value = "512MiB", value_parser = bytes)]
    memory: u64,
}

impl Default for Args {
    fn default() -> Args {
        let listen = SocketAddr::from(([127, 0, 0, 1], PORT));
        Args { listen, hosts: Vec::new(), token: None, behind_proxy: false, flight_sql: None, memory: MEMORY }
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    if args.flight_sql.is_some() && !cfg!(feature = "flight-sql") {
        let lacks = "this program was built without `--flight-sql`: it needs the feature `flight-sql`";
        return Err(CliError::new(lacks).hint("cargo install --path . --locked --features flight-sql"));
    }
    let addresses = [Some(args.listen), args.flight_sql];
    let open = addresses.into_iter().flatten().find(|address| !address.ip().is_loopback());
    if let Some(open) = open
        && args.token.is_none()
        && !args.behind_proxy
    {
        return Err(CliError::new(format!("{} is reached from other machines", open.ip()))
            .reason("every reader could see the whole record and run queries")
            .hint("add `--token TOKEN`, or `--behind-proxy --host NAME` if a proxy checks the readers"));
    }
    if let Some(token) = &args.token {
        check_token(token)?;
    }
    if !home.log().exists() && !home.has_dataset()? {
        return Err(CliError::new(format!("{} has neither an event log nor a dataset", home.root().display()))
            .hint("`annals demo` plays a championship into the folder annals-demo; serve that with `--home annals-demo`"));
    }
    let served = ServedHome {
        log: home.log(),
        dataset: home.dataset()?,
        spill: home.spill(),
        memory: usize::try_from(args.memory).unwrap_or(usize::MAX),
    };
    let access = Access { hosts: hosts(&args), token: args.token };
    let stop = stop_on_signal()?;
    let addresses = Addresses {
        pages: args.listen,
        #[cfg(feature = "flight-sql")]
        flight_sql: args.flight_sql,
    };
    serve(App::new(served), access, addresses, &stop, |addresses| {
        let _ = write_unmarked(&format!("http://{}/\n", addresses.pages));
        #[cfg(feature = "flight-sql")]
        if let Some(address) = addresses.flight_sql {
            let _ = write_unmarked(&format!("grpc://{address}\n"));
        }
        diagnostic("note: serving read-only; Ctrl-C ends it");
    })
    .map_err(|error| CliError::from(error).hint("`--listen 127.0.0.1:0` chooses a free port"))?;
    Ok(ExitCode::SUCCESS)
}

/// # Errors
/// If a token can be guessed, or is not a word for a header.
pub fn check_token(token: &str) -> Result<(), CliError> {
    if token.len() < 16 || !token.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) {
        return Err(CliError::new("expected a token of at least 16 letters, digits, `-`, `_` or `.`")
            .hint("`openssl rand -hex 16` prints one"));
    }
    Ok(())
}

/// What Ctrl-C or a signal to end stops.
pub fn stop_on_signal() -> Result<Stop, CliError> {
    let stop = Stop::default();
    let on_signal = stop.clone();
    let was_stopped = AtomicBool::new(false);
    interrupt::cancel_first(move || {
        on_signal.end();
        // A second signal ends the program at once.
        !was_stopped.swap(true, Ordering::Relaxed)
    })
    .cannot("cannot listen for Ctrl-C and signals to end")?;
    Ok(stop)
}

/// The names of the server: those given, and the address itself unless it is any address.
fn hosts(args: &Args) -> Vec<String> {
    let own = args.listen.ip();
    let name = if own.is_ipv6() { format!("[{own}]") } else { own.to_string() };
    let own = (!own.is_unspecified()).then_some(name);
    args.hosts.iter().cloned().chain(own).collect()
}
