//! Calibration: predicted and observed chances.

use annals_charts::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
use annals_learning::Bin;

use super::Words;
use annals_report::grouped;

/// Predictions of one kind, in bins.
#[derive(Debug, Clone)]
pub struct Calibrated<'a> {
    /// The name in the legend.
    pub name: String,
    /// The bins.
    pub bins: &'a [Bin],
}

/// Predicted and observed chances, with error bars; at the foot the number of positions of each point of the first.
pub fn calibration(words: Words, all: &[Calibrated<'_>]) -> Chart {
    let mut series: Vec<Series> = all.iter().map(points).collect();
    series.push(Series {
        name: "predicted = observed".to_owned(),
        shape: Shape::Line,
        points: vec![Point::new(0.0, 0.0), Point::new(1.0, 1.0)],
    });
    let counted = all.first().map_or(&[][..], |first| first.bins);
    let marks = counted.iter().filter(|bin| bin.positions > 0).map(|bin| Mark {
        x: predicted(bin),
        edge: Edge::Bottom,
        sign: short(bin.positions),
        label: format!("{:.1} to {:.1}", bin.from, bin.to),
        note: format!("{} positions", bin.positions),
    });
    let axis = |name: &str| Axis { range: Some((0.0, 1.0)), ..Axis::new(name, Scale::Number) };
    Chart {
        title: words.title,
        subtitle: words.subtitle,
        x: axis("predicted (chance that the side to move wins)"),
        y: axis("observed (share that won)"),
        marks: marks.collect(),
        series,
        beside: false,
        source: words.source,
    }
}

/// The prediction of a bin; a network without a squashing output may predict more than 1.
fn predicted(bin: &Bin) -> f64 {
    bin.predicted.clamp(0.0, 1.0)
}

fn points(one: &Calibrated<'_>) -> Series {
    let filled = one.bins.iter().filter(|bin| bin.positions > 0);
    let points = filled.map(|bin| Point {
        within: Some(bin.interval()),
        note: format!("{} positions", bin.positions),
        ..Point::new(predicted(bin), bin.observed)
    });
    Series { name: one.name.clone(), shape: Shape::Dots, points: points.collect() }
}

/// A number in a few characters: `812`, `3.4k`, `27k`, `1.2M`.
fn short(number: u64) -> String {
    match number {
        0..1_000 => grouped(number),
        1_000..10_000 => format!("{:.1}k", number as f64 / 1e3),
        10_000..1_000_000 => format!("{:.0}k", number as f64 / 1e3),
        _ => format!("{:.1}M", number as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_bins_have_no_point_and_full_ones_say_how_many_they_are() {
        let bin = |from: f64, positions, predicted, observed| Bin {
            from,
            to: from + 0.5,
            positions,
            predicted,
            observed,
        };
        let bins = [bin(0.0, 0, 0.0, 0.0), bin(0.5, 1_234, 1.3, 0.75)];
        let words = Words { title: String::new(), subtitle: String::new(), source: String::new() };
        let chart = calibration(words, &[Calibrated { name: "net".to_owned(), bins: &bins }]);
        assert_eq!(chart.series[0].points.len(), 1);
        assert_eq!((chart.series[0].points[0].x, chart.series[0].points[0].y), (1.0, 0.75));
        assert_eq!(chart.marks[0].sign, "1.2k");
        assert_eq!([812, 27_400, 1_240_000].map(short), ["812", "27k", "1.2M"]);
    }
}
