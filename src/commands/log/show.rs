//! `annals log show`: the event history of the log or of a stream.

use std::io::{IsTerminal as _, Write};
use std::process::ExitCode;

use annals_events::StreamName;
use annals_replay::paragraphs::{Paragraphs, Wanted, types};
use serde_json::json;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::ZoneArgs;
use crate::output::{damage_line, diagnostic, standard_output, write_json_line};
use crate::terminal::in_colour;

/// Show the event history of the log or of a stream
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show the event history of the log or of a stream\n\n\
        Events of one commit are under one heading with the time of recording. With --json the stored envelopes \
        are printed, one a line, with times in microseconds since 1970, UTC.",
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

    /// Print the envelopes as JSON, one a line
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let zone = args.zone.zone()?;
    let wanted = Wanted {
        types: args.event_type.as_deref().map(types).transpose()?,
        actor: args.actor.clone(),
        ..Wanted::between(args.from.as_deref(), args.to.as_deref(), &zone)?
    };
    let log = log_file::open(home)?;
    let stream = args.stream.as_deref().map(|text| log_file::stream(&log, text)).transpose()?;
    let mut out = standard_output();
    out.write_all(damage_line().as_bytes())?;
    if args.streams {
        for stream in log.streams(stream.as_ref().map(StreamName::family))? {
            let (name, version, last_seq) = (stream.name.as_str(), stream.version, stream.last_seq);
            if args.json {
                let value = json!({ "stream": name, "events": version, "last_seq": last_seq });
                write_json_line(&mut out, &value)?;
            } else {
                writeln!(out, "{version:>8}  {name}")?;
            }
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let colour = in_colour(std::io::stdout().is_terminal());
    let mut narrator = Paragraphs::new(&log, zone, &mut out, colour);
    let mut shown = 0;
    narrator.show_wanted(stream.as_ref(), &wanted, args.limit, |narrator, event| {
        shown += 1;
        if args.json { write_json_line(&mut narrator.out, event) } else { Ok(narrator.show(event)?) }
    })?;
    out.flush()?;
    if shown == 0 && !args.json {
        diagnostic("note: no event was selected");
    }
    Ok(ExitCode::SUCCESS)
}
