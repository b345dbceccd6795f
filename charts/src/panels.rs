//! Tables of numbers as coloured fields: a board's squares, a filter's weights, players by players.

use crate::error::ChartError;
use crate::file::Figures;

/// With one colour scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Panels {
    pub title: String,
    /// Facts needed to read the panels; may be empty.
    pub subtitle: String,
    /// From left to right, top to bottom.
    pub panels: Vec<Panel>,
    /// Panels per row, at least one.
    pub beside: usize,
    pub colours: Colours,
    /// With the unit.
    pub measured: String,
    /// The origin, and the command.
    pub source: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    pub name: String,
    /// From top to bottom.
    pub rows: Vec<String>,
    /// From left to right.
    pub columns: Vec<String>,
    /// By row; without a number the field is white.
    pub values: Vec<Vec<Option<f64>>>,
    /// Text in the fields, also without numbers; empty for none.
    pub words: Vec<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colours {
    /// From minimum to maximum.
    #[default]
    LightToDark,
    /// Orange below zero, blue above, white at zero; symmetric.
    AroundZero,
}

impl Panel {
    pub(crate) fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values.get(row).and_then(|values| values.get(column)).copied().flatten()
    }

    /// May be empty.
    pub(crate) fn word(&self, row: usize, column: usize) -> &str {
        self.words.get(row).and_then(|words| words.get(column)).map_or("", String::as_str)
    }
}

impl Panels {
    /// Minimum and maximum of the scale.
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

    /// CSV (RFC 4180), one line per field with a number or text.
    ///
    /// # Errors
    /// `Drawing` if it cannot be written, which no known table causes.
    pub fn data(&self) -> Result<String, ChartError> {
        let worded =
            self.panels.iter().any(|panel| panel.words.iter().flatten().any(|word| !word.is_empty()));
        let head = ["panel", "row", "column", "value", "words"];
        let columns = if worded { head.len() } else { head.len() - 1 };
        let mut figures = Figures::new(&head[..columns])?;
        for panel in &self.panels {
            for (r, row) in panel.rows.iter().enumerate() {
                for (c, column) in panel.columns.iter().enumerate() {
                    let (value, word) = (panel.value(r, c), panel.word(r, c));
                    if value.is_some() || !word.is_empty() {
                        let value = value.map_or_else(String::new, |value| value.to_string());
                        figures.line(&[&panel.name, row, column, &value, word][..columns])?;
                    }
                }
            }
        }
        figures.text()
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
        assert!(data.starts_with("panel,row,column,value\ncats,2,a,1\ncats,2,c,2\ncats,1,a,0\n"), "{data}");
        assert_eq!(data.lines().count(), 11);
    }

    #[test]
    fn words_stand_in_the_figures_also_where_there_is_no_number() {
        let mut panels = sample(Colours::AroundZero);
        panels.panels.truncate(1);
        panels.panels[0].words = vec![vec!["1g".to_owned(), "*".to_owned()]];
        let data = panels.data().unwrap();
        let begins = "panel,row,column,value,words\ncats,2,a,1,1g\ncats,2,b,,*\ncats,2,c,2,\n";
        assert!(data.starts_with(begins), "{data}");
    }
}
