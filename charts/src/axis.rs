//! Ranges and ticks of axes.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::chart::{Axis, Mark, Scale, Series, Shape};
use crate::ticks::{MOST, Tick, ticks};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Plot<'c> {
    pub(crate) x: &'c Axis,
    pub(crate) y: &'c Axis,
    pub(crate) series: &'c [Series],
    pub(crate) marks: &'c [Mark],
    /// Coinciding lines are drawn next to each other.
    pub(crate) beside: bool,
    /// Index of the first series among the colours.
    pub(crate) first: usize,
    /// Little vertical space.
    pub(crate) low: bool,
}

/// Most vertical ticks of a low chart.
const FEW: usize = 5;

#[derive(Debug, Clone)]
pub(crate) struct Ticked {
    pub(crate) range: Range<f64>,
    ticks: Vec<Tick>,
}

impl Ticked {
    fn new(range: Range<f64>, axis: &Axis, most: usize) -> Ticked {
        let ticks = match axis.words.as_slice() {
            [] => ticks(range.start, range.end, axis.scale, most),
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
        // Lines go through ticks only.
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

#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) x: Ticked,
    pub(crate) y: Ticked,
}

/// The horizontal range of some series, with room for the outer bars; none without points.
pub(crate) fn across<'s>(series: impl Iterator<Item = &'s Series> + Clone) -> Option<(f64, f64)> {
    let (from, to) = extent(series.clone().flat_map(|series| &series.points).map(|point| point.x))?;
    let half = Bars::of(series).map_or(0.0, |bars| bars.apart / 2.0);
    Some((from - half, to + half))
}

impl Frame {
    /// With points within `xs`.
    pub(crate) fn of(plot: &Plot<'_>, xs: (f64, f64)) -> Frame {
        let points = || plot.series.iter().flat_map(|series| &series.points);
        let errors = points().flat_map(|point| point.within.into_iter().flat_map(|(from, to)| [from, to]));
        // Bars begin at zero, which must be visible.
        let bars = plot.series.iter().any(|series| series.shape == Shape::Bars);
        let ys = extent(points().map(|point| point.y).chain(errors).chain(bars.then_some(0.0)));
        let x = with_room(plot.x, xs, 0.02);
        // Marks are at the edges, away from lines.
        let y = with_room(plot.y, ys.unwrap_or((0.0, 1.0)), if plot.marks.is_empty() { 0.05 } else { 0.12 });
        Frame {
            x: Ticked::new(x, plot.x, MOST),
            y: Ticked::new(y, plot.y, if plot.low { FEW } else { MOST }),
        }
    }
}

/// How the bars of a plot share the width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bars {
    /// The least distance between places.
    pub(crate) apart: f64,
    /// Bars per place.
    pub(crate) beside: usize,
}

impl Bars {
    pub(crate) fn of<'s>(series: impl Iterator<Item = &'s Series> + Clone) -> Option<Bars> {
        let bars = series.filter(|series| series.shape == Shape::Bars);
        let mut places: Vec<f64> =
            bars.clone().flat_map(|series| &series.points).map(|point| point.x).collect();
        places.retain(|place| place.is_finite());
        places.sort_by(f64::total_cmp);
        let all = places.len();
        places.dedup();
        let gaps = places.windows(2).map(|two| two[1] - two[0]);
        let least = gaps.fold(f64::INFINITY, f64::min);
        let apart = if least.is_finite() { least } else { 1.0 };
        // If no two series share a place, each bar has its whole width.
        let beside = if places.len() < all { bars.count() } else { 1 };
        (all > 0).then_some(Bars { apart, beside })
    }
}

/// Minimum and maximum.
fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |extent, value| {
        let (least, most) = extent.unwrap_or((value, value));
        Some((value.min(least), value.max(most)))
    })
}

/// With some room at both ends; never empty.
fn with_room(axis: &Axis, values: (f64, f64), share: f64) -> Range<f64> {
    let (from, to) = axis.range.unwrap_or(values);
    let least = match axis.scale {
        Scale::Time => 3_600e6,
        Scale::Number if to > from => to - from,
        Scale::Number | Scale::Whole | Scale::Span => 1.0,
    };
    let missing = (least - (to - from)).max(0.0) / 2.0;
    let room = (to - from).max(least) * share;
    from - missing - room..to + missing + room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Point;

    fn bars(places: &[f64]) -> Series {
        let points = places.iter().map(|place| Point::new(*place, 1.0)).collect();
        Series { name: String::new(), shape: Shape::Bars, points }
    }

    #[test]
    fn bars_share_a_place_where_they_meet_and_have_it_alone_where_they_do_not() {
        let (gold, silver) = (bars(&[2.0, 3.0, 4.0]), bars(&[2.5, 3.5]));
        let apart = Bars::of([&gold, &silver].into_iter()).unwrap();
        assert_eq!(apart, Bars { apart: 0.5, beside: 1 });
        let meeting = Bars::of([&gold, &bars(&[3.0])].into_iter()).unwrap();
        assert_eq!(meeting, Bars { apart: 1.0, beside: 2 });
        assert_eq!(Bars::of([&bars(&[])].into_iter()), None);
        assert_eq!(across([&gold, &silver].into_iter()), Some((1.75, 4.25)));
    }
}
