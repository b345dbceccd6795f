//! `annals log head`: the receipt of the present log.

use std::process::ExitCode;

use annals_events::Micros;
use annals_events::log::ClockKind;
use annals_replay::verification::clock;
use annals_report::{Cell, Document, Table};
use annals_store::{ClockSetting, Head};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::{Home, in_home};
use crate::log_file;
use crate::output::{diagnostic, write_text};

/// Print the receipt of the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print the receipt of the log\n\n\
        The receipt has the identity of the log, the number of events, the hash of the last event, and the root \
        of the Merkle tree. Keep it outside: `annals log verify --receipt` and `annals log prove --since` show \
        that a later log still begins with these events.\n\n\
        With --checkpoint the receipt is a checkpoint, which the key of the log signs and other programs verify.",
    after_long_help = "Examples:\n  \
        annals log head >> receipts.txt\n  \
        annals log head --checkpoint > checkpoint.txt\n  \
        annals log head --json | jq .seq"
)]
pub struct Args {
    /// Print a signed checkpoint
    #[arg(long, conflicts_with_all = ["format", "json", "output"])]
    checkpoint: bool,

    #[command(flatten)]
    form: DocumentArgs,
}

#[derive(Serialize)]
struct Shown {
    receipt: String,
    #[serde(flatten)]
    head: Head,
    clock: ClockKind,
    /// When the last event was recorded, microseconds since 1970, UTC.
    recorded_at: Option<Micros>,
    /// Events after it that the anchor does not acknowledge.
    later: u64,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    if args.checkpoint {
        let mut log = log_file::open_existing(home, ClockSetting::LastEvent)?.log;
        write_text(&log.sign_checkpoint()?.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let log = log_file::open_whole(home)?;
    let head = match log.acknowledged() {
        Some(head) => head,
        None => log.head()?,
    };
    let later = log.last_seq()?.saturating_sub(head.seq);
    if later > 0 {
        diagnostic(format_args!(
            "warning: this is the receipt of event {}, the last one in the anchor; {} after it: the writer was \
             stopped, or an older anchor was put back. Compare with the last receipt that you keep: {}",
            head.seq,
            match later {
                1 => "1 event is".to_owned(),
                later => format!("{later} events are"),
            },
            in_home("`annals log verify --receipt RECEIPT`")
        ));
    }
    let recorded_at = log.event(head.seq)?.map(|event| event.recorded_at);
    let shown = Shown { receipt: head.to_string(), head, clock: log.opened().clock, recorded_at, later };
    args.form.write_with_table(&shown, &TimeZone::UTC, || shown.document(), || shown.table())?;
    Ok(ExitCode::SUCCESS)
}

impl Shown {
    /// The receipt on a line that is never wrapped: it is kept as it is.
    fn document(&self) -> Document {
        Document::default().drawing(&self.receipt)
    }

    fn table(&self) -> Table {
        Table::of("", [self])
            .column("log", |shown| Cell::text(shown.head.log))
            .column("seq", |shown| Cell::count(shown.head.seq))
            .column("hash", |shown| Cell::text(shown.head.hash))
            .column("root", |shown| Cell::text(shown.head.root))
            .column("clock", |shown| Cell::text(clock(shown.clock)))
            .column("recorded_at", |shown| Cell::time(shown.recorded_at))
            .column("later", |shown| Cell::count(shown.later))
            .column("receipt", |shown| Cell::text(&shown.receipt))
            .table()
    }
}
