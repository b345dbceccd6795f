//! What every command of the desk shares: which tournament, who says so, when it happened, whether it is only tried; and
//! how players, pairings, amounts and times are named.

use std::process::ExitCode;

use annals_events::narrative::Narrator;
use annals_events::tournament::Evidence;
use annals_events::{BoardId, EventId, Micros, TournamentId};
use annals_replay::handler::{Directed, DirectorSession, Draft, Step, game_played};
use annals_replay::point;
use annals_tournaments::verdict::{Compliance, Verdict};
use serde_json::{Value, json};

use crate::errors::{CliError, InWords as _};
use crate::hints::after_close;
use crate::home::Home;
use crate::log_file::{self, ForAppend};
use crate::moments::{When, WhenArgs};
use crate::output::{diagnostic, one_line, write_json, write_text};

// Who directs, and when. (No comment of documentation: it would take the place of the command's own text.)
#[derive(Debug, clap::Args)]
pub struct DirectorArgs {
    #[command(flatten)]
    when: WhenArgs,

    /// Append nothing; print the events and their verdicts
    #[arg(long)]
    dry_run: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl DirectorArgs {
    /// Opens the log at a tournament, which must be there.
    pub fn open(&self, home: &Home, tournament: &str) -> Result<DirectorSession, CliError> {
        let session = self.begin(home, tournament)?;
        if session.log.stream_info(&session.stream)?.is_none() {
            // Says what is near.
            log_file::stream(&session.log, session.stream.as_str())?;
        }
        Ok(session)
    }

    /// Opens the log, and makes it where there is none, for a tournament that need not be there.
    pub fn begin(&self, home: &Home, tournament: &str) -> Result<DirectorSession, CliError> {
        let name = tournament.strip_prefix("tournament/").unwrap_or(tournament);
        let name: TournamentId = name.parse()?;
        let stream = format!("tournament/{name}").parse()?;
        let When { actor, at, zone } = self.when.read()?;
        if self.dry_run && !home.log().exists() {
            return Err(CliError::new("there is no log yet, and a dry run makes none")
                .hint("`annals log init` makes an empty one"));
        }
        let ForAppend { log, now, .. } = log_file::open_or_create(home, &actor, log_file::clock_at(at))?;
        Ok(DirectorSession { log, name, stream, at, now, actor, zone, dry_run: self.dry_run })
    }
}

/// Opens the log at a tournament, for what happens now.
pub fn session_now(home: &Home, tournament: &str, actor: &str) -> Result<DirectorSession, CliError> {
    DirectorArgs { when: WhenArgs::now(actor), dry_run: false, json: false }.open(home, tournament)
}

/// What a director requests of one tournament, as arguments.
pub trait Request: clap::Args {
    /// The parts of the request, which are carried out together.
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError>;
}

/// A request of one part.
pub fn one(step: impl Into<Step>) -> Result<Vec<Step>, CliError> {
    Ok(vec![step.into()])
}

// The command is described where its request is: a comment here would hide the longer text there.
#[derive(Debug, clap::Args)]
pub struct ByDirector<R: Request> {
    /// Tournament
    tournament: String,

    #[command(flatten)]
    request: R,

    #[command(flatten)]
    director: DirectorArgs,
}

impl<R: Request> ByDirector<R> {
    /// Carries out the request, and tells what was appended or would be.
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let mut session = self.director.open(home, &self.tournament)?;
        let steps = self.request.steps(&session)?;
        let directed = direct(&mut session, &steps)?;
        narrate(&session, &directed, self.director.json)
    }
}

/// Carries out several parts together.
pub fn direct(session: &mut DirectorSession, steps: &[Step]) -> Result<Directed, CliError> {
    session.direct(steps).map_err(|error| CliError::from(error).about(session.name.as_str()))
}

/// Tells what was appended or would be.
pub fn narrate(session: &DirectorSession, directed: &Directed, json: bool) -> Result<ExitCode, CliError> {
    let lines = directed.drafts.iter().map(line).collect::<Result<Vec<Value>, CliError>>()?;
    if json {
        write_json(&json!({
            "dry_run": session.dry_run,
            "events": lines,
            "verdicts": directed.verdicts,
            "first_seq": directed.appended.map(|appended| appended.first_seq),
            "last_seq": directed.appended.map(|appended| appended.last_seq),
            "receipt": directed.appended.map(|appended| appended.head.to_string()),
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let closes = directed.drafts.iter().any(|draft| draft.event_type == "tournament.closed");
    let open = |verdict: &&Verdict| closes && matches!(verdict.holds, Compliance::Undetermined { .. });
    let left = directed.verdicts.iter().filter(open).filter_map(|verdict| after_close(verdict.rule.id));
    let hints = left.map(|next| next.replace("TOURNAMENT", session.name.as_str()));
    let Some(appended) = directed.appended else {
        let mut out = String::new();
        for line in &lines {
            out += &format!("{line}\n");
        }
        write_text(&out)?;
        for verdict in &directed.verdicts {
            diagnostic(format_args!("note: {}", verdict_in_words(verdict)));
        }
        hints.for_each(|next| diagnostic(format_args!("  hint: {next}")));
        diagnostic(format_args!("note: a dry run; nothing was appended"));
        return Ok(ExitCode::SUCCESS);
    };
    let time = |at: Micros| point::show(at, &session.zone);
    let game = game_played(&session.state()?);
    let narrator = Narrator::new(&time).of_game(game);
    let mut out = String::new();
    for draft in &directed.drafts {
        let entry = draft.decode()?;
        out += &format!("{}\n", one_line(&narrator.narrate(&entry).what));
    }
    for verdict in &directed.verdicts {
        if !matches!(verdict.holds, Compliance::Compliant) {
            out += &format!("  {}\n", one_line(&verdict_in_words(verdict)));
        }
    }
    out += &format!("{}\n", appended.head);
    write_text(&out)?;
    match (appended.first_seq, appended.last_seq) {
        (first, last) if first == last => diagnostic(format_args!("note: appended event {first}")),
        (first, last) => diagnostic(format_args!("note: appended events {first} to {last}")),
    }
    hints.for_each(|next| diagnostic(format_args!("  hint: {next}")));
    Ok(ExitCode::SUCCESS)
}

/// An event as `annals log append` takes it.
fn line(draft: &Draft) -> Result<Value, CliError> {
    let payload: Value =
        serde_json::from_str(draft.payload.as_str()).cannot("an event cannot be written as JSON")?;
    let mut line = json!({
        "stream": draft.stream, "type": draft.event_type, "payload": payload, "effective_at": draft.effective_at,
    });
    if let (Some(id), Some(fields)) = (draft.id, line.as_object_mut()) {
        fields.insert("id".to_owned(), json!(EventId::to_string(&id)));
    }
    Ok(line)
}

/// A verdict on one line.
pub fn verdict_in_words(verdict: &Verdict) -> String {
    let (rule, word) = (&verdict.rule, verdict.holds.word());
    let why = match &verdict.holds {
        Compliance::Undetermined { why } => format!(": {why}"),
        Compliance::Violation { expected, found } => {
            format!(": expected {expected}; found: {found}")
        }
        _ => String::new(),
    };
    format!("{}: {word} [{}, {}]{why}", verdict.subject, rule.id.name(), rule.paragraph)
}

/// Reads a pairing for clap.
pub fn pairing(text: &str) -> Result<BoardId, String> {
    text.parse().map_err(|e: annals_events::NameError| e.to_string())
}

/// Reads a word of a closed list for clap.
pub fn word<T: std::str::FromStr<Err = annals_events::UnknownWord>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|e: annals_events::UnknownWord| e.to_string())
}

/// Reads an amount of money for clap: whole units, or with two decimals; gives cents.
pub fn cents(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no amount; write 150 or 150.50");
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || !matches!(part.len(), 1 | 2) {
        return Err(wrong());
    }
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let cents: u64 = format!("{part:0<2}").parse().map_err(|_| wrong())?;
    whole.checked_mul(100).and_then(|hundreds| hundreds.checked_add(cents)).ok_or_else(wrong)
}

/// Evidence in words, each its own piece.
pub fn evidence(texts: &[String]) -> Vec<Evidence> {
    let piece = |text: &String| Evidence {
        text: text.clone(),
        source: None,
        digest: None,
        game: None,
        ply: None,
        seq: None,
    };
    texts.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_written_in_units_with_or_without_cents() {
        for (text, is) in [("150", 15_000), ("150.5", 15_050), ("0.07", 7), ("12.34", 1_234)] {
            assert_eq!(cents(text), Ok(is), "{text}");
        }
        for bad in ["", ".5", "1.234", "-1", "1,50", "99999999999999999999", "1."] {
            assert!(cents(bad).is_err(), "{bad}");
        }
    }
}
