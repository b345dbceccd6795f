//! `annals study`: questions that come with the program, or as files of the same form: their answers as tables and as pictures.

mod folder;
mod list;
mod page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[cfg(feature = "charts")]
use annals_analytics::Session;
#[cfg(feature = "charts")]
use annals_analytics::charts::of_dataset;
use annals_analytics::output::{Format, Layout};
use annals_analytics::studies::{Figures, Given, Study, StudyError, find};
#[cfg(feature = "charts")]
use annals_charts::{Drawn as _, Picture};

use super::query::{EngineArgs, FormArgs};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::{talk, write_text};
#[cfg(feature = "charts")]
use crate::output_file::write_picture;
use crate::output_file::{self, ForceArgs, Output, OutputFile};

/// Run a ready query with its table and chart
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run a ready query with its table and chart\n\n\
        A study is a file of SQL with a title, parameters and a chart; docs/studies.md describes how to write \
        one. Without a name, the studies of the program are listed.\n\n\
        The result is printed as by `annals query`; with -o or --data it is written there instead.",
    after_help = "Examples:\n  \
        annals study                                    list the studies\n  \
        annals study gold_by_rating --param width=100 -o gold.svg\n  \
        annals study time_use --data time.csv -o time.png\n  \
        annals study upsets --show > mine.sql\n  \
        annals study --all studies/                     all pictures and tables"
)]
pub struct Args {
    /// Study, or a file that ends in .sql
    #[arg(value_name = "NAME|FILE")]
    study: Option<String>,

    /// Parameter of the study; may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair, requires = "study")]
    params: Vec<(String, String)>,

    /// Picture to write, .svg or .png
    #[cfg(feature = "charts")]
    #[arg(short, long, value_name = "FILE", requires = "study")]
    output: Option<PathBuf>,

    /// File for all rows: .csv, .tsv, .json, .ndjson or .parquet
    #[arg(long, value_name = "FILE", requires = "study")]
    data: Option<PathBuf>,

    /// Print the file of the study
    #[arg(long, requires = "study", conflicts_with = "sql")]
    show: bool,

    /// Print the SQL query with the parameters
    #[arg(long, requires = "study")]
    sql: bool,

    /// Run all studies, and write pictures, tables and a page to this directory
    #[arg(long, value_name = "FOLDER", conflicts_with = "study")]
    all: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    if let Some(folder) = &args.all {
        return folder::write(&args.engine.open(home)?, folder, args.force.force);
    }
    let Some(word) = &args.study else {
        return list::print(args.form.is_json());
    };
    let study = read(word)?;
    if args.show {
        write_text(study.text())?;
        return Ok(ExitCode::SUCCESS);
    }
    let given = study.given(&args.params)?;
    if args.sql {
        write_text(&study.sql(&given)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    // What cannot be written is told before anything is asked.
    args.check_files()?;
    #[cfg(feature = "charts")]
    if let Some(path) = &args.output {
        Picture::of(path)
            .map_err(|error| CliError::from(error).hint("rows go to a file with `--data FILE.csv`"))?;
        if !study.has_chart() {
            return Err(StudyError::NoChart { study: study.name }.into());
        }
    }
    let data = args.data.as_deref().map(|path| Ok::<_, CliError>((path, format_of(path)?))).transpose()?;
    let session = args.engine.open(home)?;
    if !args.goes_to_files() {
        if args.form.is_for_reading(None) {
            write_text(&format!("{}\n{}\n\n", study.front.title, study.front.question))?;
        }
        let mut out = Output::create(None, false)?;
        let written = args.form.write(&mut study.ask(&session, &given)?, None, &mut out)?;
        out.finish()?;
        if written.rows == 0 {
            talk(format_args!(
                "note: no row of the dataset answers this; `annals study {word} --sql` prints what was asked"
            ));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let figures = study.figures(&session, &given)?;
    if let Some((path, format)) = data {
        write_data(&figures, path, format, args.force.force)?;
        talk(format_args!("note: {} rows in {}", figures.rows(), path.display()));
    }
    #[cfg(feature = "charts")]
    if let Some(path) = &args.output {
        let drawing = study.draw(&figures, source(&session, &study, &given))?;
        write_picture(&drawing, path, args.force.force)?;
        talk(format_args!("note: {} in {}", drawing.title(), path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Returns an error if a file that is named cannot be written.
    fn check_files(&self) -> Result<(), CliError> {
        #[cfg(feature = "charts")]
        if let Some(path) = &self.output {
            output_file::check(path, self.force.force)?;
        }
        self.data.iter().try_for_each(|path| output_file::check(path, self.force.force))
    }

    /// Whether the answer goes to files and not to standard output.
    fn goes_to_files(&self) -> bool {
        #[cfg(feature = "charts")]
        if self.output.is_some() {
            return true;
        }
        self.data.is_some()
    }
}

/// Reads a study of the program, or a file.
fn read(word: &str) -> Result<Study, CliError> {
    let path = Path::new(word);
    let is_file = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sql"))
        || path.components().count() > 1;
    if !is_file {
        return Ok(find(word)?);
    }
    let text = annals_ingest::input_file::text(path).map_err(|error| {
        let unread = CliError::new(format!("cannot read the study {word}: {error}"));
        let name = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| find(stem).ok());
        match name {
            Some(study) => unread.hint(format!("`annals study {}` is one of the program's", study.name)),
            None => {
                unread.hint("a study of the program is named without an ending; `annals study` lists them")
            }
        }
    })?;
    Ok(Study::read(word, word, &text)?)
}

/// The format that the ending of a file names.
fn format_of(path: &Path) -> Result<Format, CliError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    Format::from_word(ending).filter(|format| *format != Format::Table).ok_or_else(|| {
        CliError::new(format!("`{}` is no file for figures: the ending says the format", path.display()))
            .hint(".csv, .tsv, .json, .ndjson and .parquet are")
    })
}

/// Writes all rows to a file.
fn write_data(figures: &Figures, path: &Path, format: Format, force: bool) -> Result<(), CliError> {
    let mut out = OutputFile::create(path, force)?;
    figures.write(&mut out, Layout { format, header: true, max_rows: None, width: None })?;
    Ok(out.finish()?)
}

/// The line at the foot of a picture.
#[cfg(feature = "charts")]
fn source(session: &Session, study: &Study, given: &Given) -> String {
    of_dataset(session, &command(study, given))
}

/// The command that asks a study so.
fn command(study: &Study, given: &Given) -> String {
    let quoted =
        |word: String| match word.contains(|sign: char| sign.is_whitespace() || "'\"$\\".contains(sign)) {
            true => format!("'{}'", word.replace('\'', "'\\''")),
            false => word,
        };
    let said = given.said().into_iter().map(|said| format!(" --param {}", quoted(said)));
    said.fold(format!("annals study {}", study.name), |command, said| command + &said)
}

/// Reads `NAME=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no NAME=VALUE"))?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_at_the_foot_can_be_typed() {
        let text = "-- title = \"A\"\n-- question = \"B?\"\n\
                    -- param = [{ name = \"who\", kind = \"text\", meaning = \"c\" }]\n\nSELECT $who";
        let study = Study::read("mine.sql", "mine.sql", text).unwrap();
        let given = study.given(&[("who".to_owned(), "O'Neill x".to_owned())]).unwrap();
        assert_eq!(command(&study, &given), "annals study mine.sql --param 'who=O'\\''Neill x'");
    }

    #[test]
    fn a_parameter_is_a_name_and_a_value() {
        assert_eq!(pair("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(pair("a="), Ok(("a".to_owned(), String::new())));
        assert!(pair("a").is_err());
    }
}
