//! `annals cite`: permanent identifiers and citations. Each thing that can be cited is one file here.

#[cfg(feature = "charts")]
mod chart;
mod dataset;
mod event;
mod game;
mod resolve;
mod tournament;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_report::{Citation, Style};

use crate::errors::CliError;
use crate::home::Home;
use crate::output::{diagnostic, write_text};
use crate::output_file::{self, ForceArgs};
use crate::values::by_word;

const STYLES: [(&str, Style); 3] =
    [("text", Style::Text), ("bibtex", Style::Bibtex), ("csl-json", Style::CslJson)];

/// Cite a game, an event, a tournament, a dataset or a chart
#[derive(Debug, clap::Subcommand)]
#[command(
    long_about = "Cite a game, an event, a tournament, a dataset or a chart\n\n\
        A citation ends in a permanent identifier. One of the log has the number and the hash of an event, one \
        of the dataset its digest. `annals cite resolve` finds the object again and checks the hash. \
        docs/reference/citations.md has the grammar.",
    after_long_help = "Examples:\n  \
        annals cite game \"cup r12.1\"\n  \
        annals cite tournament cup --as-of round:5 --format bibtex\n  \
        annals cite event 812 --format csl-json\n  \
        annals cite dataset -o dataset.bib --format bibtex"
)]
pub enum Command {
    Game(game::Args),
    Event(event::Args),
    Tournament(tournament::Args),
    Dataset(dataset::Args),
    #[cfg(feature = "charts")]
    Chart(chart::Args),
    Resolve(resolve::Args),
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Game(args) => game::run(args, home),
        Command::Event(args) => event::run(&args, home),
        Command::Tournament(args) => tournament::run(&args, home),
        Command::Dataset(args) => dataset::run(&args, home),
        #[cfg(feature = "charts")]
        Command::Chart(args) => chart::run(&args),
        Command::Resolve(args) => resolve::run(&args, home),
    }
}

/// The form of a citation, and the file for it.
#[derive(Debug, clap::Args)]
struct StyleArgs {
    /// Format of the citation
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = by_word(&STYLES))]
    format: Style,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

impl StyleArgs {
    fn check(&self) -> Result<(), CliError> {
        self.output.as_deref().map_or(Ok(()), |path| output_file::check(path, self.force.force))
    }

    fn write(&self, citation: &Citation) -> Result<ExitCode, CliError> {
        let text = citation.write(self.format);
        match &self.output {
            None => write_text(&text)?,
            Some(path) => {
                output_file::write(path, self.force.force, text.as_bytes())?;
                diagnostic(format_args!("note: {} in {}", citation.identifier, path.display()));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
