//! `annals log show`: the event history of the log or of a stream.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use annals_events::StreamName;
use annals_replay::event_rows::{EventRow, rows};
use annals_replay::paragraphs::{Paragraphs, Wanted, types};
use annals_report::{Cell, Document, Table};
use annals_store::Log;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::ZoneArgs;
use crate::output::{diagnostic, write_json_line};
use crate::terminal::{in_colour, screen};

/// Show the event history of the log or of a stream
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show the event history of the log or of a stream\n\n\
        Events of one commit are under one heading with the time of recording. With --json the stored envelopes \
        are written, one a line, with times in microseconds since 1970, UTC. CSV, TSV, HTML and Markdown have a row for \
        each event.",
    after_long_help = "Examples:\n  \
        annals log show --limit 20\n  \
        annals log show tournament/wcc-2015 --type ruling_given --tz EST\n  \
        annals log show game/arimaa-669192 --json | jq -r .payload.steps\n  \
        annals log show --streams\n  \
        annals log show --actor omar --from 2015-03-01 --to seq:900"
)]
pub struct Args {
    /// Stream, or its name [default: the whole log]
    stream: Option<String>,

    /// First point: a time, a date or year (its beginning), or seq:N
    #[arg(long, value_name = "POINT")]
    from: Option<String>,

    /// Last point: a time, a date or year (its end), or seq:N
    #[arg(long, value_name = "POINT")]
    to: Option<String>,

    /// Type (`game.ended`, `ended`) or family (`game`) of the events
    #[arg(long = "type", value_name = "TYPE")]
    event_type: Option<String>,

    /// Actor of the events
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,

    /// Maximum number of events; the last ones are shown
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// List the streams with the number of their events
    #[arg(long, conflicts_with_all = ["from", "to", "event_type", "actor", "limit"])]
    streams: bool,

    #[command(flatten)]
    zone: ZoneArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let zone = args.zone.zone()?;
    let wanted = Wanted {
        types: args.event_type.as_deref().map(types).transpose()?,
        actor: args.actor.clone(),
        ..Wanted::between(args.from.as_deref(), args.to.as_deref(), &zone)?
    };
    let log = log_file::open(home)?;
    let stream = args.stream.as_deref().map(|text| log_file::stream(&log, text)).transpose()?;
    let title = stream.as_ref().map_or_else(|| "All events".to_owned(), ToString::to_string);
    match args.streams {
        true => show_streams(&args.form, &log, stream.as_ref())?,
        false => show_events(&args, &log, (stream.as_ref(), &wanted), (&title, &zone))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn show_streams(form: &DocumentArgs, log: &Log, stream: Option<&StreamName>) -> Result<(), CliError> {
    let streams = log.streams(stream.map(StreamName::family))?;
    let Some((mut out, is_json)) = form.stream()? else {
        let table = Table::of("", &streams)
            .column("stream", |stream| Cell::text(&stream.name))
            .column("events", |stream| Cell::count(stream.version))
            .column("last_seq", |stream| Cell::count(stream.last_seq))
            .table();
        return form.write_in(&(), &TimeZone::UTC, || Document::new("Streams").table(table));
    };
    for stream in &streams {
        let (name, version, last_seq) = (stream.name.as_str(), stream.version, stream.last_seq);
        if is_json {
            write_json_line(&mut out, &json!({ "stream": name, "events": version, "last_seq": last_seq }))?;
        } else {
            writeln!(out, "{version:>8}  {name}")?;
        }
    }
    form.finish(out)
}

const NONE: &str = "note: no event was selected";

/// Shows the wanted events of a stream or of the log.
fn show_events(
    args: &Args,
    log: &Log,
    (stream, wanted): (Option<&StreamName>, &Wanted),
    (title, zone): (&str, &TimeZone),
) -> Result<(), CliError> {
    let Some((mut out, is_json)) = args.form.stream()? else {
        let rows = rows(log, zone, stream, wanted, args.limit)?;
        args.form.write_in(&(), zone, || Document::new(title).table(EventRow::table(&rows)))?;
        if rows.is_empty() {
            diagnostic(NONE);
        }
        return Ok(());
    };
    let mut shown = 0;
    let colour = args.form.is_printed() && in_colour(std::io::stdout().is_terminal());
    let screen = args.form.is_printed().then(|| screen("")).flatten();
    let mut narrator = Paragraphs::new(log, zone.clone(), &mut out, colour).on(screen);
    narrator.show_wanted(stream, wanted, args.limit, |narrator, event| {
        shown += 1;
        if is_json { write_json_line(&mut narrator.out, event) } else { Ok(narrator.show(event)?) }
    })?;
    args.form.finish(out)?;
    if shown == 0 && !is_json {
        diagnostic(NONE);
    }
    Ok(())
}
