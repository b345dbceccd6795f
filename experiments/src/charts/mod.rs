//! Charts of learning: what experiments came to, as charts. Each kind of chart is one file; none knows where its figures come from.

mod bars;
mod calibration;
mod drawing;
mod filters;
mod heights;
mod outcome;
mod training;

pub use bars::{Bar, Bars, bars};
pub use calibration::{Calibrated, calibration};
pub use drawing::Drawing;
pub use filters::filters;
pub use heights::{AtOne, Curve, Measure, heights};
pub use outcome::{check_folder, filters_said, write_outcome};
pub use training::{Learnt, training};

/// What stands around a chart.
#[derive(Debug, Clone)]
pub struct Words {
    /// What it shows, of what.
    pub title: String,
    /// What one has to know to read it.
    pub subtitle: String,
    /// Where the figures come from, and by which command.
    pub source: String,
}

/// So many standard errors to each side hold the true value 95 times of 100.
pub const NINETY_FIVE: f64 = 1.96;
