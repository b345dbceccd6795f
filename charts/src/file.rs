//! A picture, with its figures as CSV.

use std::borrow::Cow;

use crate::error::ChartError;
use crate::picture::Picture;

pub trait Drawn {
    fn title(&self) -> &str;

    /// # Errors
    /// `NoPoints` without content, `Drawing` if drawing fails.
    fn draw(&self, kind: Picture) -> Result<Vec<u8>, ChartError>;

    /// The figures as CSV (RFC 4180).
    ///
    /// # Errors
    /// `Drawing` if they cannot be written, which no known chart causes.
    fn data(&self) -> Result<String, ChartError>;
}

/// CSV (RFC 4180).
#[derive(Debug)]
pub(crate) struct Figures(csv::Writer<Vec<u8>>);

impl Figures {
    pub(crate) fn new(head: &[&str]) -> Result<Figures, ChartError> {
        let lines = csv::WriterBuilder::new().from_writer(Vec::new());
        let mut figures = Figures(lines);
        figures.line(head)?;
        Ok(figures)
    }

    pub(crate) fn line(&mut self, line: &[&str]) -> Result<(), ChartError> {
        self.0
            .write_record(line.iter().map(|text| guarded(text).into_owned()))
            .map_err(|error| ChartError::Drawing(error.to_string()))
    }

    pub(crate) fn text(self) -> Result<String, ChartError> {
        let bytes = self.0.into_inner().map_err(|error| ChartError::Drawing(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| ChartError::Drawing(error.to_string()))
    }
}

/// A text that a spreadsheet would compute gets an apostrophe; numbers stay as they are.
fn guarded(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if is_formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_a_formula() {
        let mut figures = Figures::new(&["name", "value"]).unwrap();
        figures.line(&["=1+1", "-2.5"]).unwrap();
        assert_eq!(figures.text().unwrap(), "name,value\n'=1+1,-2.5\n");
    }
}
