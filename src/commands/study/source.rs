//! The study that an argument names, and its rows in a file.

use std::path::Path;

#[cfg(feature = "charts")]
use annals_analytics::Session;
#[cfg(feature = "charts")]
use annals_analytics::charts::of_dataset;
use annals_analytics::output::{Format, Layout};
#[cfg(feature = "charts")]
use annals_analytics::studies::Given;
use annals_analytics::studies::{Figures, Study, find};

use crate::errors::CliError;
use crate::output_file::OutputFile;
use crate::provenance;

/// A study with its parameters.
#[derive(Debug, clap::Args)]
pub struct StudyArgs {
    /// Study, or a file that ends in .sql
    #[arg(value_name = "NAME|FILE")]
    pub study: String,

    /// Parameter of the study; may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
    pub params: Vec<(String, String)>,
}

impl StudyArgs {
    /// Reads the study.
    pub fn read(&self) -> Result<Study, CliError> {
        let word = self.study.as_str();
        let path = Path::new(word);
        let is_file = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sql"))
            || path.components().count() > 1;
        if !is_file {
            return Ok(find(word)?);
        }
        let text = annals_ingest::input_file::text(path).map_err(|error| {
            let unread = CliError::new(format!("cannot read the study {word}: {error}"));
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            unread.hint(match stem.and_then(|stem| find(stem).ok()) {
                Some(study) => format!("run the built-in study: `annals study run {}`", study.name),
                None => "`annals study list` lists the built-in studies, which have no ending".to_owned(),
            })
        })?;
        Ok(Study::read(word, word, &text)?)
    }
}

/// Writes all rows to a file.
pub fn write_data(figures: &Figures, path: &Path, format: Format, force: bool) -> Result<(), CliError> {
    let mut out = OutputFile::create(path, force)?;
    let metadata = provenance::present().entries();
    figures.write(&mut out, Layout { format, header: true, max_rows: None, width: None, metadata })?;
    Ok(out.finish()?)
}

/// The line at the foot of a chart.
#[cfg(feature = "charts")]
pub fn source(session: &Session, study: &Study, given: &Given) -> String {
    of_dataset(session, &study.command(given))
}

/// Reads `NAME=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found `{text}`"))?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_a_name_and_a_value() {
        assert_eq!(pair("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(pair("a="), Ok(("a".to_owned(), String::new())));
        assert!(pair("a").is_err());
    }
}
