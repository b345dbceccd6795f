use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// An unknown ending.
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
