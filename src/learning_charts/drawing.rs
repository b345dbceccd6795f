//! A chart or a table of colours, written as all of its files at once.

use std::path::Path;

use annals_charts::{Chart, ChartError, Panels, Picture, draw, draw_panels};

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
        let bytes = match self {
            Drawing::Chart(chart) => draw(chart, Picture::Svg)?,
            Drawing::Panels(panels) => draw_panels(panels, Picture::Svg)?,
        };
        String::from_utf8(bytes).map_err(|error| ChartError::Drawing(error.to_string()))
    }

    /// Writes the picture as `NAME.svg` and `NAME.png` and its figures as `NAME.csv` into a folder.
    pub fn write(&self, folder: &Path, name: &str) -> Result<(), ChartError> {
        for ending in ["svg", "png"] {
            let path = folder.join(format!("{name}.{ending}"));
            match self {
                Drawing::Chart(chart) => chart.write(&path)?,
                Drawing::Panels(panels) => panels.write(&path)?,
            }
        }
        let path = folder.join(format!("{name}.csv"));
        match self {
            Drawing::Chart(chart) => chart.write_data(&path),
            Drawing::Panels(panels) => panels.write_data(&path),
        }
    }
}
