//! What the commands that bring a tournament in have in common: how it is to be recorded, and its way into the log.

use std::collections::BTreeMap;
use std::path::Path;

use annals_events::tournament::Stage;
use annals_events::{Entry, Event, PROGRAM, PlayerId, StreamName, TournamentId};
use annals_ingest::archive_games::{file_digest, text_digest};
use annals_ingest::imported::{ImportedEvent, Recording};
use annals_ingest::source::SourceFile;
use annals_replay::handler::{Draft, SourceNote, TournamentImport};
use annals_tournaments::rulebook::Rulebook;

use crate::errors::{CliError, InWords as _};
use crate::terminal::grouped;

/// How a tournament is to be recorded.
#[derive(Debug, clap::Args)]
pub struct RecordingArgs {
    /// Name of the tournament in the log
    #[arg(long = "as", value_name = "NAME")]
    id: Option<TournamentId>,

    /// Rulebook
    #[arg(long, value_name = "RULEBOOK", default_value = "wcc-2015")]
    rulebook: String,

    /// Stage of the rounds [default: the first that is played by rounds]
    #[arg(long, value_name = "STAGE")]
    stage: Option<Stage>,

    /// Reading of an ambiguous text (T7=B), or finalists=12; may be repeated
    #[arg(long = "option", value_name = "T7=B", value_parser = option)]
    options: Vec<(String, String)>,

    /// Title [default: the name in the log]
    #[arg(long, value_name = "TITLE")]
    name: Option<String>,

    /// Identity of a player of the file; may be repeated [default: the name in lower case]
    #[arg(long = "player", value_name = "NAME=IDENTITY", value_parser = identity)]
    players: Vec<(String, PlayerId)>,
}

fn option(text: &str) -> Result<(String, String), String> {
    let halves = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`; write T7=B"))?;
    Ok((halves.0.to_owned(), halves.1.to_owned()))
}

fn identity(text: &str) -> Result<(String, PlayerId), String> {
    let (name, id) = text
        .rsplit_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| format!("`{text}` names no player and identity; write Fritzlein=karl-juhnke"))?;
    Ok((name.to_owned(), id.parse::<PlayerId>().map_err(|e| e.to_string())?))
}

impl RecordingArgs {
    /// What is asked for.
    pub fn recording(&self) -> Result<Recording, CliError> {
        let mut rulebook = Rulebook::named(&self.rulebook)?;
        for (name, value) in &self.options {
            rulebook.choose(name, value)?;
        }
        let id = self.id()?;
        let shown = self.name.clone().unwrap_or_else(|| id.to_string());
        let mut recording = Recording::new(&shown, rulebook);
        if let Some(stage) = self.stage {
            if recording.rulebook.stage(stage).is_none() {
                let stages: Vec<&str> =
                    recording.rulebook.stages.iter().map(|rules| rules.stage.word()).collect();
                let what = format!("the rulebook {} has no stage `{stage}`", recording.rulebook.name);
                return Err(CliError::new(what).hint(format!("its stages are {}", stages.join(", "))));
            }
            recording.stage = stage;
        }
        let mut taken: BTreeMap<&PlayerId, &str> = BTreeMap::new();
        for (name, id) in &self.players {
            if let Some(other) = taken.insert(id, name).filter(|other| other != name) {
                let what = format!("`{id}` cannot be both `{other}` and `{name}` of one tournament");
                return Err(CliError::new(what));
            }
            recording.identities.insert(name.clone(), id.clone());
        }
        Ok(recording)
    }

    /// The stream of the tournament.
    pub fn stream(&self) -> Result<StreamName, CliError> {
        stream(self.id()?.as_str())
    }

    fn id(&self) -> Result<&TournamentId, CliError> {
        self.id.as_ref().ok_or_else(|| {
            CliError::new("a tournament needs a name in the log").hint("give it one, such as --as wc-2006")
        })
    }
}

/// The stream of a tournament.
pub fn stream(id: &str) -> Result<StreamName, CliError> {
    Ok(format!("tournament/{id}").parse()?)
}

/// Says when a mapped name is none of the file's.
pub fn unknown_names<'n>(
    recording: &Recording,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<(), CliError> {
    let names: Vec<&str> = names.into_iter().collect();
    match recording.identities.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let what = format!("--player names `{name}`, and no player of the file has that name");
            Err(CliError::new(what).did_you_mean(name, names, ""))
        }
    }
}

/// Events on their way into the log.
pub fn drafts(stream: &StreamName, imported: &[ImportedEvent]) -> Result<Vec<Draft>, CliError> {
    imported
        .iter()
        .map(|imported| {
            let entry = Entry { event: Event::from(imported.event.clone()), time: imported.note };
            Draft::of_entry(stream.clone(), imported.at, &entry).cannot("an event cannot be written")
        })
        .collect()
}

/// What the log says of the source: one file with its digest, or several with the digest of their list as `sha256sum` prints it.
pub fn source_note(files: &[(&str, &Path)], format: &str) -> Result<SourceNote, CliError> {
    let (mut names, mut list, mut bytes, mut only) = (Vec::new(), String::new(), 0, String::new());
    for (name, path) in files {
        let (digest, length) = file_digest(path).cannot(format_args!("cannot read {}", path.display()))?;
        list.push_str(&format!("{}  {name}\n", digest.trim_start_matches("sha256:")));
        names.push(*name);
        bytes += length;
        only = digest;
    }
    let digest = if files.len() == 1 { only } else { text_digest(&list) };
    Ok(SourceNote {
        source: names.join(", "),
        format: format.to_owned(),
        digest,
        bytes,
        program: PROGRAM.to_owned(),
        rejected: 0,
        left_out: 0,
    })
}

/// The note of archive files.
pub fn archive_note(files: &[SourceFile], format: &str) -> Result<SourceNote, CliError> {
    let files: Vec<(&str, &Path)> =
        files.iter().map(|file| (file.name.as_str(), file.path.as_path())).collect();
    source_note(&files, format)
}

/// What became of it, in words.
pub fn in_words(taken: &TournamentImport) -> String {
    let mut text = format!("{}: {}\n", taken.stream, taken.counts.appended("", ""));
    let mut findings: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in &taken.findings {
        *findings.entry(finding.code).or_default() += 1;
    }
    let findings: Vec<String> = findings.iter().map(|(code, n)| format!("{code} {}", grouped(*n))).collect();
    if !findings.is_empty() {
        text.push_str(&format!("  findings: {}\n", findings.join(", ")));
    }
    text.extend(taken.receipt.iter().map(|receipt| format!("{receipt}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_an_identity_are_told_apart_at_the_last_sign() {
        assert_eq!(identity("a=b=c"), Ok(("a=b".to_owned(), "c".parse().unwrap())));
        for bad in ["", "a", "=a", "a=", "a=B"] {
            assert!(identity(bad).is_err(), "{bad}");
        }
    }
}
