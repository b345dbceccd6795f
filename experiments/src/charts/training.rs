//! Training curves: the training error, epoch by epoch, and the validation error of the kept network.

use annals_charts::{Axis, Chart, Point, Scale, Series, Shape};

use super::Words;

/// One training.
#[derive(Debug, Clone)]
pub struct Learnt<'a> {
    /// The name in the legend.
    pub name: String,
    /// The mean squared error of training, epoch by epoch.
    pub errors: &'a [f64],
    /// The epoch that was kept, from 1.
    pub kept: u32,
    /// The mean squared error on the validation set.
    pub validation: f64,
}

/// The error by epoch, a line for each training and a dot for its validation error.
pub fn training(words: Words, all: &[Learnt<'_>]) -> Chart {
    let line = |one: &Learnt<'_>| {
        let numbered = (1u32..).zip(one.errors).map(|(epoch, error)| Point::new(f64::from(epoch), *error));
        Series { name: format!("{}: training", one.name), shape: Shape::Line, points: numbered.collect() }
    };
    let dot = |one: &Learnt<'_>| Series {
        name: format!("{}: validation", one.name),
        shape: Shape::Dots,
        points: vec![Point {
            note: "the kept network, on the validation set".to_owned(),
            ..Point::new(f64::from(one.kept), one.validation)
        }],
    };
    Chart {
        title: words.title,
        subtitle: words.subtitle,
        x: Axis::new("epoch", Scale::Whole),
        y: Axis::new("mean squared error", Scale::Number),
        series: all.iter().flat_map(|one| [line(one), dot(one)]).collect(),
        beside: false,
        marks: Vec::new(),
        source: words.source,
    }
}
