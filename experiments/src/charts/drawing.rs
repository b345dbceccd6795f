//! A chart or a table of colours, written as all of its files at once.

use std::path::Path;

use annals_charts::{Chart, ChartError, Drawn, Panels, Picture, metadata};
use annals_ingest::output_file;
use annals_report::Provenance;

use crate::Error;

/// The texts of a chart.
#[derive(Debug, Clone)]
pub struct Words {
    /// The quantity, and its subject.
    pub title: String,
    /// Facts needed to read it.
    pub subtitle: String,
    /// The source of the figures, and the command.
    pub source: String,
}

/// Half the width of a 95% confidence interval in standard errors.
pub const NINETY_FIVE: f64 = 1.96;

/// A drawing.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawing {
    /// A chart.
    Chart(Chart),
    /// Tables of numbers as fields of colour.
    Panels(Panels),
}

impl Drawing {
    /// The picture as SVG.
    ///
    /// # Errors
    /// As [`Drawn::draw`].
    pub fn svg(&self) -> Result<String, ChartError> {
        String::from_utf8(self.drawn().draw(Picture::Svg)?)
            .map_err(|error| ChartError::Drawing(error.to_string()))
    }

    /// Writes the picture as `NAME.svg` and `NAME.png`, with its provenance, and its figures as `NAME.csv` into a folder.
    ///
    /// # Errors
    /// `Chart` if it cannot be drawn, `Output` if a file is not written.
    pub fn write(
        &self,
        folder: &Path,
        name: &str,
        provenance: &Provenance,
        force: bool,
    ) -> Result<(), Error> {
        let drawn = self.drawn();
        let entries = provenance.entries_of_picture(drawn.title());
        for (kind, ending) in [(Picture::Svg, "svg"), (Picture::Png, "png")] {
            let picture = metadata::embed(&drawn.draw(kind)?, kind, &entries)?;
            output_file::write(&folder.join(format!("{name}.{ending}")), force, &picture)?;
        }
        Ok(output_file::write(&folder.join(format!("{name}.csv")), force, drawn.data()?.as_bytes())?)
    }

    fn drawn(&self) -> &dyn Drawn {
        match self {
            Drawing::Chart(chart) => chart,
            Drawing::Panels(panels) => panels,
        }
    }
}
