//! `annals log append`: events decided by the rules, all of them or none.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_events::StreamName;
use annals_ingest::input_file;
use annals_replay::draft_lines::DraftText;
use annals_replay::handler::{self, Draft};
use annals_store::{Appended, Clock as _, Expected, Log, MachineClock};
use serde_json::json;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::{ZoneArgs, instant};
use crate::output::{talk, write_json, write_text};

/// Append events that the rules allow, all or none
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Append events that the rules allow, all or none\n\n\
        Each line is JSON: {\"stream\", \"type\", \"payload\"}, and optionally \"effective_at\" (a time, or a \
        date, which is its end), \"id\" (recognizes a repetition), \"actor\" and \"schema\".\n\n\
        The rules check every event. If one is rejected, nothing of the file is appended. The receipt is printed \
        once everything is safe on the disk. If there is no log, one is created.",
    after_help = "Examples:\n  \
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
    expect: Vec<Expectation>,

    /// Time to which the clock of a simulated log is set first
    #[arg(long, value_name = "TIME")]
    at: Option<String>,

    #[command(flatten)]
    zone: ZoneArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A stream and the version that it should have; 0 where it should have no event.
#[derive(Debug, Clone)]
struct Expectation {
    stream: StreamName,
    version: u64,
}

fn expectation(text: &str) -> Result<Expectation, String> {
    let wrong = || format!("expected tournament/wcc-2015=118 or tournament/wcc-2016=new, found `{text}`");
    let (stream, version) = text.rsplit_once('=').ok_or_else(wrong)?;
    let stream = stream.parse::<StreamName>().map_err(|e| e.to_string())?;
    let version =
        if version == "new" { Some(0) } else { version.parse().ok().filter(|version| *version > 0) };
    Ok(Expectation { stream, version: version.ok_or_else(wrong)? })
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let actor = args.actor.name()?;
    let zone = args.zone.zone()?;
    let at = args.at.as_deref().map(|text| instant(text, &zone)).transpose()?;
    let text = draft_text(&args.file)?;
    if !home.log().exists() {
        // What cannot be read makes no log.
        text.read(MachineClock.now(), &zone)?;
    }
    let mut open = log_file::open_or_create(home, &actor, at)?;
    let lines = text.read(open.now, &zone)?;
    let mut drafts: Vec<Draft> = lines.into_iter().map(|line| line.draft).collect();
    time_repetitions(&open.log, &mut drafts)?;
    let expected = if is_repetition(&open.log, &drafts)? { Vec::new() } else { args.expect };
    check(&open.log, &expected)?;
    let appended = append(&mut open.log, &drafts, &actor, expected)?;
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

/// Gives drafts without a stated time the one under which the log took them before, so that sending them again is a repetition.
fn time_repetitions(log: &Log, drafts: &mut [Draft]) -> Result<(), CliError> {
    for draft in drafts.iter_mut().filter(|draft| draft.now) {
        let Some(id) = draft.id else { continue };
        if let Some(taken) = log.find(id)? {
            draft.effective_at = taken.effective_at;
        }
    }
    Ok(())
}

/// Whether the log holds the first of the drafts already: then what was expected of the streams has come true.
fn is_repetition(log: &Log, drafts: &[Draft]) -> Result<bool, CliError> {
    match drafts.first().and_then(|draft| draft.id) {
        Some(id) => Ok(log.find(id)?.is_some()),
        None => Ok(false),
    }
}

/// Appends through the desk; what is expected of streams is asked of the log once more in the same breath in which it
/// takes the events, so that nobody gets in between.
fn append(
    log: &mut Log,
    drafts: &[Draft],
    actor: &str,
    expected: Vec<Expectation>,
) -> Result<Appended, CliError> {
    let expected: Vec<(StreamName, Expected)> = expected
        .into_iter()
        .map(|Expectation { stream, version }| {
            (stream, if version == 0 { Expected::NoStream } else { Expected::Version(version) })
        })
        .collect();
    Ok(handler::append(log, drafts, actor, &expected)?)
}

/// Holds the streams against what is expected of them, before anything is decided.
fn check(log: &Log, expected: &[Expectation]) -> Result<(), CliError> {
    for Expectation { stream, version } in expected {
        let found = log.stream_info(stream)?;
        let is = found.as_ref().map_or(0, |info| info.version);
        if is == *version {
            continue;
        }
        return Err(CliError::new(format!(
            "stream `{stream}`: expected version {version}, found version {is}"
        ))
        .reason("another process appended in the meantime")
        .state("nothing was appended")
        .hint(format!("`annals log show {stream}` shows the new events")));
    }
    Ok(())
}

fn report(appended: &Appended, json: bool) -> Result<(), CliError> {
    let span = match (appended.first_seq, appended.last_seq) {
        (first, last) if first == last => format!("event {first}"),
        (first, last) => format!("events {first} to {last}"),
    };
    if appended.repeated {
        talk(format_args!("note: {span} were in the log already, the same; nothing was appended"));
    } else {
        talk(format_args!("note: appended {span}"));
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
        let read = |text| expectation(text).map(|e| (e.stream.to_string(), e.version)).ok();
        assert_eq!(read("tournament/wcc-2015=118"), Some(("tournament/wcc-2015".to_owned(), 118)));
        assert_eq!(read("people/omar=new"), Some(("people/omar".to_owned(), 0)));
        for bad in ["people/omar", "omar=1", "people/omar=0", "people/omar=-1", "people/omar=", "=1"] {
            assert!(read(bad).is_none(), "{bad}");
        }
    }
}
