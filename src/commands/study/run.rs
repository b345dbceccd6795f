//! `annals study run`: the result of a study as a table, in a file, and as a chart.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_analytics::games::only_other;
#[cfg(feature = "charts")]
use annals_analytics::studies::StudyError;
use annals_analytics::studies::{Given, Study};
use annals_analytics::{Schema, Session};
#[cfg(feature = "charts")]
use annals_charts::{Drawn as _, Picture};
use annals_events::GameKind;

#[cfg(feature = "charts")]
use super::source::source;
use super::source::{StudyArgs, write_data};
use crate::dataset_session::{EngineArgs, TableArgs, note_log};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::{diagnostic, write_text};
#[cfg(feature = "charts")]
use crate::output_file::write_picture;
use crate::output_file::{self, ForceArgs, Output};
use crate::provenance::SidecarArgs;
#[cfg(feature = "charts")]
use crate::provenance::by_command;
use crate::result_form::{FormArgs, format_of_file};
use crate::terminal::counted;

/// Run a study and print or draw its result
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run a study and print or draw its result\n\n\
        The result is printed as by `annals query`. With -o or --data it is written to these files instead. \
        -o writes a chart or rows, by the file's ending.",
    after_long_help = "Examples:\n  \
        annals study run gold_by_rating --param width=100 -o gold.svg\n  \
        annals study run time_use --data time.csv -o time.png\n  \
        annals study run mine.sql --json"
)]
pub struct Args {
    #[command(flatten)]
    study: StudyArgs,

    /// File to write: a chart (.svg, .png), or rows (.csv, .json, ...)
    #[cfg(feature = "charts")]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// File for all rows: .csv, .tsv, .json, .ndjson or .parquet
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    sidecar: SidecarArgs,

    #[command(flatten)]
    tables: TableArgs,

    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let study = args.study.read()?;
    let given = study.given(&args.study.params)?;
    // Files are checked before the query runs.
    args.check_files()?;
    #[cfg(feature = "charts")]
    if let Some(path) = args.output.as_ref().filter(|_| args.file_of_rows().is_none()) {
        Picture::of(path)
            .map_err(|error| CliError::from(error).hint("rows go to a file with `--data FILE.csv`"))?;
        if !study.has_chart() {
            return Err(StudyError::NoChart { study: study.name }.into());
        }
    }
    let data =
        args.data.as_deref().map(|path| Ok::<_, CliError>((path, format_of_file(path)?))).transpose()?;
    let session = args.engine.open_with(home, Schema::Public, &args.tables)?;
    let rows = args.file_of_rows();
    if rows.is_some() || !args.goes_to_files() {
        if args.form.is_for_reading(rows) {
            write_text(&format!("{}\n{}\n\n", study.front.title, study.front.question))?;
        }
        let mut out = Output::create(rows, args.force.force)?;
        let written = args.form.write(&mut study.ask(&session, &given)?, rows, &mut out)?;
        out.finish()?;
        args.sidecar.write(rows, args.force.force)?;
        print_notes(&study);
        if let (0, Some(game)) = (written.rows, other_game(&given, &session)) {
            diagnostic(format_args!(
                "note: all games of the dataset are of the kind `{game}`: `annals study run {} --param game={game}`",
                args.study.study
            ));
        } else if written.rows == 0 {
            diagnostic(format_args!(
                "note: the result has no rows; `annals study show {} --sql` prints the query",
                args.study.study
            ));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let figures = study.figures(&session, &given)?;
    note_log(&session)?;
    print_notes(&study);
    if let Some((path, format)) = data {
        write_data(&figures, path, format, args.force.force)?;
        args.sidecar.write(Some(path), args.force.force)?;
        let rows = counted(figures.rows() as u64, "row");
        diagnostic(format_args!("note: {rows} in {}", path.display()));
    }
    #[cfg(feature = "charts")]
    if let Some(path) = &args.output {
        let drawing = study.draw(&figures, source(&session, &study, &given))?;
        let picture = drawing.draw(Picture::of(path)?)?;
        let provenance = by_command(&study.command(&given));
        write_picture(&picture, drawing.title(), &provenance, path, args.force.force)?;
        diagnostic(format_args!("note: {} in {}", drawing.title(), path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The kind of all games of the dataset, if the study read those of another kind.
fn other_game(given: &Given, session: &Session) -> Option<GameKind> {
    only_other(session, given.value("game")?.to_string().parse().ok()?)
}

/// What has to be known to read the result, on standard error.
fn print_notes(study: &Study) {
    for note in &study.front.notes {
        diagnostic(format_args!("note: {note}"));
    }
}

impl Args {
    /// The file of `-o`, if it is one for rows, as in `annals query`: by `--format`, or by its ending.
    fn file_of_rows(&self) -> Option<&Path> {
        #[cfg(feature = "charts")]
        let output = self.output.as_deref().filter(|path| self.data.is_none() && Picture::of(path).is_err());
        #[cfg(not(feature = "charts"))]
        let output = None;
        output.filter(|path| self.form.is_given() || format_of_file(path).is_ok())
    }

    /// The chart and the file of rows.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        #[cfg(feature = "charts")]
        let picture = self.output.as_ref();
        #[cfg(not(feature = "charts"))]
        let picture = None;
        self.data.iter().chain(picture)
    }

    fn check_files(&self) -> Result<(), CliError> {
        self.sidecar.check(self.data.as_deref().or(self.file_of_rows()), self.force.force)?;
        self.files().try_for_each(|path| output_file::check(path, self.force.force))
    }

    fn goes_to_files(&self) -> bool {
        self.files().next().is_some()
    }
}
