//! `annals log witness`: watches the logs of other clubs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use annals_ingest::input_file;
use annals_report::{Cell, Document, Table};
use annals_store::tlog::checkpoint::SignedCheckpoint;
use annals_store::tlog::note::VerifierKey;
use annals_store::tlog::witness::{Refusal, Watched, Witness};
use jiff::tz::TimeZone;

use crate::document_form::DocumentArgs;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::output::{diagnostic, write_text};

/// Watch the logs of others, and cosign their checkpoints
#[derive(Debug, clap::Subcommand)]
#[command(
    long_about = "Watch the logs of others, and cosign their checkpoints\n\n\
        A witness cosigns a checkpoint only if the log still begins with the checkpoint that it cosigned before. \
        `witness.key` in the home is its key, and `witness.json` has the last checkpoint of each log.",
    after_long_help = "Start with:\n  \
        annals log witness create chess-club.example/witness\n  \
        annals log witness watch VERIFIER_KEY\n  \
        annals log witness cosign request.txt >> checkpoint.txt\n  \
        annals log witness list"
)]
pub enum Command {
    Create(Create),
    Watch(Watch),
    Cosign(Cosign),
    List(List),
    #[cfg(feature = "server")]
    Serve(Serve),
}

/// Make the key of a witness
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Make the key of a witness\n\n\
        Writes `witness.key` into the home, readable by its owner only, and prints the verifier key. Give the \
        verifier key to everyone who reads cosigned checkpoints.",
    after_long_help = "Examples:\n  annals log witness create chess-club.example/witness"
)]
pub struct Create {
    /// Name of the witness: an address without `https://`, which need not exist
    #[arg(value_name = "NAME")]
    name: String,
}

/// Trust a key to sign for a log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Trust a key to sign for a log\n\n\
        The origin of the log is the name of the key. Keys that were trusted before stay trusted, unless --replace \
        is given.",
    after_long_help = "Examples:\n  annals log witness watch \"$(cat club.vkey)\"\n  \
        annals log witness watch \"$(cat new.vkey)\" --replace"
)]
pub struct Watch {
    /// Verifier key of the log
    #[arg(value_name = "KEY")]
    key: String,

    /// Origin of the log [default: the name of the key]
    #[arg(long, value_name = "TEXT")]
    origin: Option<String>,

    /// Trust no other key for this log
    #[arg(long)]
    replace: bool,
}

/// Cosign the checkpoint of a request
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Cosign the checkpoint of a request\n\n\
        Reads a request that `annals log prove --format tlog-witness` wrote. Checks the signature, and that the log \
        begins with the checkpoint that this witness cosigned before. Prints the cosignature, which is appended \
        to the checkpoint.\n\n\
        Exit status 1 if the request is refused. If the proof begins at another size, the size that is needed is \
        printed.",
    after_long_help = "Examples:\n  annals log witness cosign request.txt >> checkpoint.txt"
)]
pub struct Cosign {
    /// Request file; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// List the logs that are watched
#[derive(Debug, clap::Args)]
#[command(
    long_about = "List the logs that are watched\n\n\
        The key of the witness, and for each log the number of events of the checkpoint that was cosigned last.",
    after_long_help = "Examples:\n  annals log witness list\n  annals log witness list --json"
)]
pub struct List {
    #[command(flatten)]
    form: DocumentArgs,
}

/// Answer the requests of logs over HTTP
#[cfg(feature = "server")]
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Answer the requests of logs over HTTP\n\n\
        Answers `POST /add-checkpoint` as `annals log witness cosign` does, for the logs that are watched. The \
        signature of a checkpoint is the only admission, so the port may be open to others.",
    after_long_help = "Examples:\n  \
        annals log witness serve --listen 0.0.0.0:8090"
)]
pub struct Serve {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
    listen: std::net::SocketAddr,
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    let path = home.log();
    let folder = path.parent().unwrap_or(&path);
    match command {
        Command::Create(args) => {
            let witness = Witness::create(folder, &args.name)?;
            write_text(&format!("{}\n", witness.verifier_key()))?;
        }
        Command::Watch(args) => {
            let key: VerifierKey = args.key.parse()?;
            Witness::open(folder)?.watch(&key, args.origin.as_deref(), args.replace)?;
            let origin = args.origin.as_deref().unwrap_or(key.name());
            diagnostic(format_args!("note: checkpoints of `{origin}` are cosigned"));
        }
        Command::Cosign(args) => return cosign(&args, &Witness::open(folder)?),
        Command::List(args) => {
            args.form.check()?;
            let witness = Witness::open(folder)?;
            let logs: Vec<Row> = witness.watched()?.into_iter().map(Row::of).collect();
            let shown = Shown { verifier_key: witness.verifier_key().to_string(), logs };
            args.form.write_with_table(&shown, &TimeZone::UTC, || shown.document(), || shown.table())?;
        }
        #[cfg(feature = "server")]
        Command::Serve(args) => {
            let stop = crate::commands::serve::stop_on_signal()?;
            annals_server::serve_witness(Witness::open(folder)?, args.listen, &stop, |address| {
                let _ = write_text(&format!("http://{address}/add-checkpoint\n"));
                diagnostic("note: cosigning; Ctrl-C ends it");
            })
            .hint("`--listen 127.0.0.1:0` chooses a free port")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn cosign(args: &Cosign, witness: &Witness) -> Result<ExitCode, CliError> {
    let file = args.file.display();
    let text = match args.file.as_os_str() == "-" {
        true => input_file::standard_input(),
        false => input_file::text(&args.file),
    };
    let text = text.cannot(format_args!("cannot read {file}"))?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    match witness.cosign(&text, now) {
        Ok(line) => write_text(&line)?,
        Err(refusal) => {
            if let Some(size) = refusal.size() {
                write_text(&format!("{size}\n"))?;
            }
            return Err(refused(&refusal).at(file));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn refused(refusal: &Refusal) -> CliError {
    let error = CliError::new(refusal).state("nothing was cosigned");
    match refusal {
        Refusal::Fault(_) => error,
        Refusal::UnknownOrigin { .. } => error.finding().hint("annals log witness watch KEY"),
        Refusal::OtherSize { size, .. } => error
            .finding()
            .hint(format_args!("the holder of the log makes the request with `--since {size}`")),
        Refusal::OtherRoot { .. } | Refusal::Inconsistent { .. } => error
            .finding()
            .reason("keep the request: with the checkpoint cosigned before it proves what was done")
            .hint("annals log witness list --json"),
        _ => error.finding(),
    }
}

#[derive(serde::Serialize)]
struct Shown {
    verifier_key: String,
    logs: Vec<Row>,
}

#[derive(serde::Serialize)]
struct Row {
    origin: String,
    /// Of the checkpoint cosigned last.
    events: Option<u64>,
    #[serde(flatten)]
    watched: Watched,
}

impl Row {
    fn of((origin, watched): (String, Watched)) -> Row {
        let last = watched.checkpoint.as_deref().and_then(|text| text.parse::<SignedCheckpoint>().ok());
        Row { origin, events: last.map(|last| last.checkpoint.size), watched }
    }

    fn cosigned_at(&self) -> Option<i64> {
        self.watched.cosigned_at.and_then(|time| i64::try_from(time).ok()?.checked_mul(1_000_000))
    }
}

impl Shown {
    fn document(&self) -> Document {
        Document::default().drawing(&self.verifier_key).table(self.table())
    }

    fn table(&self) -> Table {
        Table::of("", &self.logs)
            .column("origin", |row| Cell::text(&row.origin))
            .column("events", |row| row.events.map_or(Cell::Empty, Cell::count))
            .column("cosigned at", |row| Cell::time(row.cosigned_at()))
            .column("keys", |row| Cell::count(row.watched.keys.len() as u64))
            .table()
    }
}
