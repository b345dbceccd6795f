//! The output format of an answer that is a document, and its output file.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use annals_report::{Dialect, Document, Table, ToDocument};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::errors::CliError;
use crate::output::{damage_line, diagnostic, json, write_document, write_json, write_record, write_text};
use crate::output_file::{self, ForceArgs, Output};
use crate::provenance::{self, SidecarArgs};

// The format of an answer, and the file for it.
#[derive(Debug, clap::Args)]
pub struct DocumentArgs {
    /// Format [default: by the file's ending, else text or tsv]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Form>,

    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// File to write: .txt, .csv, .tsv, .json, .html or .md [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    sidecar: SidecarArgs,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Csv,
    Tsv,
    Json,
    Html,
    Markdown,
}

/// An answer as JSON in a file, with what was verified.
#[derive(Serialize)]
struct Published<'a, A> {
    verified: &'a str,
    answer: &'a A,
}

impl DocumentArgs {
    /// Writes an answer about the log; into a file with what was verified.
    pub fn write_of_log<A: ToDocument + Serialize>(
        &self,
        answer: &A,
        zone: &TimeZone,
        verified: &str,
    ) -> Result<(), CliError> {
        let form = self.form()?.unwrap_or(Form::Text);
        let text = match (form, &self.output) {
            (Form::Text, None) => {
                return write_document(&answer.document(zone), zone, "`--format csv`, `--json`");
            }
            (Form::Json, None) => return write_json(answer),
            (Form::Json, Some(_)) => json(&Published { answer, verified })?,
            (Form::Csv, _) => answer.table().csv(),
            (Form::Tsv, _) => answer.table().tsv(),
            _ => form.of(answer.document(zone), zone),
        };
        let Some(path) = &self.output else {
            // A pipe receives names unchanged; on a terminal control characters are escaped.
            return if io::stdout().is_terminal() { write_record(&text) } else { write_text(&text) };
        };
        let text = match form {
            Form::Json => text,
            Form::Text => format!("{}{text}\n{verified}\n", damage_line()),
            _ => damage_line() + &text,
        };
        output_file::write(path, self.force.force, text.as_bytes())?;
        self.sidecar.write(Some(path), self.force.force)?;
        diagnostic(format_args!("note: {}; {verified}", path.display()));
        Ok(())
    }

    /// Writes an answer about the dataset: on a terminal laid out for reading, in a pipe as TSV with numbers in full.
    #[cfg(feature = "sql")]
    pub fn write(&self, value: &impl Serialize, document: impl FnOnce() -> Document) -> Result<(), CliError> {
        self.write_with_csv(value, document, Document::csv)
    }

    /// As [`write`](DocumentArgs::write), for an answer that has a CSV of its own.
    #[cfg(feature = "sql")]
    pub fn write_with_csv(
        &self,
        value: &impl Serialize,
        document: impl FnOnce() -> Document,
        csv: impl FnOnce(&Document) -> String,
    ) -> Result<(), CliError> {
        let form = match io::stdout().is_terminal() {
            true => Form::Text,
            false => Form::Tsv,
        };
        let rows = |document: &Document, dialect: Dialect| match dialect {
            Dialect::Csv => csv(document),
            Dialect::Tsv => document.tsv(),
        };
        self.write_form(self.form()?.unwrap_or(form), value, &TimeZone::UTC, document, rows)
    }

    /// As [`write_in`](DocumentArgs::write_in), for an answer that is a table for programs.
    pub fn write_with_table(
        &self,
        value: &impl Serialize,
        zone: &TimeZone,
        document: impl FnOnce() -> Document,
        table: impl FnOnce() -> Table,
    ) -> Result<(), CliError> {
        let rows = |_: &Document, dialect: Dialect| match dialect {
            Dialect::Csv => table().csv(),
            Dialect::Tsv => table().tsv(),
        };
        self.write_form(self.form()?.unwrap_or(Form::Text), value, zone, document, rows)
    }

    /// Writes an answer with times in a zone, as text by default.
    pub fn write_in(
        &self,
        value: &impl Serialize,
        zone: &TimeZone,
        document: impl FnOnce() -> Document,
    ) -> Result<(), CliError> {
        let rows = |document: &Document, dialect: Dialect| match dialect {
            Dialect::Csv => document.csv(),
            Dialect::Tsv => document.tsv(),
        };
        self.write_form(self.form()?.unwrap_or(Form::Text), value, zone, document, rows)
    }

    fn write_form(
        &self,
        form: Form,
        value: &impl Serialize,
        zone: &TimeZone,
        document: impl FnOnce() -> Document,
        rows: impl FnOnce(&Document, Dialect) -> String,
    ) -> Result<(), CliError> {
        let text = match (form, &self.output) {
            (Form::Text, None) => return write_document(&document(), zone, "`--format csv`, `--json`"),
            (Form::Json, None) => return write_json(value),
            (Form::Json, Some(_)) => json(value)?,
            (Form::Csv, _) => rows(&document(), Dialect::Csv),
            (Form::Tsv, _) => rows(&document(), Dialect::Tsv),
            (form, _) => form.of(document(), zone),
        };
        let Some(path) = &self.output else { return write_text(&text) };
        output_file::write(path, self.force.force, (damage_line() + &text).as_bytes())?;
        self.sidecar.write(Some(path), self.force.force)?;
        diagnostic(format_args!("note: {}", path.display()));
        Ok(())
    }

    /// The output of an answer that is written event by event, and whether it is JSON; none for an answer as one document.
    pub fn stream(&self) -> Result<Option<(Output, bool)>, CliError> {
        match self.form()?.unwrap_or(Form::Text) {
            form @ (Form::Text | Form::Json) => {
                let mut out = Output::create(self.output.as_deref(), self.force.force)?;
                out.write_all(damage_line().as_bytes())?;
                Ok(Some((out, form == Form::Json)))
            }
            _ => Ok(None),
        }
    }

    /// Completes what was written event by event.
    pub fn finish(&self, out: Output) -> Result<(), CliError> {
        out.finish()?;
        let Some(path) = &self.output else { return Ok(()) };
        self.sidecar.write(Some(path), self.force.force)?;
        diagnostic(format_args!("note: {}", path.display()));
        Ok(())
    }

    /// Whether files that exist are overwritten.
    pub fn force(&self) -> ForceArgs {
        self.force
    }

    /// Whether the answer is text on standard output, to which more lines may be added.
    pub fn is_printed(&self) -> bool {
        self.output.is_none() && matches!(self.form(), Ok(None | Some(Form::Text)))
    }

    /// Returns an error if the file cannot be written, before anything is computed.
    pub fn check(&self) -> Result<(), CliError> {
        self.form()?;
        self.sidecar.check(self.output.as_deref(), self.force.force)?;
        self.output.as_deref().map_or(Ok(()), |path| output_file::check(path, self.force.force))
    }

    /// Whether the answer is written as HTML, which has pictures.
    #[cfg(all(feature = "sql", feature = "charts"))]
    pub fn is_html(&self) -> bool {
        matches!(self.form(), Ok(Some(Form::Html)))
    }

    fn form(&self) -> Result<Option<Form>, CliError> {
        match (self.json, self.format, &self.output) {
            (true, ..) => Ok(Some(Form::Json)),
            (_, Some(form), _) => Ok(Some(form)),
            (_, None, path) => path.as_deref().map(Form::of_file).transpose(),
        }
    }
}

impl Form {
    /// By the ending of a file.
    fn of_file(path: &Path) -> Result<Form, CliError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("txt") => Ok(Form::Text),
            Some("csv") => Ok(Form::Csv),
            Some("tsv") => Ok(Form::Tsv),
            Some("json") => Ok(Form::Json),
            Some("html") => Ok(Form::Html),
            Some("md") => Ok(Form::Markdown),
            _ => Err(CliError::new(format!("the ending of `{}` names no format", path.display()))
                .reason("the endings are .txt, .csv, .tsv, .json, .html and .md")
                .hint("`--format csv` sets the format")),
        }
    }

    /// A document as text; JSON has its own writer.
    fn of(self, mut document: Document, zone: &TimeZone) -> String {
        if document.heading().is_empty() {
            document.name = provenance::present().command;
        }
        match self {
            Form::Csv => document.csv(),
            Form::Tsv => document.tsv(),
            Form::Html => document.html(zone),
            Form::Markdown => document.markdown(zone),
            Form::Text | Form::Json => document.text(zone, None),
        }
    }
}
