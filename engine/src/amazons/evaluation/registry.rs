use std::sync::Arc;

use super::{Annals, Evaluator, Mobility, Queens, Territory};
use crate::evaluation::Evaluators;

pub type Registry = Evaluators<dyn Evaluator>;

impl Registry {
    /// The default evaluator.
    pub const DEFAULT: &'static str = "annals";

    /// Those of this crate.
    #[must_use]
    pub fn standard() -> Registry {
        let mut registry = Registry::none();
        registry.register(Arc::new(Annals));
        registry.register(Arc::new(Queens));
        registry.register(Arc::new(Mobility));
        registry.register(Arc::new(Territory));
        registry
    }

    /// Adds or replaces an evaluator.
    pub fn register(&mut self, evaluator: Arc<dyn Evaluator>) {
        self.put(evaluator.name().to_owned(), evaluator);
    }
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::standard()
    }
}
