//! The experiment of "Learning To Evaluate Arimaa Positions", from games to a report: [`reproduce`] gathers games, trains networks under
//! both splits, runs the grid search, and writes figures, pictures and a page. Each finished stage is kept in a folder, so that the
//! same call resumes after a kill. [`charts`] draws what networks learn, for any experiment.
//!
//! [`generations`] repeats self-play, training and a match between the new network and the best one.
//!
//! The same games and options give the same files, with any number of threads, in one go or resumed.
#![cfg(feature = "charts")]

pub mod charts;
mod diagnostics;
mod error;
mod folder;
mod games;
pub mod generations;
mod kept_games;
mod measures;
mod options;
mod page;
mod pictures;
mod published;
mod results;
mod stages;
mod work;

use std::path::{Path, PathBuf};

use annals_events::PROGRAM;
use annals_report::Provenance;

pub use diagnostics::Diagnostics;
pub use error::Error;
use folder::Folder;
use jiff::tz::TimeZone;
pub use options::{GridSize, Options};
use page::Pictures;
use results::{Published, Reproduction};

/// The result of a reproduction.
#[derive(Debug)]
pub struct Report {
    /// The results, a paragraph for each set of games.
    pub summary: Vec<String>,
    /// The steps that failed, with reasons.
    pub not_done: Vec<String>,
    /// The page.
    pub page: PathBuf,
}

/// Reproduces the experiment on games in files or datasets, in a folder that is new, empty or of a run before. The report names `command`
/// as its origin.
///
/// # Errors
/// Options that are not valid, games that cannot be used, a folder that cannot be written or is of another run, a failed stage.
/// Finished stages are kept.
pub fn reproduce(
    files: &[PathBuf],
    folder: &Path,
    options: Options,
    command: String,
    diagnostics: &dyn Diagnostics,
) -> Result<Report, Error> {
    options.check()?;
    let folder = Folder::open(folder, "stages")?;
    let (all, not_done) = games::gather(files, &options, &folder, diagnostics)?;
    stages::sizes(&all, diagnostics);
    let subjects = stages::run(&all, &options, &folder, diagnostics)?;
    drop(all);
    let made_by = PROGRAM.to_owned();
    let whole =
        Reproduction { made_by, command, chosen: options, printed: Published::ALL, subjects, not_done };
    write(&whole, &folder)?;
    Ok(Report { summary: page::summary(&whole), not_done: whole.not_done, page: folder.path(PAGE) })
}

/// The page in the folder.
const PAGE: &str = "report.html";

/// Writes pictures, figures and page.
fn write(whole: &Reproduction, folder: &Folder) -> Result<(), Error> {
    let mut pictures = Vec::new();
    for subject in &whole.subjects {
        let variants = subject.variants.iter().map(|variant| pictures::of_variant(whole, subject, variant));
        pictures
            .push(Pictures { variants: variants.collect(), together: pictures::of_resigned(whole, subject) });
    }
    let provenance = Provenance {
        sources: whole.subjects.iter().map(|subject| format!("data {}", subject.data.digest)).collect(),
        command: whole.command.clone(),
        program: whole.made_by.clone(),
        damage: None,
    };
    for picture in pictures.iter().flat_map(|all| all.variants.iter().flatten().chain(&all.together)) {
        picture.drawing.write(&folder.path("pictures"), &picture.name, &provenance, true)?;
    }
    let figures =
        serde_json::to_string_pretty(whole).map_err(|error| Error::Json("the figures".to_owned(), error))?;
    folder::write(&folder.path("figures.json"), figures.as_bytes())?;
    let page = page::page(whole, &pictures)?.html(&TimeZone::UTC);
    folder::write(&folder.path(PAGE), page.as_bytes())
}
