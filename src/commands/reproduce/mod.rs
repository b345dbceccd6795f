//! `annals learn reproduce`: *Learning To Evaluate Arimaa Positions* again, from games to figures.

mod paper;

pub use paper::{Args, run};
