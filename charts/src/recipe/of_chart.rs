//! Recipes of charts with two axes: which columns are x and y, and what else is known of a point.

use super::Caption;
use super::columns::{column, name, numbers, optional, place, wrong};
use super::error::{Misread, RecipeError};
use super::lines::{Lines, Named, RecipeLine, named, number, with_axis};
use crate::chart::{Axis, Chart, Point, Scale, Series, Shape};
use crate::table::{Column, Kind, ValueTable};

/// The words for the ways in which points are joined, which are the kinds of charts with two axes.
pub(super) const SHAPES: [(&str, Shape); 4] =
    [("lines", Shape::Line), ("steps", Shape::Steps), ("dots", Shape::Dots), ("bars", Shape::Bars)];

/// The lines that such a recipe may have.
pub(super) const KEYS: [&str; 10] =
    ["subtitle", "x", "y", "series", "band", "label", "shape", "scale", "range", "rule"];
/// Those that may stand there more than once.
const OFTEN: [&str; 4] = ["shape", "scale", "range", "rule"];

/// How wide a chart is between its axes, and how wide a sign of a word on it, in units of length: about.
const WIDTH: usize = 760;
const SIGN: usize = 8;

/// A recipe of a chart with two axes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ChartRecipe {
    x: AxisRecipe,
    y: AxisRecipe,
    across: Named,
    /// Each a series, or all series where a column names them.
    up: Vec<Up>,
    series: Option<Named>,
    label: Option<Named>,
}

/// A column that goes up.
#[derive(Debug, Clone, PartialEq)]
struct Up {
    column: Named,
    name: String,
    shape: Shape,
    band: Option<(Named, Named)>,
}

/// What is said of an axis.
#[derive(Debug, Clone, PartialEq)]
struct AxisRecipe {
    name: String,
    scale: Option<AxisScale>,
    range: Option<(f64, f64)>,
    rule: Option<f64>,
}

/// How the values of an axis are written, where the recipe says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AxisScale {
    Words,
    Whole,
    Numbers,
}

impl ChartRecipe {
    /// Reads the lines below `chart:`.
    pub(super) fn read(
        kind: &RecipeLine,
        shape: Shape,
        lines: &[RecipeLine],
    ) -> Result<ChartRecipe, Misread> {
        let lines = Lines::new(kind, lines, &KEYS, &OFTEN)?;
        let x_line = lines.need("x", "x: year | year")?;
        let (across, x_name) = with_axis(x_line)?;
        let across = named(x_line, across)?;
        let y_line = lines.need("y", "y: games | games")?;
        let (ups, y_name) = with_axis(y_line)?;
        let mut up = Vec::new();
        for text in ups.split(',') {
            let (column, name) = text.split_once(" as ").unwrap_or((text, text));
            let column = named(y_line, column)?;
            up.push(Up { column, name: name.trim().to_owned(), shape, band: None });
        }
        let series = lines.column("series")?;
        if let Some(series) = series.as_ref().filter(|_| up.len() > 1) {
            let why =
                "`series:` names the lines by a column; with it `y:` has one column, and without it several";
            return Err(Misread::new(series.line, why));
        }
        shapes(&lines, &mut up)?;
        bands(&lines, &mut up)?;
        let mut x = AxisRecipe { name: x_name, scale: None, range: None, rule: None };
        let mut y = AxisRecipe { name: y_name, ..x.clone() };
        of_axes(&lines, "scale", &mut x, &mut y, read_scale)?;
        of_axes(&lines, "range", &mut x, &mut y, read_range)?;
        of_axes(&lines, "rule", &mut x, &mut y, read_rule)?;
        let upwards = lines.all("scale").into_iter().find(|line| line.value.starts_with("y "));
        if let Some(line) = upwards.filter(|_| y.scale == Some(AxisScale::Words)) {
            return Err(Misread::new(line.number, "words stand on the x axis alone"));
        }
        Ok(ChartRecipe { x, y, across, up, series, label: lines.column("label")? })
    }

    /// The chart of an answer.
    pub(super) fn make(&self, table: &ValueTable, said: Caption) -> Result<Chart, RecipeError> {
        let across = column(table, &self.across, "x")?;
        let label = optional(table, self.label.as_ref(), "the labels")?;
        let series = optional(table, self.series.as_ref(), "the series")?;
        let mut places = Vec::new();
        let (xs, scale) = self.places(across, table.rows(), &mut places)?;
        let mut all: Vec<Series> = Vec::new();
        for up in &self.up {
            let ys = numbers(table, &up.column, "y")?;
            let band = match &up.band {
                None => None,
                Some((low, high)) => {
                    Some((numbers(table, low, "the band")?, numbers(table, high, "the band")?))
                }
            };
            let mut names = Vec::new();
            let mut points: Vec<Vec<Point>> = Vec::new();
            for (row, x) in xs.iter().enumerate() {
                let name = if series.is_some() { name(series, row) } else { up.name.clone() };
                let place = place(&mut names, name);
                points.resize_with(names.len(), Vec::new);
                let (Some(x), Some(y)) = (*x, ys.number(row)) else { continue };
                let within = band.and_then(|(low, high)| Some((low.number(row)?, high.number(row)?)));
                let label = label.and_then(|label| label.word(row)).unwrap_or_default();
                points[place].push(Point { within, label, ..Point::new(x, y) });
            }
            for (name, mut points) in names.into_iter().zip(points) {
                points.sort_by(|a, b| a.x.total_cmp(&b.x));
                all.push(Series { name, shape: up.shape, points });
            }
        }
        let y_scale = match self.y.scale {
            Some(AxisScale::Whole) => Scale::Whole,
            _ => Scale::Number,
        };
        let words = spaced(&places);
        Ok(Chart {
            title: said.title,
            subtitle: said.subtitle,
            x: Axis { words, ..self.x.axis(scale) },
            y: self.y.axis(y_scale),
            series: all,
            beside: false,
            marks: Vec::new(),
            source: said.source,
        })
    }

    /// Where each row stands from left to right. Words get places of their own, in the order in which they come.
    fn places(
        &self,
        across: &Column,
        rows: usize,
        words: &mut Vec<String>,
    ) -> Result<(Vec<Option<f64>>, Scale), RecipeError> {
        let in_words = self.x.scale == Some(AxisScale::Words);
        let place = |row: usize, words: &mut Vec<String>| Some(place(words, across.word(row)?) as f64);
        match (across.kind(), self.x.scale) {
            _ if in_words => Ok(((0..rows).map(|row| place(row, words)).collect(), Scale::Whole)),
            (Kind::Words, None) => Ok(((0..rows).map(|row| place(row, words)).collect(), Scale::Whole)),
            (Kind::Words, Some(_)) => Err(wrong(&self.across, "x", "numbers", Kind::Words)),
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
        Axis { range: self.range, rule: self.rule, ..Axis::new(self.name.clone(), scale) }
    }
}

/// Each word with its place; where there is no room for all beside each other, every second, every third.
fn spaced(words: &[String]) -> Vec<(f64, String)> {
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
    let needed = (SIGN * longest + 12) * words.len();
    let every = needed.div_ceil(WIDTH).max(1);
    let placed = words.iter().enumerate().step_by(every);
    placed.map(|(place, word)| (place as f64, word.clone())).collect()
}

/// `shape: COLUMN lines` for a column of `y:` that is drawn in another way than the others.
fn shapes(lines: &Lines<'_>, up: &mut [Up]) -> Result<(), Misread> {
    for line in lines.all("shape") {
        let (column, word) = line.value.split_once(' ').unwrap_or((line.value.as_str(), ""));
        let column = named(line, column)?;
        let Some((_, shape)) = SHAPES.iter().find(|(known, _)| *known == word.trim()) else {
            let why = "write the column and how its points are joined: `shape: expected lines` (or steps, dots, bars)";
            return Err(Misread::new(line.number, why));
        };
        let Some(up) = up.iter_mut().find(|up| up.column.column == column.column) else {
            let why = format!("`{}` is no column of `y:`", column.column);
            return Err(Misread::new(line.number, why));
        };
        up.shape = *shape;
    }
    Ok(())
}

/// `band: low to high`, for each column of `y:` in turn.
fn bands(lines: &Lines<'_>, up: &mut [Up]) -> Result<(), Misread> {
    let Some(line) = lines.get("band") else { return Ok(()) };
    let bands: Vec<&str> = line.value.split(',').collect();
    if bands.len() > up.len() {
        let why = format!("there are {} bands and {} columns of `y:`", bands.len(), up.len());
        return Err(Misread::new(line.number, why));
    }
    for (text, up) in bands.iter().zip(up) {
        if text.trim() == "none" {
            continue;
        }
        let Some((low, high)) = text.split_once(" to ") else {
            let why = "write the columns of the lower and of the upper edge: `band: low to high`, or `none`";
            return Err(Misread::new(line.number, why));
        };
        up.band = Some((named(line, low)?, named(line, high)?));
    }
    Ok(())
}

/// Lines `key: x ...` and `key: y ...`.
fn of_axes(
    lines: &Lines<'_>,
    key: &str,
    x: &mut AxisRecipe,
    y: &mut AxisRecipe,
    read: fn(&RecipeLine, &str, &mut AxisRecipe) -> Result<(), Misread>,
) -> Result<(), Misread> {
    let mut seen = Vec::new();
    for line in lines.all(key) {
        let (axis, rest) = line.value.split_once(' ').unwrap_or((line.value.as_str(), ""));
        if seen.contains(&axis) {
            return Err(Misread::new(line.number, format!("`{key}: {axis}` stands there already")));
        }
        seen.push(axis);
        match axis {
            "x" => read(line, rest.trim(), x)?,
            "y" => read(line, rest.trim(), y)?,
            _ => {
                let why = format!("`{key}:` begins with the axis: `{key}: x ...` or `{key}: y ...`");
                return Err(Misread::new(line.number, why));
            }
        }
    }
    Ok(())
}

fn read_scale(line: &RecipeLine, text: &str, axis: &mut AxisRecipe) -> Result<(), Misread> {
    axis.scale = Some(match text {
        "words" => AxisScale::Words,
        "whole" => AxisScale::Whole,
        "numbers" => AxisScale::Numbers,
        _ => {
            let why =
                format!("`{text}` is no scale: words (each value a place of its own), whole and numbers are");
            return Err(Misread::new(line.number, why));
        }
    });
    Ok(())
}

fn read_range(line: &RecipeLine, text: &str, axis: &mut AxisRecipe) -> Result<(), Misread> {
    let ends: Vec<&str> = text.split_whitespace().collect();
    let &[from, to] = ends.as_slice() else {
        return Err(Misread::new(line.number, "write where the axis begins and ends: `range: y 0 100`"));
    };
    let (from, to) = (number(line, from)?, number(line, to)?);
    if from >= to {
        return Err(Misread::new(line.number, format!("a range goes up, and {from} is not below {to}")));
    }
    axis.range = Some((from, to));
    Ok(())
}

fn read_rule(line: &RecipeLine, text: &str, axis: &mut AxisRecipe) -> Result<(), Misread> {
    axis.rule = Some(number(line, text)?);
    Ok(())
}
