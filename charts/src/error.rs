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
    /// Fields would be smaller than can be seen.
    #[error("{found} {what} do not fit into a picture, which has room for {most}")]
    TooMany { what: &'static str, found: usize, most: usize },
    #[error("the chart cannot be drawn: {0}")]
    Drawing(String),
}
