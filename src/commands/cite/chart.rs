//! `annals cite chart`: a picture that Annals drew, by its file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_charts::metadata;
use annals_events::Hash;
use annals_replay::Identifier;
use annals_report::provenance::{COMMAND, PROGRAM, SOURCE, TITLE};
use annals_report::{Citation, Cited};
use sha2::{Digest as _, Sha256};

use super::StyleArgs;
use crate::errors::{CliError, InWords as _};

/// Cite a chart, by its file
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Cite a chart, by its file\n\n\
        The identifier is the SHA-256 of the file. The citation names what the chart was drawn from, and the \
        command, as they are in the metadata of the picture.",
    after_long_help = "Example:\n  \
        annals cite chart standings.svg --format bibtex"
)]
pub struct Args {
    /// Picture that `annals chart` or `annals study` wrote
    file: PathBuf,

    #[command(flatten)]
    style: StyleArgs,
}

/// A picture with its metadata.
pub struct ChartFile {
    pub digest: Hash,
    entries: Vec<(String, String)>,
}

impl ChartFile {
    pub fn read(path: &Path) -> Result<ChartFile, CliError> {
        let name = path.display();
        let bytes = std::fs::read(path).cannot(format_args!("cannot read the picture {name}"))?;
        let digest = Hash(Sha256::digest(&bytes).into());
        match metadata::read(&bytes) {
            Some(entries) => Ok(ChartFile { digest, entries }),
            None => Err(CliError::new(format!("{name} has no metadata of Annals"))
                .reason("only a picture that `annals chart` or `annals study` wrote can be cited")
                .hint("draw it again with `annals chart`")),
        }
    }

    pub fn entry(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// What it was drawn from, as far as identifiers name it.
    pub fn sources(&self) -> Vec<Identifier> {
        self.entry(SOURCE).unwrap_or_default().split("; ").filter_map(|text| text.parse().ok()).collect()
    }
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.style.check()?;
    let chart = ChartFile::read(&args.file)?;
    let entry = |key: &str| chart.entry(key).map(str::to_owned);
    let drawn = |words: &str, key: &str| entry(key).map(|value| format!("{words} {value}"));
    let notes = [drawn("Drawn from", SOURCE), drawn("Command:", COMMAND)];
    let name = args.file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    args.style.write(&Citation {
        cited: Cited::Chart,
        key: format!("chart-{name}"),
        title: entry(TITLE).unwrap_or(name),
        part_of: None,
        date: None,
        place: None,
        archive: None,
        notes: notes.into_iter().flatten().collect(),
        identifier: Identifier::Chart { digest: chart.digest }.to_string(),
        program: entry(PROGRAM).unwrap_or_default(),
    })
}
