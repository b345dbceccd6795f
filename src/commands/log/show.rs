//! `annals log show`: the log as a story. One commit is one paragraph: who recorded it and when; then, event by
//! event, when it happened, where it stands, what happened, and why.

use std::collections::VecDeque;
use std::io::{IsTerminal as _, Write};
use std::process::ExitCode;

use annals_events::{RawEnvelope, StreamName};
use annals_replay::point;
use annals_replay::story::{Paragraphs, Wanted, types};
use serde_json::json;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::{ZoneArgs, instant};
use crate::output::{damage_line, standard_output, talk, write_json_line};

/// Show the event history of the log or of a stream
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show the event history of the log or of a stream\n\n\
        Events of one commit are under one heading with the time of recording. With --json the stored envelopes \
        are printed, one a line, with times in microseconds since 1970, UTC.",
    after_help = "Examples:\n  \
        annals log show --limit 20\n  \
        annals log show tournament/wcc-2015 --type ruling_given --tz EST\n  \
        annals log show game/arimaa-669192 --json | jq -r .payload.steps\n  \
        annals log show --streams\n  \
        annals log show --actor omar --from 2015-03-01 --to seq:900"
)]
pub struct Args {
    /// Stream, or its name [default: the whole log]
    stream: Option<String>,

    /// First point: a time, a date (its beginning), or seq:N
    #[arg(long, value_name = "SEQ")]
    from: Option<u64>,

    /// Last point: a time, a date (its end), or seq:N
    #[arg(long, value_name = "SEQ")]
    to: Option<u64>,

    /// Type (`game.ended`, `ended`) or family (`game`) of the events
    #[arg(long = "type", value_name = "TYPE")]
    event_type: Option<String>,

    /// Actor of the events
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,

    /// Only what happened at this time or later; a date means its beginning.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Only what happened up to this time; a date means its end.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,

    /// Maximum number of events; the last ones are shown
    #[arg(long, value_name = "N")]
    last: Option<usize>,

    /// List the streams with the number of their events
    #[arg(long, conflicts_with_all = ["from", "to", "event_type", "actor", "since", "until", "last"])]
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
        range: args.from.unwrap_or(1).max(1)..=args.to.unwrap_or(u64::MAX),
        types: args.event_type.as_deref().map(types).transpose()?,
        actor: args.actor.clone(),
        since: args.since.as_deref().map(|text| point::beginning(text, &zone)).transpose()?,
        until: args.until.as_deref().map(|text| instant(text, &zone)).transpose()?,
    };
    let log = log_file::open(home)?;
    let stream = args.stream.as_deref().map(|text| log_file::stream(&log, text)).transpose()?;
    let mut out = standard_output();
    out.write_all(damage_line().as_bytes())?;
    if args.streams {
        for stream in log.streams(stream.as_ref().map(StreamName::family))? {
            if args.json {
                let (name, version, last_seq) = (stream.name.as_str(), stream.version, stream.last_seq);
                let value = json!({ "stream": name, "events": version, "last_seq": last_seq });
                write_json_line(&mut out, &value)?;
            } else {
                writeln!(out, "{:>8}  {}", stream.version, stream.name)?;
            }
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut narrator = Paragraphs::new(&log, zone, &mut out, colour);
    let show = |event: &RawEnvelope, narrator: &mut Paragraphs<'_, _>| {
        if args.json { write_json_line(&mut narrator.out, event) } else { Ok(narrator.show(event)?) }
    };
    if let Some(stream) = &stream {
        // All of it, since a correction stands in the stream of what it corrects.
        let all = log.stream(stream, u64::MAX)?;
        all.iter().for_each(|event| narrator.note_correction(event));
        let chosen: Vec<&RawEnvelope> = all.iter().filter(|event| wanted.holds(event)).collect();
        let skip = args.last.map_or(0, |last| chosen.len().saturating_sub(last));
        for event in chosen.into_iter().skip(skip) {
            show(event, &mut narrator)?;
        }
    } else {
        let mut last: VecDeque<RawEnvelope> = VecDeque::new();
        for event in log.events(wanted.without_reading_more(&log, args.last)?) {
            let event = event?;
            if !wanted.holds(&event) {
                continue;
            }
            match args.last {
                None => show(&event, &mut narrator)?,
                Some(0) => break,
                Some(keep) => {
                    if last.len() == keep {
                        last.pop_front();
                    }
                    last.push_back(event);
                }
            }
        }
        last.iter().for_each(|event| narrator.note_correction(event));
        for event in &last {
            show(event, &mut narrator)?;
        }
    }
    let shown = narrator.shown;
    out.flush()?;
    if shown == 0 && !args.json {
        talk(format_args!("note: no event is as asked for"));
    }
    Ok(ExitCode::SUCCESS)
}
