//! One figure of several subjects, measured in several ways, as bars next to each other.

use annals_charts::{Axis, Chart, Point, Scale, Series, Shape};

use super::{NINETY_FIVE, Words};

/// One bar: its height, and the standard error if known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Its height.
    pub value: f64,
    /// The standard error.
    pub error: Option<f64>,
}

/// The bars of one colour; none for a missing value.
#[derive(Debug, Clone)]
pub struct Bars {
    /// The name in the legend.
    pub name: String,
    /// A bar for each group.
    pub bars: Vec<Option<Bar>>,
}

/// Groups of bars, the groups named below.
pub fn bars(words: Words, measured: &str, groups: &[String], all: &[Bars]) -> Chart {
    let place = |n: usize| n as f64;
    let series = all.iter().map(|one| {
        let points = one.bars.iter().enumerate().filter_map(|(n, bar)| {
            let bar = (*bar)?;
            let within =
                bar.error.map(|error| (bar.value - NINETY_FIVE * error, bar.value + NINETY_FIVE * error));
            let label = groups.get(n).cloned().unwrap_or_default();
            Some(Point { within, label, ..Point::new(place(n), bar.value) })
        });
        Series { name: one.name.clone(), shape: Shape::Bars, points: points.collect() }
    });
    let named = groups.iter().enumerate().map(|(n, group)| (place(n), group.clone()));
    let last = place(groups.len().saturating_sub(1));
    Chart {
        title: words.title,
        subtitle: words.subtitle,
        x: Axis { words: named.collect(), range: Some((-0.5, last + 0.5)), ..Axis::new("", Scale::Number) },
        y: Axis::new(measured, Scale::Number),
        series: series.collect(),
        beside: false,
        marks: Vec::new(),
        source: words.source,
    }
}
