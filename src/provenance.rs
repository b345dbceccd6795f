//! Where the file comes from that this command writes: what it read, noted as it was opened, and the command line.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use annals_events::{Hash, PROGRAM};
use annals_replay::Identifier;
use annals_replay::identifier::Prefix;
use annals_report::{Provenance, shell_word};
use annals_store::Log;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::errors::{CliError, InWords as _};
use crate::output::damage;
use crate::output_file;

#[derive(Default)]
struct Noted {
    command: Vec<String>,
    sources: Vec<String>,
}

static NOTED: Mutex<Noted> = Mutex::new(Noted { command: Vec::new(), sources: Vec::new() });

/// Options that do not change the content of a file: alone, and with a value.
const FLAGS: &[&str] = &["--force", "--no-pager", "--sidecar", "--timing", "--explain", "--resume"];
const VALUES: &[&str] =
    &["--home", "--dataset", "-o", "--output", "--data", "--threads", "--memory", "--charts", "--checkpoint"];

fn noted() -> MutexGuard<'static, Noted> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command line begins.
pub fn begin(words: impl Iterator<Item = String>) {
    *noted() = Noted { command: words.collect(), sources: Vec::new() };
}

/// The command reads this.
pub fn reads(source: impl ToString) {
    let (source, mut noted) = (source.to_string(), noted());
    if !noted.sources.contains(&source) {
        noted.sources.push(source);
    }
}

/// The command reads all of a log.
pub fn reads_log(log: &Log) {
    // Of a damaged log the last event may be unreadable; the mark of the damage is there.
    if let Ok(Some(of)) = log.last_seq().and_then(|last| Prefix::of(log, last)) {
        reads(Identifier::Log(of));
    }
}

/// What is written was made from this alone.
#[cfg(all(feature = "sql", feature = "charts"))]
pub fn made_from(source: impl ToString) {
    noted().sources = vec![source.to_string()];
}

/// The provenance of a file that is written now.
pub fn present() -> Provenance {
    let noted = noted();
    Provenance {
        sources: noted.sources.clone(),
        command: command(noted.command.iter().skip(1)),
        program: PROGRAM.to_owned(),
        damage: damage().map(str::to_owned),
    }
}

/// As [`present`], with the command that makes this file alone.
#[cfg(all(feature = "sql", feature = "charts"))]
pub fn by_command(command: &str) -> Provenance {
    Provenance { command: command.to_owned(), ..present() }
}

/// The command as it is typed, without the options that do not change the content, and without places on the machine.
fn command<'w>(words: impl Iterator<Item = &'w String>) -> String {
    let mut out = vec!["annals".to_owned()];
    let mut words = words.map(String::as_str);
    while let Some(word) = words.next() {
        let option = word.split_once('=').map_or(word, |(option, _)| option);
        if VALUES.contains(&word) {
            words.next();
        } else if !FLAGS.contains(&word) && !VALUES.contains(&option) {
            out.push(without_folder(word));
        }
    }
    let quoted = out.iter().map(|word| shell_word(word));
    quoted.collect::<Vec<String>>().join(" ")
}

/// A word whose absolute path is reduced to the name of the file: `/a/b.sgf`, `@/a/b.sgf`, `name=/a/b.csv`.
fn without_folder(word: &str) -> String {
    let start = match word.find(['@', '=']) {
        Some(place) if Path::new(&word[place + 1..]).is_absolute() => place + 1,
        _ => 0,
    };
    let path = Path::new(&word[start..]);
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if path.is_absolute() && path.exists() => format!("{}{name}", &word[..start]),
        _ => word.to_owned(),
    }
}

// The provenance next to a file that cannot hold it.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct SidecarArgs {
    /// Also write the provenance of the file, FILE.provenance.json
    #[arg(hide_short_help = true, long)]
    sidecar: bool,
}

#[derive(Serialize)]
struct Sidecar<'s> {
    file: &'s str,
    sha256: Hash,
    #[serde(flatten)]
    provenance: Provenance,
}

impl SidecarArgs {
    /// Returns an error if there is no file, or its sidecar cannot be written.
    pub fn check(self, file: Option<&Path>, force: bool) -> Result<(), CliError> {
        match file {
            _ if !self.sidecar => Ok(()),
            Some(file) => output_file::check(&beside(file), force),
            None => Err(CliError::new("`--sidecar` needs a file whose provenance it describes")
                .hint("name the file: -o answer.csv, or --data figures.csv for a chart")),
        }
    }

    /// Writes the sidecar of a file that is complete.
    pub fn write(self, file: Option<&Path>, force: bool) -> Result<(), CliError> {
        let Some(file) = file.filter(|_| self.sidecar) else { return Ok(()) };
        let bytes = std::fs::read(file).cannot(format_args!("cannot read {}", file.display()))?;
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let sha256 = Hash(Sha256::digest(&bytes).into());
        let text =
            serde_json::to_string_pretty(&Sidecar { file: &name, sha256, provenance: present() })? + "\n";
        output_file::write(&beside(file), force, text.as_bytes())?;
        Ok(())
    }
}

/// `FILE.provenance.json`.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".provenance.json");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_neither_outputs_nor_folders() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let words = [
            "--home",
            "h",
            "query",
            "--table",
            &format!("t={manifest}"),
            "-f",
            manifest,
            "-o",
            "x.csv",
            "--force",
            "--output=y.csv",
            "SELECT 'a b'",
            "/* no file */",
            &format!("@{manifest}"),
        ];
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(
            command(words.iter()),
            "annals query --table t=Cargo.toml -f Cargo.toml \"SELECT 'a b'\" '/* no file */' @Cargo.toml"
        );
    }
}
