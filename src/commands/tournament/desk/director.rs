//! What every command of the desk shares: which tournament, who says so, when it happened, whether it is only tried; and
//! how players, pairings, amounts and times are named.

use std::process::ExitCode;

use annals_events::narrative::Narrator;
use annals_events::tournament::Evidence;
use annals_events::{
    BoardId, EventId, GameKind, Micros, PlayerId, StreamName, TournamentEvent, TournamentId,
};
use annals_replay::handler::{self, BeginError, DirectError, Directed, Director, PlayError, Step};
use annals_replay::{Cut, People, Replayed, Scope, TournamentReplay, people_at, point};
use annals_store::Log;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;
use annals_tournaments::verdict::{Compliance, Verdict};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::commands::tournament::hints::{after_close, hint};
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::{ZoneArgs, instant};
use crate::output::{one_line, talk, write_json, write_text};
use crate::suggest::nearest;

/// Who directs, and when.
#[derive(Debug, clap::Args)]
pub struct DirectorArgs {
    #[command(flatten)]
    actor: ActorArgs,

    /// When it happened: a time, or a date (its end); now where it is not given. A simulated log's clock moves on to it.
    #[arg(long, value_name = "TIME")]
    at: Option<String>,

    #[command(flatten)]
    zone: ZoneArgs,

    /// Append nothing; print what would be appended, as `annals log append` takes it, and what the rules say of it.
    #[arg(long)]
    dry_run: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The log open at a tournament.
pub struct AtWork {
    /// The log.
    pub log: Log,
    /// The tournament's name.
    pub name: TournamentId,
    /// Its stream.
    pub stream: StreamName,
    /// When it happens, where that is stated.
    pub at: Option<Micros>,
    /// What the log's clock shows.
    pub now: Micros,
    /// Who says so.
    pub actor: String,
    /// The zone of times.
    pub zone: TimeZone,
    /// Whether nothing is appended.
    pub dry_run: bool,
    json: bool,
}

impl DirectorArgs {
    /// Opens the log at a tournament, which must be there.
    pub fn open(&self, home: &Home, tournament: &str) -> Result<AtWork, CliError> {
        let work = self.begin(home, tournament)?;
        if work.log.stream_info(&work.stream)?.is_none() {
            // Says what is near.
            log_file::stream(&work.log, work.stream.as_str())?;
        }
        Ok(work)
    }

    /// Opens the log, and makes it where there is none, for a tournament that need not be there.
    pub fn begin(&self, home: &Home, tournament: &str) -> Result<AtWork, CliError> {
        let name = tournament.strip_prefix("tournament/").unwrap_or(tournament);
        let name: TournamentId = name.parse().map_err(|e| CliError::from_error(&e))?;
        let stream: StreamName =
            format!("tournament/{name}").parse().map_err(|e| CliError::from_error(&e))?;
        let actor = self.actor.name()?;
        let zone = self.zone.zone()?;
        let at = self.at.as_deref().map(|text| instant(text, &zone)).transpose()?;
        if self.dry_run && !home.log().exists() {
            return Err(CliError::new("there is no log yet, and a dry run makes none")
                .hint("`annals log create` makes an empty one"));
        }
        let set_to = log_file::clock_set_to(home, at)?;
        let open = log_file::open_or_create(home, &actor, set_to)?;
        let (log, now) = (open.log, open.now);
        Ok(AtWork { log, name, stream, at, now, actor, zone, dry_run: self.dry_run, json: self.json })
    }
}

impl AtWork {
    /// Opens the log at a tournament, for what happens now.
    pub fn now(home: &Home, tournament: &str, actor: &str) -> Result<AtWork, CliError> {
        let zone = ZoneArgs { tz: "UTC".to_owned() };
        let actor = ActorArgs::of(actor);
        DirectorArgs { actor, at: None, zone, dry_run: false, json: false }.open(home, tournament)
    }

    /// When it happens: as stated, or now.
    pub fn moment(&self) -> Micros {
        self.at.unwrap_or(self.now)
    }

    /// The tournament as it stands.
    pub fn state(&self) -> Result<Tournament, CliError> {
        let scope = Scope::Stream(self.stream.clone());
        Ok(Replayed::<TournamentReplay>::rebuild(&self.log, scope, &Cut::NOW)?.into_state().tournament)
    }

    /// Everybody that the log knows.
    pub fn people(&self) -> Result<People, CliError> {
        Ok(people_at(&self.log, &Cut::NOW)?)
    }

    /// A player by identity or by a name that only one has: of those who entered first, then of everybody known.
    pub fn player(&self, text: &str) -> Result<PlayerId, CliError> {
        let state = self.state()?;
        let people = self.people()?;
        let entered: Vec<(PlayerId, String)> =
            state.entrants.iter().map(|(id, entrant)| (id.clone(), entrant.name.clone())).collect();
        let known: Vec<(PlayerId, String)> =
            people.identities().map(|one| (one.player.clone(), one.name.clone())).collect();
        for among in [&entered, &known] {
            if let Some((id, _)) = among.iter().find(|(id, _)| id.as_str() == text) {
                return Ok(id.clone());
            }
            let mut named: Vec<&PlayerId> =
                among.iter().filter(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(id, _)| id).collect();
            named.dedup();
            match named.as_slice() {
                [] => {}
                [one] => return Ok((*one).clone()),
                several => {
                    let ids: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
                    return Err(CliError::new(format!("`{text}` is the name of several players"))
                        .hint(format!("name one of them by identity: {}", ids.join(", "))));
                }
            }
        }
        let names = || {
            entered
                .iter()
                .chain(&known)
                .flat_map(|(id, name)| [(id.as_str(), id.as_str()), (name.as_str(), id.as_str())])
        };
        let error = CliError::new(format!(
            "no player called `{text}` has entered, and the log knows no player of that name"
        ));
        Err(match nearest(text, names().map(|(name, _)| name)) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint("`annals tournament register` makes a player known and enters them"),
        })
    }

    /// A player by identity, also one that the log does not know, or by name.
    pub fn identity(&self, text: &str) -> Result<PlayerId, CliError> {
        text.parse().or_else(|_| self.player(text))
    }

    /// Several players.
    pub fn players(&self, texts: &[String]) -> Result<Vec<PlayerId>, CliError> {
        texts.iter().map(|text| self.player(text)).collect()
    }

    /// A time in the zone asked for.
    pub fn time(&self, text: &str) -> Result<Micros, CliError> {
        instant(text, &self.zone)
    }

    /// Carries out one request.
    pub fn ask(self, command: Command) -> Result<ExitCode, CliError> {
        self.carry_out(&[command.into()])
    }

    /// Records one event as it is told.
    pub fn record(self, event: TournamentEvent) -> Result<ExitCode, CliError> {
        self.carry_out(&[event.into()])
    }

    /// Carries out several parts together, and tells what was appended or would be.
    pub fn carry_out(mut self, steps: &[Step]) -> Result<ExitCode, CliError> {
        let directed = self.direct(steps)?;
        self.narrate(&directed)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Carries out several parts together.
    pub fn direct(&mut self, steps: &[Step]) -> Result<Directed, CliError> {
        let director =
            Director { stream: &self.stream, at: self.at, actor: &self.actor, dry_run: self.dry_run };
        handler::direct_steps(&mut self.log, &director, steps)
            .map_err(|error| refused(&error, self.name.as_str()))
    }

    /// What would come of several parts together.
    pub fn tried(&self, steps: &[Step]) -> Result<Directed, CliError> {
        let director = Director { stream: &self.stream, at: self.at, actor: &self.actor, dry_run: true };
        handler::try_steps(&self.log, &director, steps).map_err(|error| refused(&error, self.name.as_str()))
    }

    /// Tells what was appended or would be.
    pub fn narrate(&self, directed: &Directed) -> Result<(), CliError> {
        let lines = directed.drafts.iter().map(line).collect::<Result<Vec<Value>, CliError>>()?;
        if self.json {
            return write_json(&json!({
                "dry_run": self.dry_run,
                "events": lines,
                "verdicts": directed.verdicts,
                "first_seq": directed.appended.map(|appended| appended.first_seq),
                "last_seq": directed.appended.map(|appended| appended.last_seq),
                "receipt": directed.appended.map(|appended| appended.head.to_string()),
            }));
        }
        let closes = directed.drafts.iter().any(|draft| draft.event_type == "tournament.closed");
        let open = |verdict: &&Verdict| closes && matches!(verdict.holds, Compliance::Undetermined { .. });
        let left = directed.verdicts.iter().filter(open).filter_map(|verdict| after_close(verdict.rule.id));
        let hints = left.map(|next| next.replace("TOURNAMENT", self.name.as_str()));
        let Some(appended) = directed.appended else {
            let mut out = String::new();
            for line in &lines {
                out += &format!("{line}\n");
            }
            write_text(&out)?;
            for verdict in &directed.verdicts {
                talk(format_args!("annals: {}", verdict_in_words(verdict)));
            }
            hints.for_each(|next| talk(format_args!("  hint: {next}")));
            talk(format_args!("annals: a dry run; nothing was appended"));
            return Ok(());
        };
        let time = |at: Micros| point::show(at, &self.zone);
        let game = self.state()?.announced.map_or(GameKind::Arimaa, |announced| announced.game);
        let narrator = Narrator::new(&time).of_game(game);
        let mut out = String::new();
        for draft in &directed.drafts {
            let entry = draft.decode().map_err(|e| CliError::from_error(&e))?;
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
            (first, last) if first == last => talk(format_args!("annals: appended event {first}")),
            (first, last) => talk(format_args!("annals: appended events {first} to {last}")),
        }
        hints.for_each(|next| talk(format_args!("  hint: {next}")));
        Ok(())
    }
}

/// An event as `annals log append` takes it.
fn line(draft: &handler::Draft) -> Result<Value, CliError> {
    let payload: Value = serde_json::from_str(draft.payload.as_str())
        .map_err(|e| CliError::new(format!("an event cannot be written as JSON: {e}")))?;
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

/// A refusal with the next step, in which the tournament is named.
fn refused(error: &DirectError, tournament: &str) -> CliError {
    let DirectError::Refused(refusal) = error else { return CliError::from_error(error) };
    let told = CliError::new(refusal);
    match refusal.next.as_ref().and_then(hint) {
        Some(next) => told.hint(next.replace("TOURNAMENT", tournament)),
        None => told,
    }
}

impl From<DirectError> for CliError {
    fn from(error: DirectError) -> CliError {
        refused(&error, "TOURNAMENT")
    }
}

impl From<BeginError> for CliError {
    fn from(error: BeginError) -> CliError {
        CliError::from_error(&error)
    }
}

impl From<PlayError> for CliError {
    fn from(error: PlayError) -> CliError {
        CliError::from_error(&error)
    }
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
