//! Recipes of charts with two axes.

use serde::Deserialize;

use super::caption::Caption;
use super::columns::{column, name, numbers, optional, place, wrong};
use super::error::RecipeError;
use crate::chart::{Axis, Chart, Point, Scale, Series, Shape};
use crate::table::{Column, Kind, ValueTable};

/// Approximate widths of the plot, of a label's character and of a turned label, in units.
const WIDTH: usize = 760;
const SIGN: usize = 8;
const TURNED: usize = 20;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartRecipe {
    pub(super) subtitle: Option<String>,
    /// A column.
    x: String,
    x_axis: AxisRecipe,
    /// Columns, each a series or split by `series`.
    y: Vec<Up>,
    y_axis: AxisRecipe,
    /// A column that splits rows into series.
    series: Option<String>,
    /// A column that names points.
    label: Option<String>,
}

/// A column of y values.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Up {
    column: String,
    /// In the legend; default: the column's.
    name: Option<String>,
    /// If different from the chart's.
    shape: Option<Shape>,
    /// Columns of the lower and upper edge.
    band: Option<[String; 2]>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisRecipe {
    /// With the unit.
    name: String,
    scale: Option<AxisScale>,
    range: Option<[f64; 2]>,
    /// Draws a line through a value.
    rule: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AxisScale {
    Words,
    Whole,
    Numbers,
}

impl ChartRecipe {
    pub(super) fn of_columns(x: &str, y: &str, series: Option<&str>) -> ChartRecipe {
        let axis = |name: &str| AxisRecipe { name: name.to_owned(), scale: None, range: None, rule: None };
        ChartRecipe {
            subtitle: None,
            x: x.to_owned(),
            x_axis: axis(x),
            y: vec![Up { column: y.to_owned(), name: None, shape: None, band: None }],
            y_axis: axis(y),
            series: series.map(str::to_owned),
            label: None,
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        match self.y.len() {
            0 => return Err("`y` needs a column: `y = [{ column = \"games\" }]`".to_owned()),
            1 => {}
            _ if self.series.is_some() => {
                return Err("`series` parts the rows of one column of `y`, and there are several".to_owned());
            }
            _ => {}
        }
        if self.y_axis.scale == Some(AxisScale::Words) {
            return Err("words stand on the x axis alone".to_owned());
        }
        for axis in [&self.x_axis, &self.y_axis] {
            let mut numbers = axis.range.into_iter().flatten().chain(axis.rule);
            if let Some(number) = numbers.find(|number| !number.is_finite()) {
                return Err(format!("{number} has no place on an axis"));
            }
            if let Some([from, to]) = axis.range.filter(|[from, to]| from >= to) {
                return Err(format!("a range goes up, and {from} is not below {to}"));
            }
        }
        Ok(())
    }

    pub(super) fn make(&self, shape: Shape, table: &ValueTable, said: Caption) -> Result<Chart, RecipeError> {
        let across = column(table, &self.x, "x")?;
        let label = optional(table, &self.label, "the labels")?;
        let series = optional(table, &self.series, "the series")?;
        let mut places = Vec::new();
        let (xs, scale) = self.places(across, table.rows(), &mut places)?;
        let mut all: Vec<Series> = Vec::new();
        for up in &self.y {
            let ys = numbers(table, &up.column, "y")?;
            let band = match &up.band {
                None => None,
                Some([low, high]) => {
                    Some((numbers(table, low, "the band")?, numbers(table, high, "the band")?))
                }
            };
            let mut names = Vec::new();
            let mut points: Vec<Vec<Point>> = Vec::new();
            for (row, x) in xs.iter().enumerate() {
                let name = if series.is_some() {
                    name(series, row)
                } else {
                    up.name.clone().unwrap_or_else(|| up.column.clone())
                };
                let place = place(&mut names, name);
                points.resize_with(names.len(), Vec::new);
                let (Some(x), Some(y)) = (*x, ys.number(row)) else { continue };
                let within = band.and_then(|(low, high)| Some((low.number(row)?, high.number(row)?)));
                let label = label.and_then(|label| label.word(row)).unwrap_or_default();
                points[place].push(Point { within, label, ..Point::new(x, y) });
            }
            for (name, mut points) in names.into_iter().zip(points) {
                points.sort_by(|a, b| a.x.total_cmp(&b.x));
                all.push(Series { name, shape: up.shape.unwrap_or(shape), points });
            }
        }
        let y_scale = match self.y_axis.scale {
            Some(AxisScale::Whole) => Scale::Whole,
            _ => Scale::Number,
        };
        let (words, every) = spaced(&places);
        let mut x_axis = self.x_axis.axis(scale);
        if every > 1 {
            x_axis.name.push_str(&format!(" (one name in {every} is shown)"));
        }
        Ok(Chart {
            title: said.title,
            subtitle: said.subtitle,
            x: Axis { words, ..x_axis },
            y: self.y_axis.axis(y_scale),
            series: all,
            beside: false,
            marks: Vec::new(),
            source: said.source,
        })
    }

    /// Texts have positions in order of occurrence.
    fn places(
        &self,
        across: &Column,
        rows: usize,
        words: &mut Vec<String>,
    ) -> Result<(Vec<Option<f64>>, Scale), RecipeError> {
        let in_words = self.x_axis.scale == Some(AxisScale::Words);
        let place = |row: usize, words: &mut Vec<String>| Some(place(words, name(Some(across), row)) as f64);
        match (across.kind(), self.x_axis.scale) {
            _ if in_words => Ok(((0..rows).map(|row| place(row, words)).collect(), Scale::Whole)),
            (Kind::Words, None) => Ok(((0..rows).map(|row| place(row, words)).collect(), Scale::Whole)),
            (Kind::Words, Some(_)) => Err(wrong(&self.x, "x", "numbers", Kind::Words)),
            (kind, scale) => {
                let values: Vec<Option<f64>> = (0..rows).map(|row| across.number(row)).collect();
                let whole = values.iter().flatten().all(|value| value.fract() == 0.0);
                let scale = match (kind, scale) {
                    (Kind::Times, _) => Scale::Time,
                    (_, Some(AxisScale::Numbers)) => Scale::Number,
                    (_, Some(_)) => Scale::Whole,
                    (_, None) if whole => Scale::Whole,
                    (_, None) => Scale::Number,
                };
                Ok((values, scale))
            }
        }
    }
}

impl AxisRecipe {
    fn axis(&self, scale: Scale) -> Axis {
        Axis { range: self.range.map(Into::into), rule: self.rule, ..Axis::new(self.name.clone(), scale) }
    }
}

/// Texts with positions: all that fit if they are turned, else those that fit side by side; and of how many one is left.
fn spaced(words: &[String]) -> (Vec<(f64, String)>, usize) {
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
    let every = match TURNED * words.len() <= WIDTH {
        true => 1,
        false => ((SIGN * longest + 12) * words.len()).div_ceil(WIDTH).max(1),
    };
    let placed = words.iter().enumerate().step_by(every);
    (placed.map(|(place, word)| (place as f64, word.clone())).collect(), every)
}
