//! From where to where the axes of a chart go, and where they have their ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::chart::{Axis, Chart, Scale, Shape};
use crate::error::ChartError;
use crate::ticks::{Tick, ticks};

/// From where to where an axis goes, with its ticks.
#[derive(Debug, Clone)]
pub(crate) struct Ticked {
    pub(crate) range: Range<f64>,
    ticks: Vec<Tick>,
}

impl Ticked {
    fn new(range: Range<f64>, axis: &Axis) -> Ticked {
        let ticks = match axis.words.as_slice() {
            [] => ticks(range.start, range.end, axis.scale),
            words => {
                let within = words.iter().filter(|(at, _)| range.contains(at));
                within.map(|(at, word)| Tick { at: *at, word: word.clone() }).collect()
            }
        };
        Ticked { range, ticks }
    }
}

impl Ranged for Ticked {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        from + (share * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Lines go through the ticks and nowhere else.
        let ticks = if hint.weight().allow_light_points() { &[][..] } else { &self.ticks };
        ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Ticked {
    fn format_ext(&self, at: &f64) -> String {
        self.ticks.iter().find(|tick| tick.at == *at).map_or_else(String::new, |tick| tick.word.clone())
    }
}

/// Both axes.
pub(crate) struct Frame {
    pub(crate) x: Ticked,
    pub(crate) y: Ticked,
}

impl Frame {
    pub(crate) fn of(chart: &Chart) -> Result<Frame, ChartError> {
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let xs = extent(points().map(|point| point.x))
            .ok_or_else(|| ChartError::NoPoints { title: chart.title.clone() })?;
        let bars = chart.series.iter().any(|series| series.shape == Shape::Bars);
        let errors = points().flat_map(|point| point.within.into_iter().flat_map(|(from, to)| [from, to]));
        // Bars stand on nothing, so nothing has to be in the picture.
        let ys = points().map(|point| point.y).chain(errors).chain(bars.then_some(0.0));
        let ys = extent(ys).unwrap_or((0.0, 1.0));
        // The first bar and the last are as wide as the others.
        let half = if bars { between_bars(chart) / 2.0 } else { 0.0 };
        let x = with_room(&chart.x, (xs.0 - half, xs.1 + half), 0.02);
        // Marks stand at the edges, where no line should come.
        let y = with_room(&chart.y, ys, if chart.marks.is_empty() { 0.05 } else { 0.12 });
        Ok(Frame { x: Ticked::new(x, &chart.x), y: Ticked::new(y, &chart.y) })
    }
}

/// The smallest and the largest number.
fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |extent, value| {
        let (least, most) = extent.unwrap_or((value, value));
        Some((value.min(least), value.max(most)))
    })
}

/// The least distance between two neighbours in a series of bars, or one where there are none.
pub(crate) fn between_bars(chart: &Chart) -> f64 {
    let bars = chart.series.iter().filter(|series| series.shape == Shape::Bars);
    let apart = bars.flat_map(|series| series.points.windows(2).map(|two| (two[1].x - two[0].x).abs()));
    let least = apart.filter(|apart| *apart > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// The range of an axis with some room at both ends; never empty.
fn with_room(axis: &Axis, values: (f64, f64), share: f64) -> Range<f64> {
    let (from, to) = axis.range.unwrap_or(values);
    let least = match axis.scale {
        Scale::Time => 3_600e6,
        Scale::Number if to > from => to - from,
        Scale::Number | Scale::Whole => 1.0,
    };
    let missing = (least - (to - from)).max(0.0) / 2.0;
    let room = (to - from).max(least) * share;
    from - missing - room..to + missing + room
}
