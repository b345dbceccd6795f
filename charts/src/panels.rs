//! Tables of numbers as fields of colour: the squares of a board, the weights of a filter, players against players.

use std::path::Path;

use crate::draw_panels::draw_panels;
use crate::error::ChartError;
use crate::file::whole;
use crate::picture::Picture;

/// One or more tables of numbers under one scale of colours.
#[derive(Debug, Clone, PartialEq)]
pub struct Panels {
    /// What they show, of what.
    pub title: String,
    /// What one has to know to read them; may be empty.
    pub subtitle: String,
    /// The tables, from left to right and from top to bottom.
    pub panels: Vec<Panel>,
    /// How many stand beside each other; at least one.
    pub beside: usize,
    /// How numbers become colours.
    pub colours: Colours,
    /// What is measured, with the unit.
    pub measured: String,
    /// Where the figures come from, and by which command.
    pub source: String,
}

/// A table of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What it is called.
    pub name: String,
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The numbers, row by row; where there is none the field stays white.
    pub values: Vec<Vec<Option<f64>>>,
    /// The words in the fields, in the shape of the values; empty for none.
    pub words: Vec<Vec<String>>,
}

/// How numbers become colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// From light to dark, from the least number to the greatest.
    LightToDark,
    /// Orange below zero, blue above it, white at zero; as far below as above.
    AroundZero,
}

impl Panels {
    /// The least and the greatest number of the scale; none where no field has a number.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        let values = self.panels.iter().flat_map(|panel| panel.values.iter().flatten().flatten());
        let finite = values.copied().filter(|value| value.is_finite());
        let (least, most) = finite.fold(None, |range, value| {
            let (least, most) = range.unwrap_or((value, value));
            Some((value.min(least), value.max(most)))
        })?;
        Some(match self.colours {
            Colours::LightToDark => (least, most),
            Colours::AroundZero => {
                let far = least.abs().max(most.abs());
                (-far, far)
            }
        })
    }

    /// The figures as CSV (RFC 4180): a line for each field with a number.
    ///
    /// # Errors
    /// `Drawing` where the figures cannot be put together, which no table is known to do.
    pub fn data(&self) -> Result<String, ChartError> {
        let mut lines = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        let failed = |error: csv::Error| ChartError::Drawing(error.to_string());
        lines.write_record(["panel", "row", "column", "value"]).map_err(failed)?;
        for panel in &self.panels {
            for (row, values) in panel.rows.iter().zip(&panel.values) {
                for (column, value) in panel.columns.iter().zip(values) {
                    if let Some(value) = value {
                        let line = [&panel.name, row, column, &value.to_string()];
                        lines.write_record(line).map_err(failed)?;
                    }
                }
            }
        }
        let bytes = lines.into_inner().map_err(|error| ChartError::Drawing(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| ChartError::Drawing(error.to_string()))
    }

    /// Writes the picture to a file, whose ending says its kind; it appears under its name when it is whole.
    ///
    /// # Errors
    /// `NotAPicture` for an ending that is no picture's, `NoPoints` where no field has a number, `Io` where the file
    /// cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), ChartError> {
        whole(path, &draw_panels(self, Picture::of(path)?)?)
    }

    /// Writes the figures as CSV (RFC 4180) to a file.
    ///
    /// # Errors
    /// `Io` where the file cannot be written.
    pub fn write_data(&self, path: &Path) -> Result<(), ChartError> {
        whole(path, self.data()?.as_bytes())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Two boards of two by three fields.
    pub fn sample(colours: Colours) -> Panels {
        let panel = |name: &str, by: f64| Panel {
            name: name.to_owned(),
            rows: ["2", "1"].map(str::to_owned).to_vec(),
            columns: ["a", "b", "c"].map(str::to_owned).to_vec(),
            values: vec![vec![Some(by), None, Some(2.0 * by)], vec![Some(0.0), Some(-by), Some(f64::NAN)]],
            words: Vec::new(),
        };
        Panels {
            title: "Where they stand".to_owned(),
            subtitle: String::new(),
            panels: vec![panel("cats", 1.0), panel("dogs", -0.25)],
            beside: 2,
            colours,
            measured: "share (percent)".to_owned(),
            source: "dataset 0123".to_owned(),
        }
    }

    #[test]
    fn the_scale_holds_every_number_and_is_as_far_below_zero_as_above_where_zero_is_the_middle() {
        assert_eq!(sample(Colours::LightToDark).range(), Some((-1.0, 2.0)));
        assert_eq!(sample(Colours::AroundZero).range(), Some((-2.0, 2.0)));
        let nothing = Panels { panels: Vec::new(), ..sample(Colours::AroundZero) };
        assert_eq!(nothing.range(), None);
    }

    #[test]
    fn the_figures_name_panel_row_and_column() {
        let data = sample(Colours::AroundZero).data().unwrap();
        assert!(
            data.starts_with("panel,row,column,value\r\ncats,2,a,1\r\ncats,2,c,2\r\ncats,1,a,0\r\n"),
            "{data}"
        );
        assert_eq!(data.lines().count(), 11);
    }
}
