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
    NotAPicture {
        /// The file.
        path: PathBuf,
    },
    /// No point of the chart is a number.
    #[error("there is nothing to draw: no point of \"{title}\" is a number")]
    NoPoints {
        /// What the chart is called.
        title: String,
    },
    /// The picture cannot be made.
    #[error("the chart cannot be drawn: {0}")]
    Drawing(String),
}
