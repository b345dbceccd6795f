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

/// Show the log as a story: when, who, what, why.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show the log as a story: when, who, what, why. All of it, or one stream; narrowed down by position, type, \
        actor, and by when things happened. What stands in one commit is shown under one heading, with the time at which \
        the log took it.\n\nWith --json: the envelopes as they are stored, one a line, payload included; times are in \
        microseconds since 1970, UTC.",
    after_help = "Examples:\n  annals log show --last 20\n  annals log show tournament/wcc-2015 --type ruling_given --tz EST\n  \
        annals log show game/arimaa-669192 --json | jq -r .payload.steps\n  \
        annals log show --streams\n  annals log show --actor omar --since 2015-03-01 --until 2015-03-15"
)]
pub struct Args {
    /// One stream: `tournament/wcc-2015`, or its name alone where no other stream has it.
    stream: Option<String>,

    /// From this event on.
    #[arg(long, value_name = "SEQ")]
    from: Option<u64>,

    /// Up to this event.
    #[arg(long, value_name = "SEQ")]
    to: Option<u64>,

    /// Only events of this type (`game.ended`, `ended`), or of this family (`game`).
    #[arg(long = "type", value_name = "TYPE")]
    event_type: Option<String>,

    /// Only what this actor said.
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,

    /// Only what happened at this time or later; a date means its beginning.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Only what happened up to this time; a date means its end.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,

    /// Only the last N of these.
    #[arg(long, value_name = "N")]
    last: Option<usize>,

    /// Only list the streams, each with the number of its events.
    #[arg(long, conflicts_with_all = ["from", "to", "event_type", "actor", "since", "until", "last"])]
    streams: bool,

    #[command(flatten)]
    zone: ZoneArgs,

    /// Print the envelopes as JSON, one a line.
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
