//! `annals study export`: the tables and charts of all studies in one directory, with a page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_analytics::Session;
use annals_analytics::output::Format;
use annals_analytics::studies::{Asked, Became, Figures, Given, Study, page, registry};
#[cfg(feature = "charts")]
use annals_charts::{Drawn as _, Picture};
use jiff::tz::TimeZone;

#[cfg(feature = "charts")]
use super::source::source;
use super::source::write_data;
use crate::dataset_session::{EngineArgs, note_log};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;
#[cfg(feature = "charts")]
use crate::output_file::write_picture;
use crate::output_file::{self, ForceArgs};
use crate::provenance::SidecarArgs;
#[cfg(feature = "charts")]
use crate::provenance::by_command;

/// Rows of a table on the page.
const ROWS: usize = 20;

/// Export the tables and charts of all studies with a page
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Export the tables and charts of all studies with a page\n\n\
        Each study is run with its default parameters. The directory gets a .csv file and a chart for each, and \
        index.html, which shows them all. A study that fails is reported on the page; the exit status is then 1.",
    after_long_help = "Example:\n  annals study export -o studies/"
)]
pub struct Args {
    /// Directory to write; it is created if missing
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    sidecar: SidecarArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let (folder, force) = (args.output.as_path(), args.force.force);
    let session = &args.engine.open(home)?;
    fs::create_dir_all(folder)
        .map_err(|error| CliError::new(format!("cannot make the directory {}: {error}", folder.display())))?;
    let path = folder.join("index.html");
    output_file::check(&path, force)?;
    let mut all = Vec::new();
    let mut failed = 0;
    for study in registry()? {
        let became = match answer(session, &study, folder, (args.sidecar, force)) {
            Ok(became) => became,
            Err(error) if error.is_broken_pipe() => return Err(error),
            Err(error) => {
                failed += 1;
                error.report();
                Became::Failed(error.to_string())
            }
        };
        if let Became::Answered { rows, .. } = &became {
            let rows = annals_report::counted(*rows as u64, "row");
            diagnostic(format_args!("note: {}: {rows}", study.name));
        }
        all.push(Asked { study, became });
    }
    let page = page(session.dataset(), &all).html(&TimeZone::UTC);
    output_file::write(&path, force, page.as_bytes())?;
    diagnostic(format_args!("note: {} studies in {}", all.len(), path.display()));
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Runs one study and writes its files. A result without rows has none.
fn answer(
    session: &Session,
    study: &Study,
    folder: &Path,
    (sidecar, force): (SidecarArgs, bool),
) -> Result<Became, CliError> {
    let given = study.given(&[])?;
    let figures = study.figures(session, &given)?;
    if figures.rows() == 0 {
        return Ok(Became::Nothing);
    }
    note_log(session)?;
    let data = folder.join(format!("{}.csv", study.name));
    write_data(&figures, &data, Format::Csv, force)?;
    sidecar.write(Some(&data), force)?;
    let picture = draw(session, study, &given, &figures, folder, force)?;
    Ok(Became::Answered { rows: figures.rows(), picture, table: figures.table(ROWS)? })
}

/// Draws a result into a file if the study has a chart; returns the SVG.
#[cfg(feature = "charts")]
fn draw(
    session: &Session,
    study: &Study,
    given: &Given,
    figures: &Figures,
    folder: &Path,
    force: bool,
) -> Result<Option<String>, CliError> {
    if !study.has_chart() {
        return Ok(None);
    }
    let drawing = study.draw(figures, source(session, study, given))?;
    let svg = drawing.draw(Picture::Svg)?;
    let path = folder.join(format!("{}.svg", study.name));
    write_picture(&svg, drawing.title(), &by_command(&study.command(given)), &path, force)?;
    Ok(Some(String::from_utf8_lossy(&svg).into_owned()))
}

/// A program without charts draws nothing.
#[cfg(not(feature = "charts"))]
fn draw(
    _: &Session,
    _: &Study,
    _: &Given,
    _: &Figures,
    _: &Path,
    _: bool,
) -> Result<Option<String>, CliError> {
    Ok(None)
}
