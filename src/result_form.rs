//! The form of a query's result, and where it goes.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use annals_analytics::Answer;
use annals_analytics::output::{Format, Layout, Written, write_answer};
use annals_analytics::prompt::{self, Settings};

use crate::errors::CliError;
use crate::output::diagnostic;
use crate::output_file::{ForceArgs, Output};
use crate::provenance::{self, SidecarArgs};
use crate::terminal;
use crate::values::by_word;

/// How a result is written.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    #[command(flatten)]
    form: FormArgs,

    /// File to write; its ending sets the format [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    sidecar: SidecarArgs,
}

/// The format of an answer for any output.
#[derive(Debug, clap::Args)]
pub struct FormArgs {
    /// Format [default: table on a terminal, else tsv]
    #[arg(long, value_name = "FORMAT", value_parser = by_word(&Format::ALL))]
    format: Option<Format>,

    /// Print JSON: an array of objects
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Maximum number of rows; 0 prints all [default: 40 on a terminal]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Omit the column names (table, csv, tsv)
    #[arg(hide_short_help = true, long)]
    no_header: bool,

    /// Print planning and execution times to standard error
    #[arg(hide_short_help = true, long)]
    timing: bool,

    /// Print the files, row groups, pages and bytes read to standard error
    #[arg(hide_short_help = true, long)]
    explain: bool,
}

/// Rows of a table on a terminal.
const ROWS_ON_A_TERMINAL: usize = 40;

/// Zero is all rows.
fn most_rows(given: Option<usize>, otherwise: Option<usize>) -> Option<usize> {
    match given {
        Some(0) => None,
        Some(rows) => Some(rows),
        None => otherwise,
    }
}

impl OutputArgs {
    /// The format, if one is named or the ending of the file names one; an ending that names none is refused.
    pub fn format(&self) -> Result<Option<Format>, CliError> {
        self.form.format(self.output.as_deref())
    }

    /// Whether the answer will be a table on a terminal.
    pub fn is_for_reading(&self) -> bool {
        self.form.is_for_reading(self.output.as_deref())
    }

    /// Whether the answer is JSON.
    pub fn is_for_programs(&self) -> bool {
        matches!(self.format(), Ok(Some(Format::Json | Format::Ndjson)))
    }

    /// The maximum number of rows by `--limit`.
    pub fn limit(&self) -> Option<usize> {
        most_rows(self.form.limit, None)
    }

    /// Creates the file, or opens standard output.
    pub fn create(&self) -> Result<Output, CliError> {
        self.sidecar.check(self.output.as_deref(), self.force.force)?;
        Output::create(self.output.as_deref(), self.force.force)
    }

    /// Writes an answer, with the requested diagnostics.
    pub fn write(&self, answer: &mut Answer<'_>, out: &mut Output) -> Result<(), CliError> {
        self.form.write(answer, self.output.as_deref(), out).map(|_| ())
    }

    /// Completes the file, and writes its sidecar.
    pub fn finish(&self, out: Output) -> Result<(), CliError> {
        out.finish()?;
        self.sidecar.write(self.output.as_deref(), self.force.force)
    }

    /// How a prompt on a terminal writes its answers.
    pub fn of_prompt(&self) -> Result<Settings, CliError> {
        Ok(Settings {
            format: self.format()?.filter(|format| !format.is_binary()).unwrap_or(Format::Table),
            max_rows: most_rows(self.form.limit, Some(ROWS_ON_A_TERMINAL)),
            timing: self.form.timing,
            explain: self.form.explain,
        })
    }
}

/// The format of a file for rows, by its ending.
pub fn format_of_file(path: &Path) -> Result<Format, CliError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    Format::from_word(ending).filter(|format| *format != Format::Table).ok_or_else(|| {
        CliError::new(format!("the ending of `{}` names no format for rows", path.display()))
            .reason("the endings are .csv, .tsv, .json, .ndjson, .arrow and .parquet")
    })
}

impl FormArgs {
    /// Whether a format is named.
    pub fn is_given(&self) -> bool {
        self.json || self.format.is_some()
    }

    fn format(&self, output: Option<&Path>) -> Result<Option<Format>, CliError> {
        match (self.json, self.format, output) {
            (true, ..) => Ok(Some(Format::Json)),
            (_, Some(format), _) => Ok(Some(format)),
            (_, None, path) => path.map(format_of_file).transpose(),
        }
    }

    /// Whether the answer will be a table on a terminal.
    pub fn is_for_reading(&self, output: Option<&Path>) -> bool {
        goes_to_terminal(output) && !self.json && self.format.is_none_or(|format| format == Format::Table)
    }

    /// Writes an answer, with the requested diagnostics. `output` is the file that `out` writes to, if it is one.
    pub fn write(
        &self,
        answer: &mut Answer<'_>,
        output: Option<&Path>,
        out: &mut Output,
    ) -> Result<Written, CliError> {
        let on_terminal = goes_to_terminal(output);
        let format = self.format(output)?.unwrap_or(if on_terminal { Format::Table } else { Format::Tsv });
        if format.is_binary() && on_terminal {
            let word = format.word();
            return Err(CliError::new(format!("a result as {word} cannot be shown on a terminal"))
                .hint(format!("name a file: -o answer.{word}")));
        }
        let most = if format == Format::Table && on_terminal { Some(ROWS_ON_A_TERMINAL) } else { None };
        let layout = Layout {
            format,
            header: !self.no_header,
            max_rows: most_rows(self.limit, most),
            width: if on_terminal { width() } else { None },
            metadata: provenance::present().entries(),
        };
        let written = write_answer(answer, &mut *out, layout)?;
        // Several answers go to one output; the diagnostics of each follow it.
        out.flush()?;
        if written.more {
            diagnostic(format_args!("note: the first {} rows; --limit 0 prints all", written.rows));
        }
        if self.timing {
            diagnostic(format_args!("note: {}", prompt::times(answer)));
        }
        if self.explain {
            diagnostic(format_args!("{}", answer.reads()));
            #[cfg(feature = "cluster")]
            diagnostic(format_args!("{}", answer.ran()));
        }
        Ok(written)
    }
}

fn goes_to_terminal(output: Option<&Path>) -> bool {
    output.is_none() && io::stdout().is_terminal()
}

/// The width of the terminal to which answers go.
pub fn width() -> Option<u16> {
    terminal::size().map(|(width, _)| width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_rows_means_all() {
        assert_eq!(most_rows(Some(0), Some(40)), None);
        assert_eq!(most_rows(None, Some(40)), Some(40));
        assert_eq!(most_rows(Some(7), None), Some(7));
    }
}
