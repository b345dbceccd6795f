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
pub use drawing::{Drawing, NINETY_FIVE, Words};
pub use filters::filters;
pub use heights::{AtOne, Curve, Measure, heights};
pub use outcome::{check_folder, filters_said, write_outcome};
pub use training::{Learnt, training};
