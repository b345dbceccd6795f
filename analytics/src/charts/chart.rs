//! A chart as a plain value, and the figures behind it.

use std::io::Write as _;
use std::path::Path;

use annals_replay::questions::page::{Cell, Table, csv};

use super::draw::{Picture, draw};
use crate::Error;
use crate::dates::instant;
use crate::output::Sink;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows, of what.
    pub title: String,
    /// What one has to know to read it; may be empty.
    pub subtitle: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// The lines, in the order of the legend.
    pub series: Vec<Series>,
    /// Whether lines that coincide are drawn beside each other: each a little below the one before. The figures stay.
    pub beside: bool,
    /// Signs along an edge.
    pub marks: Vec<Mark>,
    /// Where the figures come from, and by which command.
    pub source: String,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is measured, with the unit.
    pub name: String,
    /// How its numbers are written.
    pub scale: Scale,
    /// From where to where; values beyond are drawn at the edge. Where none is given, all values have room.
    pub range: Option<(f64, f64)>,
    /// A value through which a line is drawn.
    pub rule: Option<f64>,
}

impl Axis {
    /// An axis with room for all values.
    #[must_use]
    pub fn new(name: impl Into<String>, scale: Scale) -> Axis {
        Axis { name: name.into(), scale, range: None, rule: None }
    }
}

/// How the numbers of an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As numbers.
    Number,
    /// As whole numbers; there is nothing to say in between.
    Whole,
    /// As times; the number counts microseconds since 1970, UTC.
    Time,
}

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// How the points are joined.
    pub shape: Shape,
    /// The points, from left to right.
    pub points: Vec<Point>,
}

/// How points are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// By straight lines.
    Line,
    /// A value holds until the next.
    Steps,
}

/// A point.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Left to right.
    pub x: f64,
    /// Bottom to top, in full even where it is drawn at the edge.
    pub y: f64,
    /// What stands there: the label of a turn, a game, a round.
    pub label: String,
    /// What there is to say about it; mostly nothing.
    pub note: String,
}

/// A sign at the edge of the chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Left to right.
    pub x: f64,
    /// At which edge.
    pub edge: Edge,
    /// The sign, a letter or two.
    pub sign: String,
    /// What stands there.
    pub label: String,
    /// What it means.
    pub note: String,
}

/// An edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Above.
    Top,
    /// Below.
    Bottom,
}

impl Chart {
    /// The figures behind the chart: a row for each point and each mark.
    #[must_use]
    pub fn data(&self) -> Table {
        let mut table = Table::new(self.title.clone(), &["kind", "series", "label", "x", "y", "note"]);
        for series in &self.series {
            for point in &series.points {
                table.rows.push(vec![
                    Cell::text("point"),
                    Cell::text(&series.name),
                    Cell::text(&point.label),
                    figure(point.x, self.x.scale),
                    figure(point.y, self.y.scale),
                    Cell::text(&point.note),
                ]);
            }
        }
        for mark in &self.marks {
            table.rows.push(vec![
                Cell::text("mark"),
                Cell::text(&mark.sign),
                Cell::text(&mark.label),
                figure(mark.x, self.x.scale),
                Cell::Empty,
                Cell::text(&mark.note),
            ]);
        }
        table
    }

    /// Writes the picture to a file, whose ending says its kind; it appears under its name when it is whole.
    ///
    /// # Errors
    /// `Argument` for an ending that is no picture's, `Nothing` for a chart without points, `Io` where the file cannot be
    /// written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        whole(path, &draw(self, Picture::of(path)?)?)
    }

    /// Writes the figures as CSV (RFC 4180) to a file.
    ///
    /// # Errors
    /// `Io` where the file cannot be written.
    pub fn write_data(&self, path: &Path) -> Result<(), Error> {
        whole(path, csv(&self.data()).as_bytes())
    }
}

fn whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut sink = Sink::file(path)?;
    sink.write_all(bytes).map_err(|e| Error::io(format!("write {}", path.display()), e))?;
    sink.finish()
}

fn figure(value: f64, scale: Scale) -> Cell {
    match scale {
        Scale::Time => Cell::text(instant(value as i64)),
        Scale::Number | Scale::Whole => Cell::text(value),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Two lines, one of them with a value beyond the range, and a mark; words that are markup.
    pub fn sample() -> Chart {
        let point =
            |x: f64, y: f64, note: &str| Point { x, y, label: format!("{x}g"), note: note.to_owned() };
        Chart {
            title: "Worth of <game> & \"more\"".to_owned(),
            subtitle: "letters are pieces lost".to_owned(),
            x: Axis::new("turn", Scale::Whole),
            y: Axis {
                range: Some((-5.0, 5.0)),
                rule: Some(0.0),
                ..Axis::new("worth (rabbits)", Scale::Number)
            },
            series: vec![
                Series {
                    name: "material".to_owned(),
                    shape: Shape::Line,
                    points: vec![point(1.0, 0.0, ""), point(2.0, -1.25, ""), point(3.0, 12.0, "cut")],
                },
                Series {
                    name: "other".to_owned(),
                    shape: Shape::Steps,
                    points: vec![point(1.0, 0.5, ""), point(3.0, 2.0, "")],
                },
            ],
            beside: false,
            marks: vec![Mark {
                x: 2.0,
                edge: Edge::Bottom,
                sign: "C".to_owned(),
                label: "2g".to_owned(),
                note: "a cat of Gold".to_owned(),
            }],
            source: "dataset 0123, annals chart".to_owned(),
        }
    }

    #[test]
    fn the_figures_are_whole_where_the_picture_cuts_them() {
        let lines = "kind,series,label,x,y,note\r\npoint,material,1g,1,0,\r\npoint,material,2g,2,-1.25,\r\n\
                     point,material,3g,3,12,cut\r\npoint,other,1g,1,0.5,\r\npoint,other,3g,3,2,\r\n\
                     mark,C,2g,2,,a cat of Gold\r\n";
        assert_eq!(csv(&sample().data()), lines);
        let time = Chart { x: Axis::new("time", Scale::Time), ..sample() };
        assert!(csv(&time.data()).contains("point,material,1g,1970-01-01T00:00:00Z,0,"));
    }

    #[test]
    fn the_ending_of_the_file_says_the_kind_of_picture() {
        let folder = tempfile::tempdir().unwrap();
        for (name, begins) in [("x.svg", &b"<svg"[..]), ("X.PNG", b"\x89PNG")] {
            let path = folder.path().join(name);
            sample().write(&path).unwrap();
            assert!(std::fs::read(&path).unwrap().starts_with(begins), "{name}");
        }
        for name in ["x.pdf", "x", ".svg"] {
            let error = sample().write(&folder.path().join(name)).unwrap_err();
            assert!(error.to_string().contains(".svg") && error.to_string().contains(".png"), "{error}");
        }
        let error = sample().write(&folder.path().join("none/x.svg")).unwrap_err();
        assert!(error.to_string().contains("none"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
