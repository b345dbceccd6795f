//! A picture, with its figures as CSV.

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
        self.0.write_record(line).map_err(|error| ChartError::Drawing(error.to_string()))
    }

    pub(crate) fn text(self) -> Result<String, ChartError> {
        let bytes = self.0.into_inner().map_err(|error| ChartError::Drawing(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| ChartError::Drawing(error.to_string()))
    }
}
