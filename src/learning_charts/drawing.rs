//! A chart or a table of colours, written as all of its files at once.

use std::path::Path;

use annals_charts::{Chart, ChartError, Drawn, Panels, Picture};

use crate::errors::CliError;
use crate::output_file::{self, write_picture};

/// Something drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawing {
    /// A chart.
    Chart(Chart),
    /// Tables of numbers as fields of colour.
    Panels(Panels),
}

impl Drawing {
    /// The picture as a text of SVG.
    pub fn svg(&self) -> Result<String, ChartError> {
        String::from_utf8(self.drawn().draw(Picture::Svg)?)
            .map_err(|error| ChartError::Drawing(error.to_string()))
    }

    /// Writes the picture as `NAME.svg` and `NAME.png` and its figures as `NAME.csv` into a folder.
    pub fn write(&self, folder: &Path, name: &str, force: bool) -> Result<(), CliError> {
        let drawn = self.drawn();
        for ending in ["svg", "png"] {
            write_picture(drawn, &folder.join(format!("{name}.{ending}")), force)?;
        }
        output_file::write(&folder.join(format!("{name}.csv")), force, drawn.data()?.as_bytes())
    }

    fn drawn(&self) -> &dyn Drawn {
        match self {
            Drawing::Chart(chart) => chart,
            Drawing::Panels(panels) => panels,
        }
    }
}
