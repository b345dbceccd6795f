//! The evaluators of the Amazons by name.

use std::sync::Arc;

use super::{Annals, Evaluator, Mobility, Queens, Territory};
use crate::evaluation::Evaluators;

/// The evaluators of the Amazons by name.
pub type Registry = Evaluators<dyn Evaluator>;

impl Registry {
    /// The name of the evaluator that is taken where none is named.
    pub const DEFAULT: &'static str = "annals";

    /// The evaluators of this crate.
    #[must_use]
    pub fn standard() -> Registry {
        let mut registry = Registry::none();
        registry.register(Arc::new(Annals));
        registry.register(Arc::new(Queens));
        registry.register(Arc::new(Mobility));
        registry.register(Arc::new(Territory));
        registry
    }

    /// Adds an evaluator; one with the same name gives way.
    pub fn register(&mut self, evaluator: Arc<dyn Evaluator>) {
        self.put(evaluator.name().to_owned(), evaluator);
    }
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::standard()
    }
}
