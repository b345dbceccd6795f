//! A chart as a plain value, and the figures behind it.

use jiff::Timestamp;

use crate::error::ChartError;
use crate::file::Figures;

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
    /// Whether what coincides is drawn beside each other: a line a little below the one before, dots a little to the right. The
    /// figures stay.
    pub beside: bool,
    /// Signs along an edge.
    pub marks: Vec<Mark>,
    /// Where the figures come from, and by which command.
    pub source: String,
}

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
    /// Words in place of numbers, each with where it stands; none where the numbers are shown.
    pub words: Vec<(f64, String)>,
}

impl Axis {
    /// An axis with room for all values.
    #[must_use]
    pub fn new(name: impl Into<String>, scale: Scale) -> Axis {
        Axis { name: name.into(), scale, range: None, rule: None, words: Vec::new() }
    }
}

/// How the numbers of an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Number,
    /// As whole numbers; there is nothing to say in between.
    Whole,
    /// As times; the number counts microseconds since 1970, UTC.
    Time,
    /// As lengths of time; the number counts seconds.
    Span,
}

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// By straight lines.
    #[serde(rename = "lines")]
    Line,
    /// A value holds until the next.
    Steps,
    Dots,
    /// Each is a bar that stands on zero; the bars of several series that share a place stand beside each other.
    Bars,
    /// Each is a ring around what stands there already.
    #[serde(skip)]
    Rings,
    /// By a thin broken line of grey: what the others are held against, and no finding itself.
    #[serde(skip)]
    Reference,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Left to right.
    pub x: f64,
    /// Bottom to top, in full even where it is drawn at the edge; what is not finite is not drawn.
    pub y: f64,
    /// Between which values the true one is thought to lie; none where nothing is said about it.
    pub within: Option<(f64, f64)>,
    /// What stands there: the label of a turn, a game, a round.
    pub label: String,
    /// What there is to say about it; mostly nothing.
    pub note: String,
}

impl Point {
    /// A point of which nothing more is said.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y, within: None, label: String::new(), note: String::new() }
    }
}

/// A sign at the edge of the chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Left to right.
    pub x: f64,
    pub edge: Edge,
    /// The sign, a letter or two.
    pub sign: String,
    pub label: String,
    pub note: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Top,
    Bottom,
}

impl Chart {
    /// The figures behind the chart as CSV (RFC 4180): a line for each point and each mark.
    ///
    /// # Errors
    /// `Drawing` where the figures cannot be put together, which no chart is known to do.
    pub fn data(&self) -> Result<String, ChartError> {
        let mut figures = Figures::new(&HEAD)?;
        self.put(&mut figures)?;
        figures.text()
    }

    /// Adds a line for each point and each mark.
    pub(crate) fn put(&self, figures: &mut Figures) -> Result<(), ChartError> {
        put_points(figures, "point", &self.series, (self.x.scale, self.y.scale))?;
        for mark in &self.marks {
            let x = figure(mark.x, self.x.scale);
            figures.line(&["mark", &mark.sign, &mark.label, &x, "", "", "", &mark.note])?;
        }
        Ok(())
    }
}

/// The head of the figures of a chart.
pub(crate) const HEAD: [&str; 8] = ["kind", "series", "label", "x", "y", "from", "to", "note"];

/// Adds a line for each point of some series.
pub(crate) fn put_points(
    figures: &mut Figures,
    kind: &str,
    series: &[Series],
    (x, y): (Scale, Scale),
) -> Result<(), ChartError> {
    for series in series {
        for point in &series.points {
            let [from, to] = match point.within {
                Some((from, to)) => [from, to].map(|end| figure(end, y)),
                None => [String::new(), String::new()],
            };
            let (at, value) = (figure(point.x, x), figure(point.y, y));
            figures.line(&[kind, &series.name, &point.label, &at, &value, &from, &to, &point.note])?;
        }
    }
    Ok(())
}

/// A number as it stands in the figures: a time in RFC 3339, to the second; nothing where there is no number.
fn figure(value: f64, scale: Scale) -> String {
    match scale {
        _ if !value.is_finite() => String::new(),
        Scale::Time => match Timestamp::from_microsecond(value as i64) {
            Ok(time) => format!("{time:.0}"),
            Err(_) => value.to_string(),
        },
        Scale::Number | Scale::Whole | Scale::Span => value.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use super::*;
    use crate::file::Drawn as _;
    use crate::picture::Picture;

    /// Two lines, one of them with a value beyond the range, and a mark; words that are markup.
    pub fn sample() -> Chart {
        let point = |x: f64, y: f64, note: &str| Point {
            label: format!("{x}g"),
            note: note.to_owned(),
            ..Point::new(x, y)
        };
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
        let lines = "kind,series,label,x,y,from,to,note\r\npoint,material,1g,1,0,,,\r\n\
                     point,material,2g,2,-1.25,,,\r\npoint,material,3g,3,12,,,cut\r\npoint,other,1g,1,0.5,,,\r\n\
                     point,other,3g,3,2,,,\r\nmark,C,2g,2,,,,a cat of Gold\r\n";
        assert_eq!(sample().data().unwrap(), lines);
        let time = Chart { x: Axis::new("time", Scale::Time), ..sample() };
        assert!(time.data().unwrap().contains("point,material,1g,1970-01-01T00:00:00Z,0,,,"));
    }

    #[test]
    fn the_ending_of_the_file_says_the_kind_of_picture() {
        for (name, begins) in [("x.svg", &b"<svg"[..]), ("X.PNG", b"\x89PNG")] {
            let kind = Picture::of(Path::new(name)).unwrap();
            assert!(sample().draw(kind).unwrap().starts_with(begins), "{name}");
        }
        for name in ["x.pdf", "x", ".svg"] {
            let error = Picture::of(Path::new(name)).unwrap_err();
            assert!(error.to_string().contains(".svg") && error.to_string().contains(".png"), "{error}");
        }
    }
}
