//! Height plots: the error of predictions, by plies from the end of the game.

use annals_charts::{Axis, Chart, Point, Scale, Series, Shape};
use annals_learning::AtHeight;
use serde::{Deserialize, Serialize};

use super::{NINETY_FIVE, Words};

/// A curve ends before the first height with fewer positions, whose error would be too uncertain.
const LEAST: u64 = 10;

/// The measured error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The mean squared error.
    Mse,
    /// The share of rounded predictions that are wrong.
    Wrong,
}

/// One curve of a height plot.
#[derive(Debug, Clone)]
pub struct Curve<'a> {
    /// The name in the legend.
    pub name: String,
    /// The measured error.
    pub measure: Measure,
    /// The figures, by height.
    pub at: &'a [AtHeight],
}

/// A published figure at one height, with its bounds.
#[derive(Debug, Clone, Copy)]
pub struct AtOne {
    /// Plies from the end.
    pub height: u16,
    /// The lower and the upper bound of the value.
    pub within: (f64, f64),
}

/// Error against height, with bands of the 95% confidence interval, and dots for published figures.
pub fn heights(words: Words, curves: &[Curve<'_>], others: &[(String, &[AtOne])]) -> Chart {
    let has = |measure| curves.iter().any(|curve| curve.measure == measure);
    let measured = match (has(Measure::Mse), has(Measure::Wrong)) {
        (true, true) => "mean squared error; share wrong",
        (true, false) => "mean squared error",
        (false, _) => "share wrong",
    };
    let series: Vec<Series> = curves
        .iter()
        .map(curve)
        .chain(others.iter().map(|(name, at)| Series {
            name: name.clone(),
            shape: Shape::Dots,
            points: at.iter().map(other).collect(),
        }))
        .collect();
    // The range is that of the values: bands may extend beyond, and are clipped there.
    let highest = series.iter().flat_map(|series| &series.points).map(|point| point.y).fold(0.0, f64::max);
    Chart {
        title: words.title,
        subtitle: words.subtitle,
        x: Axis::new("height (plies from the end of the game)", Scale::Whole),
        y: Axis { range: Some((0.0, (highest * 10.0).ceil() / 10.0)), ..Axis::new(measured, Scale::Number) },
        series,
        beside: false,
        marks: Vec::new(),
        source: words.source,
    }
}

fn curve(curve: &Curve<'_>) -> Series {
    let enough = curve.at.iter().take_while(|at| at.positions >= LEAST);
    let points = enough.map(|at| {
        let (y, error) = match curve.measure {
            Measure::Mse => (at.mse, at.mse_error),
            Measure::Wrong => (at.wrong, at.wrong_error),
        };
        let far = NINETY_FIVE * error;
        Point {
            within: Some(((y - far).max(0.0), y + far)),
            note: format!("{} positions", at.positions),
            ..Point::new(f64::from(at.height), y)
        }
    });
    Series { name: curve.name.clone(), shape: Shape::Line, points: points.collect() }
}

fn other(at: &AtOne) -> Point {
    let (from, to) = at.within;
    Point { within: Some(at.within), ..Point::new(f64::from(at.height), f64::midpoint(from, to)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_its_bands_and_ends_where_there_are_few_positions() {
        let at = |height, positions| AtHeight {
            height,
            mse: 0.2,
            mse_error: 0.01,
            wrong: 0.01,
            wrong_error: 0.01,
            positions,
        };
        let figures = [at(0, 100), at(1, 10), at(2, 9), at(3, 10)];
        let words = Words { title: "t".to_owned(), subtitle: String::new(), source: "s".to_owned() };
        let named = |measure| Curve { name: "n".to_owned(), measure, at: &figures };
        let printed = [AtOne { height: 0, within: (0.1, 0.2) }];
        let others = [("the paper".to_owned(), &printed[..])];
        let chart = heights(words, &[named(Measure::Mse), named(Measure::Wrong)], &others);
        let xs: Vec<f64> = chart.series[0].points.iter().map(|point| point.x).collect();
        assert_eq!(xs, [0.0, 1.0]);
        assert_eq!(chart.y.range, Some((0.0, 0.2)));
        let (from, to) = chart.series[0].points[0].within.unwrap();
        assert!((from - 0.1804).abs() < 1e-9 && (to - 0.2196).abs() < 1e-9);
        // A share is never negative.
        assert_eq!(chart.series[1].points[0].within.unwrap().0, 0.0);
        assert!((chart.series[2].points[0].y - 0.15).abs() < 1e-9);
    }
}
