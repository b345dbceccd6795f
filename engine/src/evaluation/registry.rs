//! The evaluators by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Annals, Evaluator, Material};

/// No evaluator has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no evaluator `{name}`; there are {}", known.join(", "))]
pub struct UnknownEvaluator {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

/// Evaluators by name.
#[derive(Clone)]
pub struct Registry(BTreeMap<String, Arc<dyn Evaluator>>);

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::standard()
    }
}

impl Registry {
    /// The name of the evaluator that is taken where none is named.
    pub const DEFAULT: &'static str = "annals";

    /// The evaluators of this crate.
    #[must_use]
    pub fn standard() -> Registry {
        let mut registry = Registry(BTreeMap::new());
        registry.register(Arc::new(Annals));
        registry.register(Arc::new(Material));
        registry
    }

    /// Adds an evaluator; one with the same name gives way.
    pub fn register(&mut self, evaluator: Arc<dyn Evaluator>) {
        self.0.insert(evaluator.name().to_owned(), evaluator);
    }

    /// The evaluator of a name.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(&self, name: &str) -> Result<Arc<dyn Evaluator>, UnknownEvaluator> {
        self.0.get(name).cloned().ok_or_else(|| UnknownEvaluator {
            name: name.to_owned(),
            known: self.0.keys().cloned().collect(),
        })
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Evaluator>> {
        self.0.values()
    }
}
