//! `annals log append`: events decided by the rules, all of them or none.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_events::StreamName;
use annals_ingest::input_file;
use annals_replay::draft_lines::DraftText;
use annals_replay::handler::{Draft, append_or_repeat};
use annals_store::Appended;
use serde_json::json;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::{ZoneArgs, instant};
use crate::output::{diagnostic, write_json, write_text};

/// Append events that the rules allow, all or none
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Append events that the rules allow, all or none\n\n\
        Each line is JSON: {\"stream\", \"type\", \"payload\"}, and optionally \"effective_at\", \"id\" (recognizes a \
        repetition), \"actor\" and \"schema\". \"effective_at\" is a time, a date (its end), or a month, season or year \
        (its beginning).\n\n\
        The rules check every event. If one is rejected, nothing of the file is appended. The receipt is printed \
        once everything is safe on the disk.",
    after_long_help = "Examples:\n  \
        annals log append round4.jsonl --actor omar\n  \
        annals log append ruling.jsonl --expect tournament/wcc-2015=118\n  \
        annals log append first.jsonl --expect tournament/wcc-2016=new\n  \
        annals log append - < events.jsonl\n\n\
        An event, and one that strikes an event of its stream:\n  \
        {\"stream\":\"people/omar\",\"type\":\"people.player_known\",\n   \
        \"payload\":{\"kind\":\"human\",\"name\":\"Omar\",\"player\":\"omar\"}}\n  \
        {\"stream\":\"game/final\",\"type\":\"log.correction\",\n   \
        \"payload\":{\"change\":\"strike\",\"corrects\":57,\"reason\":\"mistyped\"}}"
)]
pub struct Args {
    /// File of events, one a line; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    #[command(flatten)]
    actor: ActorArgs,

    /// Version at which the stream must end, or `new`; may be repeated
    #[arg(long, value_name = "STREAM=VERSION|new", value_parser = expectation)]
    expect: Vec<(StreamName, u64)>,

    /// Time to which the clock of a simulated log is set first
    #[arg(long, value_name = "TIME")]
    at: Option<String>,

    #[command(flatten)]
    zone: ZoneArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A stream and the version at which it should end; 0 for no event.
fn expectation(text: &str) -> Result<(StreamName, u64), String> {
    let wrong = || format!("expected tournament/wcc-2015=118 or tournament/wcc-2016=new, found `{text}`");
    let (stream, version) = text.rsplit_once('=').ok_or_else(wrong)?;
    let stream = stream.parse::<StreamName>().map_err(|e| e.to_string())?;
    let version = match version {
        "new" => Some(0),
        version => version.parse().ok().filter(|version| *version > 0),
    };
    Ok((stream, version.ok_or_else(wrong)?))
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let actor = args.actor.name()?;
    let zone = args.zone.zone()?;
    let at = args.at.as_deref().map(|text| instant(text, &zone)).transpose()?;
    let text = draft_text(&args.file)?;
    let mut open = log_file::open_existing(home, at)?;
    let lines = text.read(open.now, &zone)?;
    let mut drafts: Vec<Draft> = lines.into_iter().map(|line| line.draft).collect();
    let appended = append_or_repeat(&mut open.log, &mut drafts, &actor, &args.expect)?;
    report(&appended, args.json)?;
    Ok(ExitCode::SUCCESS)
}

/// The drafts in a file; `-` is standard input.
pub fn draft_text(file: &Path) -> Result<DraftText, CliError> {
    if file.as_os_str() == "-" {
        let text = input_file::standard_input().cannot("cannot read events from standard input")?;
        return Ok(DraftText::new("standard input".to_owned(), text));
    }
    let name = file.display().to_string();
    let text = input_file::text(file).cannot(format_args!("cannot read the events in {name}"))?;
    Ok(DraftText::new(name, text))
}

fn report(appended: &Appended, json: bool) -> Result<(), CliError> {
    let span = match (appended.first_seq, appended.last_seq) {
        (first, last) if first == last => format!("event {first}"),
        (first, last) => format!("events {first} to {last}"),
    };
    if appended.repeated {
        diagnostic(format_args!("note: {span} were in the log already, the same; nothing was appended"));
    } else {
        diagnostic(format_args!("note: appended {span}"));
    }
    if json {
        write_json(&json!({
            "first_seq": appended.first_seq, "last_seq": appended.last_seq, "recorded_at": appended.recorded_at,
            "repeated": appended.repeated, "head": appended.head, "receipt": appended.head.to_string(),
        }))
    } else {
        write_text(&format!("{}\n", appended.head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_names_a_stream_and_a_version_or_none() {
        let read = |text| expectation(text).map(|(stream, version)| (stream.to_string(), version)).ok();
        assert_eq!(read("tournament/wcc-2015=118"), Some(("tournament/wcc-2015".to_owned(), 118)));
        assert_eq!(read("people/omar=new"), Some(("people/omar".to_owned(), 0)));
        for bad in ["people/omar", "omar=1", "people/omar=0", "people/omar=-1", "people/omar=", "=1"] {
            assert!(read(bad).is_none(), "{bad}");
        }
    }
}
