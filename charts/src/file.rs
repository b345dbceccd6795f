//! Files: a picture or its figures, which appear under their name when they are whole.

use std::fs;
use std::path::Path;

use crate::error::ChartError;
use crate::picture::Picture;

/// Something that can be drawn, with the figures behind it.
pub trait Drawn {
    /// What it is called.
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

    /// Writes the picture to a file, whose ending says its kind; it appears under its name when it is whole.
    ///
    /// # Errors
    /// `NotAPicture` for an ending that is no picture's, `Io` where the file cannot be written, and as [`Drawn::draw`].
    fn write(&self, path: &Path) -> Result<(), ChartError> {
        whole(path, &self.draw(Picture::of(path)?)?)
    }

    /// Writes the figures as CSV to a file.
    ///
    /// # Errors
    /// `Io` where the file cannot be written.
    fn write_data(&self, path: &Path) -> Result<(), ChartError> {
        whole(path, self.data()?.as_bytes())
    }
}

/// Lines of figures as CSV (RFC 4180).
#[derive(Debug)]
pub(crate) struct Figures(csv::Writer<Vec<u8>>);

impl Figures {
    /// Figures with a head.
    pub(crate) fn new(head: &[&str]) -> Result<Figures, ChartError> {
        let lines = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        let mut figures = Figures(lines);
        figures.line(head)?;
        Ok(figures)
    }

    /// A line.
    pub(crate) fn line(&mut self, line: &[&str]) -> Result<(), ChartError> {
        self.0.write_record(line).map_err(|error| ChartError::Drawing(error.to_string()))
    }

    /// All of it.
    pub(crate) fn text(self) -> Result<String, ChartError> {
        let bytes = self.0.into_inner().map_err(|error| ChartError::Drawing(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| ChartError::Drawing(error.to_string()))
    }
}

/// Writes a file beside its name, and gives it the name when it is whole.
pub(crate) fn whole(path: &Path, bytes: &[u8]) -> Result<(), ChartError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, path));
    written.map_err(|source| {
        let _ = fs::remove_file(&partial);
        ChartError::Io { path: path.to_owned(), source }
    })
}
