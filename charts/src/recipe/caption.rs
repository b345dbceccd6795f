#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    pub title: String,
    /// Fallback for a recipe without one.
    pub subtitle: String,
    /// The origin of the figures.
    pub source: String,
}
