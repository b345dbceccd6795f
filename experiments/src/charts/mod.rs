//! Charts of learning: the results of experiments. Each kind of chart is one file, independent of the source of its figures.

mod bars;
mod calibration;
mod drawing;
mod filters;
mod heights;
mod outcome;
mod training;

pub use bars::{Bar, Bars, bars};
pub use calibration::{Calibrated, calibration};
pub use drawing::{Drawing, NINETY_FIVE, Words};
pub use filters::filters;
pub use heights::{AtOne, Curve, Measure, heights};
pub use outcome::{check_folder, filters_said, write_outcome};
pub use training::{Learnt, training};
