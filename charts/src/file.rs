//! What can be drawn: a picture, and its figures as CSV.

use crate::error::ChartError;
use crate::picture::Picture;

/// Something that can be drawn, with the figures behind it.
pub trait Drawn {
    fn title(&self) -> &str;

    /// The picture.
    ///
    /// # Errors
    /// `NoPoints` where there is nothing to draw, `Drawing` where drawing itself fails.
    fn draw(&self, kind: Picture) -> Result<Vec<u8>, ChartError>;

    /// The figures behind the picture as CSV (RFC 4180).
    ///
    /// # Errors
    /// `Drawing` where they cannot be put together, which no chart is known to do.
    fn data(&self) -> Result<String, ChartError>;
}

/// Lines of figures as CSV (RFC 4180).
#[derive(Debug)]
pub(crate) struct Figures(csv::Writer<Vec<u8>>);

impl Figures {
    pub(crate) fn new(head: &[&str]) -> Result<Figures, ChartError> {
        let lines = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
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
