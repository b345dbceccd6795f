//! Training curves: the error while learning, epoch by epoch, and what the network that was kept is worth on what it had not seen.

use annals_charts::{Axis, Chart, Point, Scale, Series, Shape};

use super::Words;

/// One training.
#[derive(Debug, Clone)]
pub struct Learnt<'a> {
    /// What the legend says.
    pub name: String,
    /// The mean squared error while learning, epoch by epoch.
    pub errors: &'a [f64],
    /// The epoch that was kept, from 1.
    pub kept: u32,
    /// The mean squared error on what it had not seen.
    pub judged: f64,
}

/// The error by epoch, a line for each training and a dot for what it was worth.
pub fn training(words: Words, all: &[Learnt<'_>]) -> Chart {
    let line = |one: &Learnt<'_>| {
        let numbered = (1u32..).zip(one.errors).map(|(epoch, error)| Point::new(f64::from(epoch), *error));
        Series { name: format!("{}: learning", one.name), shape: Shape::Line, points: numbered.collect() }
    };
    let dot = |one: &Learnt<'_>| Series {
        name: format!("{}: unseen", one.name),
        shape: Shape::Dots,
        points: vec![Point {
            note: "what was kept, on positions that it had not seen".to_owned(),
            ..Point::new(f64::from(one.kept), one.judged)
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
