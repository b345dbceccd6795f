//! What a picture says in words.

/// What a picture says beside its figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    pub title: String,
    /// What one has to know to read it, where the recipe has nothing better.
    pub subtitle: String,
    /// Where the figures come from.
    pub source: String,
}
