//! Why there is no chart.

use std::path::PathBuf;

/// Why a chart cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// The ending of the file's name names no kind of picture.
    #[error(
        "`{}` is no file for a chart: the ending says the kind of picture, .svg or .png",
        .path.display()
    )]
    NotAPicture { path: PathBuf },
    #[error("there is nothing to draw: no point of \"{title}\" is a number")]
    NoPoints { title: String },
    #[error("the chart cannot be drawn: {0}")]
    Drawing(String),
}
