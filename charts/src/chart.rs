//! A chart as a value, with its figures.

use jiff::Timestamp;

use crate::error::ChartError;
use crate::file::Figures;

#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    /// Facts needed to read the chart; may be empty.
    pub subtitle: String,
    pub x: Axis,
    pub y: Axis,
    /// In legend order.
    pub series: Vec<Series>,
    /// Draws lines slightly apart where they coincide, and dots slightly to the right, without changing the figures.
    pub beside: bool,
    /// Along an edge.
    pub marks: Vec<Mark>,
    /// The origin, and the command.
    pub source: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// With the unit.
    pub name: String,
    pub scale: Scale,
    /// Values beyond are drawn at the edge. Default: all values.
    pub range: Option<(f64, f64)>,
    /// Draws a line through a value.
    pub rule: Option<f64>,
    /// Labels at positions instead of numbers.
    pub words: Vec<(f64, String)>,
}

impl Axis {
    /// With room for all values.
    #[must_use]
    pub fn new(name: impl Into<String>, scale: Scale) -> Axis {
        Axis { name: name.into(), scale, range: None, rule: None, words: Vec::new() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Number,
    /// Integers only.
    Whole,
    /// Microseconds since 1970, UTC.
    Time,
    /// Durations in seconds.
    Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub shape: Shape,
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    #[serde(rename = "lines")]
    Line,
    /// Constant to the next point.
    Steps,
    Dots,
    /// From zero; bars that share a place are next to each other.
    Bars,
    /// Around other points.
    #[serde(skip)]
    Rings,
    /// A thin dashed grey line for comparison.
    #[serde(skip)]
    Reference,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub x: f64,
    /// Unlimited even if drawn at the edge; not drawn unless finite.
    pub y: f64,
    /// The confidence interval, if any.
    pub within: Option<(f64, f64)>,
    /// Of a turn, a game, a round.
    pub label: String,
    /// May be empty.
    pub note: String,
}

impl Point {
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y, within: None, label: String::new(), note: String::new() }
    }
}

/// A label at an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub x: f64,
    pub edge: Edge,
    /// One or two characters.
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
    /// The figures as CSV (RFC 4180), one line per point and mark.
    ///
    /// # Errors
    /// `Drawing` if they cannot be written, which no known chart causes.
    pub fn data(&self) -> Result<String, ChartError> {
        let mut figures = Figures::new(&HEAD)?;
        self.put(&mut figures)?;
        figures.text()
    }

    pub(crate) fn put(&self, figures: &mut Figures) -> Result<(), ChartError> {
        put_points(figures, "point", &self.series, (self.x.scale, self.y.scale))?;
        for mark in &self.marks {
            let x = figure(mark.x, self.x.scale);
            figures.line(&["mark", &mark.sign, &mark.label, &x, "", "", "", &mark.note])?;
        }
        Ok(())
    }
}

pub(crate) const HEAD: [&str; 8] = ["kind", "series", "label", "x", "y", "from", "to", "note"];

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

/// A time in RFC 3339 to the second; empty if not finite.
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

    /// Two lines, one of them with a value beyond the range, and a mark; texts with markup characters.
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
        let lines = "kind,series,label,x,y,from,to,note\npoint,material,1g,1,0,,,\n\
                     point,material,2g,2,-1.25,,,\npoint,material,3g,3,12,,,cut\npoint,other,1g,1,0.5,,,\n\
                     point,other,3g,3,2,,,\nmark,C,2g,2,,,,a cat of Gold\n";
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
