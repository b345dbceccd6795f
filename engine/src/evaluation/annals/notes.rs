//! Where the terms say why they are what they are: into nothing while the search asks, into words while a
//! person does. The terms are written once over either, so what is explained is what was counted.

/// Takes reasons down, or does not.
pub(super) trait Notes: Default {
    /// One reason; the words are made only where they are kept.
    fn note(&mut self, words: impl FnOnce() -> String);
}

/// Keeps nothing.
#[derive(Debug, Default)]
pub(super) struct Silent;

impl Notes for Silent {
    #[inline(always)]
    fn note(&mut self, _words: impl FnOnce() -> String) {}
}

/// Keeps every reason.
#[derive(Debug, Default)]
pub(super) struct Kept(pub Vec<String>);

impl Notes for Kept {
    fn note(&mut self, words: impl FnOnce() -> String) {
        self.0.push(words());
    }
}
