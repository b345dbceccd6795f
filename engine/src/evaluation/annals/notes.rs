//! Reasons of terms: discarded in the search, collected for people. The terms are generic over both, so that the
//! explanation is what was computed.

pub(super) trait Notes: Default {
    /// `words` is called only if reasons are kept.
    fn note(&mut self, words: impl FnOnce() -> String);
}

#[derive(Debug, Default)]
pub(super) struct Silent;

impl Notes for Silent {
    #[inline(always)]
    fn note(&mut self, _words: impl FnOnce() -> String) {}
}

#[derive(Debug, Default)]
pub(super) struct Kept(pub Vec<String>);

impl Notes for Kept {
    fn note(&mut self, words: impl FnOnce() -> String) {
        self.0.push(words());
    }
}
